#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the README's chart of the ladder from what `warpscope bench --json` wrote.

usage: chart.py BENCH.json… [--views KEY,KEY] -o CHART.svg
       chart.py BENCH.json… [--views KEY,KEY] --check CHART.svg

Several files are runs of the same views on several machines, each backend in one of them.

One panel a view, one row a rung: filled marks are iterations executed per second, hollow ones the
effective figure with what shortcuts skip. --check fails unless CHART.svg is what would be drawn.
Plain SVG that follows the reader's light or dark theme; needs nothing but Python 3.
"""
import argparse
import json
import math
import sys
from xml.sax.saxutils import escape

# Okabe and Ito's colours; the shapes tell apart without them.
SERIES = [('cpu', 'float', '#56B4E9', 'circle'), ('cpu', 'double', '#2a8fd0', 'diamond'),
          ('cuda', 'float', '#E69F00', 'square'), ('cuda', 'double', '#D55E00', 'triangle')]
WIDTH, LEFT, GAP, RIGHT, TOP, LANE = 920, 112, 48, 24, 96, 11
STYLE = '''
  text { font: 13px system-ui, "Segoe UI", Inter, sans-serif; fill: #24292f }
  .small { font-size: 11px; fill: #57606a }
  .title { font-size: 16px; font-weight: 600 }
  .grid { stroke: #8b949e; stroke-opacity: .28 }
  .gain { stroke-width: 1.6; stroke-opacity: .55 }
  .limit { stroke-width: 1.5; stroke-dasharray: 5 4 }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .small { fill: #9aa4af } }
'''


def number(value):
    """A coordinate, with as many digits as a pixel needs."""
    return ('%.1f' % value).rstrip('0').rstrip('.')


def line(x1, y1, x2, y2, name, more=''):
    return '<line x1="%s" y1="%s" x2="%s" y2="%s" class="%s"%s/>' % (
        number(x1), number(y1), number(x2), number(y2), name, more)


def text(x, y, words, name='', anchor='start'):
    return '<text x="%s" y="%s" class="%s" text-anchor="%s">%s</text>' % (
        number(x), number(y), name, anchor, escape(words))


def mark(shape, x, y, color, filled):
    style = 'fill="%s"' % color if filled else 'fill="none"'
    style += ' stroke="%s" stroke-width="1.6"' % color
    if shape == 'circle':
        return '<circle cx="%s" cy="%s" r="3.6" %s/>' % (number(x), number(y), style)
    corners = {'square': ((-3.3, -3.3), (3.3, -3.3), (3.3, 3.3), (-3.3, 3.3)),
               'diamond': ((0, -4.6), (4.6, 0), (0, 4.6), (-4.6, 0)),
               'triangle': ((0, -4.4), (4.4, 3.6), (-4.4, 3.6))}[shape]
    points = ' '.join(number(x + dx) + ',' + number(y + dy) for dx, dy in corners)
    return '<polygon points="%s" %s/>' % (points, style)


def rate_name(power):
    return '%d %s' % (10 ** (power % 3), {2: 'M', 3: 'G', 4: 'T', 5: 'P'}[power // 3])


class Panel:
    """The figures of one view on a logarithmic axis."""

    def __init__(self, bench, view, series, left, width, powers):
        self.bench, self.view, self.series = bench, view, series
        self.left, self.width, self.powers = left, width, powers

    def x(self, rate):
        low, high = self.powers
        return self.left + self.width * (math.log10(rate) - low) / (high - low)

    def axis(self, bottom):
        out = [text(self.left, TOP - 12, '%s, limit %s' % (self.view['title'],
                                                          format(self.view['max_iter'], ',')))]
        for power in range(self.powers[0], self.powers[1] + 1):
            x = self.x(10 ** power)
            out += [line(x, TOP, x, bottom, 'grid'),
                    text(x, bottom + 16, rate_name(power), 'small', 'middle')]
        out.append(text(self.left + self.width / 2, bottom + 34, 'iterations per second', 'small',
                        'middle'))
        return out

    def limits(self, bottom):
        out = []
        for backend, kind, color, _ in self.series:
            for peak in self.bench['peaks']:
                if (peak['backend'], peak['type']) != (backend, kind):
                    continue
                x = self.x(peak['iterations_per_second'])
                out.append(line(x, TOP, x, bottom, 'limit', ' stroke="%s"' % color))
        return out

    def row(self, kernel, top):
        out = []
        for lane, (backend, kind, color, shape) in enumerate(self.series):
            named = (self.view['key'], kernel, backend, kind)
            rows = [row for row in self.bench['rows'] if 'kernel_ms' in row and named == (
                row['view'], row['kernel'], row['backend'], row['type'])]
            if rows:  # of several block shapes the fastest
                best = min(rows, key=lambda row: row['kernel_ms']['median'])
                out += self.point(best, top + LANE * (lane + .5), color, shape)
        return out

    def point(self, row, y, color, shape):
        """One figure: what is executed, joined to what it is worth."""
        done, worth = row['executed_per_second'], row['effective_per_second']
        out = ['<g>', '<title>%s</title>' % escape(
            '%s, %s %s: %.3g executed, %.3g effective iterations/s, median %.3g ms of %d' % (
                row['kernel'], row['backend'], row['type'], done, worth,
                row['kernel_ms']['median'], row['kernel_ms']['n']))]
        if worth > 1.02 * done:
            start = self.x(done) if done > 0 else self.left
            out += [line(start, y, self.x(worth) - 4, y, 'gain', ' stroke="%s"' % color),
                    mark(shape, self.x(worth), y, color, False)]
        if done > 0:
            out.append(mark(shape, self.x(done), y, color, True))
        return out + ['</g>']


def powers_of(bench, views, series):
    """The decades that hold all figures that are drawn."""
    rates = [peak['iterations_per_second'] for peak in bench['peaks']
             if (peak['backend'], peak['type']) in [one[:2] for one in series]]
    for row in bench['rows']:
        if row['view'] in views and (row['backend'], row['type']) in [one[:2] for one in series]:
            rates += [row[key] for key in ('executed_per_second', 'effective_per_second')
                      if row.get(key, 0) > 0]
    return math.floor(math.log10(min(rates))), math.ceil(math.log10(max(rates)))


def legend(series, left):
    out = []
    for backend, kind, color, shape in series:
        out += [mark(shape, left + 6, 52, color, True), text(left + 16, 56, '%s %s' % (
            {'cpu': 'CPU', 'cuda': 'GPU'}[backend], kind))]
        left += 100
    return out + [mark('circle', left + 6, 52, '#8b949e', True), text(left + 16, 56, 'executed'),
                  mark('circle', left + 96, 52, '#8b949e', False), text(left + 106, 56, 'effective'),
                  line(left + 180, 52, left + 204, 52, 'limit', ' stroke="#8b949e"'),
                  text(left + 210, 56, 'limit: multiply-adds / 4')]


def draw(bench, views):
    measured = {(row['backend'], row['type']) for row in bench['rows'] if 'kernel_ms' in row}
    series = [one for one in SERIES if one[:2] in measured]
    kernels = list(dict.fromkeys(row['kernel'] for row in bench['rows']))
    height_of_row = LANE * len(series) + 10
    bottom = TOP + height_of_row * len(kernels)
    height = bottom + 86
    devices = '; '.join('%s: %s (%s)' % (one['name'], one['device'], one['detail'])
                        for one in bench['backends'] if one['name'] in ('cpu', 'cuda'))
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">' % (
        WIDTH, height, WIDTH, height), '<style>%s</style>' % STYLE,
           text(LEFT, 26, 'The escape loop, rung by rung', 'title')]
    out += legend(series, LEFT)
    chosen = [view for view in bench['views'] if view['key'] in views]
    width = (WIDTH - LEFT - RIGHT - GAP * (len(chosen) - 1)) / len(chosen)
    powers = powers_of(bench, views, series)
    for i, kernel in enumerate(kernels):
        y = TOP + height_of_row * i
        out += [line(LEFT - 96, y, WIDTH - RIGHT, y, 'grid'),
                text(LEFT - 12, y + height_of_row / 2 + 4, kernel, '', 'end')]
    for i, view in enumerate(chosen):
        panel = Panel(bench, view, series, LEFT + i * (width + GAP), width, powers)
        out += panel.axis(bottom) + panel.limits(bottom)
        for j, kernel in enumerate(kernels):
            out += panel.row(kernel, TOP + height_of_row * j + 5)
    size = '%dx%d' % (chosen[0]['width'], chosen[0]['height'])
    out += [text(LEFT, bottom + 56, '%s.' % devices, 'small'),
            text(LEFT, bottom + 72, '%s, warpscope %s. What is missing was skipped as too slow.' % (
                size, bench['commit'] or 'of no commit'), 'small')]
    return '\n'.join(out + ['</svg>', ''])


def merged(paths):
    """What the files hold, as if it had been one run."""
    benches = []
    for path in paths:
        with open(path) as file:
            benches.append(json.load(file))
    first = benches[0]
    for path, other in zip(paths[1:], benches[1:]):
        if other['views'] != first['views']:
            sys.exit('chart.py: %s has other views than %s' % (path, paths[0]))
        names = {one['name'] for one in first['backends']}
        again = sorted(names & {one['name'] for one in other['backends']})
        if again:
            sys.exit('chart.py: %s measures %s, which was there before' % (path, ', '.join(again)))
        for key in ('backends', 'peaks', 'rows'):
            first[key] += other[key]
    commits = dict.fromkeys(bench['commit'] for bench in benches if bench['commit'])
    first['commit'] = ' and '.join(commits)
    return first


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('bench', nargs='+')
    parser.add_argument('--views', default='home,boundary')
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument('-o', dest='output')
    what.add_argument('--check')
    args = parser.parse_args()
    bench = merged(args.bench)
    views = args.views.split(',')
    unknown = set(views) - {view['key'] for view in bench['views']}
    if unknown:
        sys.exit('chart.py: %s has no view %s' % (' '.join(args.bench), ', '.join(sorted(unknown))))
    drawn = draw(bench, views)
    if args.check:
        with open(args.check) as file:
            if file.read() != drawn:
                sys.exit('%s is not what %s gives; run chart.py again' % (
                    args.check, ' '.join(args.bench)))
        return
    with open(args.output, 'w') as file:
        file.write(drawn)


if __name__ == '__main__':
    main()
