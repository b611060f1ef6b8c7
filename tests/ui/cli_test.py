#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command line, as scripts rely on it. usage: cli_test.py WARPSCOPE TEST"""
import ast
import json
import os
import struct
import sys

from command import CPU_RUNGS, QUICK_BENCH, with_command
from explorer import check, need, read_picture, run_named

def read_npy(path):
    """(header, values) of a version-1 '<u4' file."""
    with open(path, 'rb') as file:
        data = file.read()
    check(data[:8] == b'\x93NUMPY\x01\x00', path, 'is no version-1 .npy')
    size = struct.unpack('<H', data[8:10])[0]
    check((10 + size) % 64 == 0, 'the data are not aligned')
    header = ast.literal_eval(data[10:10 + size].decode('latin1'))
    body = data[10 + size:]
    return header, struct.unpack('<%dI' % (len(body) // 4), body)


def render(command, *arguments):
    """The counts, row 0 on top, as a list of rows."""
    command.good('render', '--raw', 'out.npy', *arguments)
    header, values = read_npy(command.path('out.npy'))
    height, width = header['shape']
    return [values[row * width:(row + 1) * width] for row in range(height)]


def raw_is_a_numpy_array(command):
    command.good('render', '--size', '60x34', '--raw', 'a.npy', '-o', 'a.png')
    header, values = read_npy(command.path('a.npy'))
    check(header == {'descr': '<u4', 'fortran_order': False, 'shape': (34, 60)}, header)
    check(len(values) == 60 * 34 and 0 in values and max(values) <= 1000, 'values')
    with open(command.path('a.png'), 'rb') as file:
        start = file.read(26)
    check(start[:8] == b'\x89PNG\r\n\x1a\n', 'no PNG')
    check(struct.unpack('>IIBB', start[16:26]) == (60, 34, 8, 2), 'not 8-bit RGB:', start)
    check(sorted(os.listdir(command.folder)) == ['a.npy', 'a.png'], os.listdir(command.folder))


def plane_point(x, y, width, height, re, im, zoom):
    """The formula of the issue."""
    return complex(re + ((x + .5) / width - .5) * (4 / zoom) * width / height,
                   im + (.5 - (y + .5) / height) * (4 / zoom))


def count_escape(c, z, limit, bailout, power=2):
    for n in range(1, limit + 1):
        z = z ** power + c
        if abs(z) > bailout:
            return n
    return 0


def every_pixel_stands_where_it_should(command):
    """A view without symmetry, in plain Python; a pixel or two may differ by rounding."""
    rows = render(command, '--re', '-0.6', '--im', '0.55', '--zoom', '4', '--size', '32x18',
                  '--max-iter', '200', '--precision', 'f64')
    wrong = [(x, y) for y in range(18) for x in range(32)
             if rows[y][x] != count_escape(plane_point(x, y, 32, 18, -.6, .55, 4), 0j, 200, 256)]
    check(len(wrong) <= 2, 'pixels differ:', wrong)
    top, bottom = sum(map(sum, rows[:9])), sum(map(sum, rows[9:]))
    check(top != bottom, 'the view is symmetric')


def julia_starts_at_the_pixel(command):
    rows = render(command, '--julia=-0.4,0.6', '--re', '0.1', '--im', '0', '--zoom', '1.5',
                  '--size', '24x16', '--max-iter', '150', '--bailout', '4', '--precision', 'f64')
    wrong = [(x, y) for y in range(16) for x in range(24)
             if rows[y][x] != count_escape(complex(-.4, .6),
                                           plane_point(x, y, 24, 16, .1, 0, 1.5), 150, 4)]
    check(len(wrong) <= 2, 'pixels differ:', wrong)


def multibrot_has_the_power_asked_for(command):
    """z^n + c looks the same after a turn of 1/(n-1); a bailout as small as 2 is obeyed."""
    rows = render(command, '--formula', 'multibrot', '--power', '5', '--re', '0', '--im', '0',
                  '--zoom', '1.5', '--size', '25x25', '--bailout', '2', '--precision', 'f64')
    turned = [[rows[x][24 - y] for x in range(25)] for y in range(25)]
    same = sum(a == b for one, other in zip(rows, turned) for a, b in zip(one, other))
    check(same >= 615, 'a quarter turn changes', 625 - same, 'of 625 points')
    check(count_escape(plane_point(3, 12, 25, 25, 0, 0, 1.5), 0j, 100, 2, 5) == rows[12][3], 'n')


def minus_two_is_in_the_set(command):
    """Escape means strictly outside."""
    rows = render(command, '--re', '-2', '--im', '0', '--zoom', '1', '--size', '1x1', '--bailout',
                  '2', '--precision', 'f64')
    check(rows == [(0,)], rows)


def digits_of_any_length(command):
    long = '-0.75' + '0' * 400 + '1'
    check(render(command, '--re', long, '--size', '16x9') ==
          render(command, '--re', '-0.75', '--size', '16x9'), 'zeros changed the picture')


def beyond_double_is_refused(command):
    command.bad(1, 'render', '--re', '-0.743643887037151', '--im', '0.13182590420533', '--zoom',
                '1e30', '--size', '64x36', '--raw', 'no.npy', says=['double'])


def cpu_rungs_agree(command):
    for precision in ('f32', 'f64'):
        pictures = [render(command, '--re', '-0.7436', '--im', '0.1318', '--zoom', '900', '--size',
                           '160x90', '--precision', precision, '--backend', rung)
                    for rung in CPU_RUNGS]
        check(all(one == pictures[0] for one in pictures), precision, 'counts differ')


RUNGS = ['naive', 'blocks', 'in-flight', 'closed-form', 'periodicity', 'refill']


def every_kernel_gives_the_same_counts(command):
    for backend in ('cpu-scalar', 'cpu'):
        pictures = [render(command, '--re', '-0.75', '--zoom', '1.5', '--size', '97x61', '--kernel',
                           rung, '--backend', backend) for rung in RUNGS]
        check(all(one == pictures[0] for one in pictures), backend, 'counts differ')
    command.bad(2, 'render', '--size', '4x4', '--raw', 'no.npy', '--kernel', 'magic',
                says=['magic'] + RUNGS)
    command.bad(2, 'compare', environment={'WARPSCOPE_KERNEL': 'magic'},
                says=['WARPSCOPE_KERNEL: ', 'magic', 'refill'])
    command.bad(2, '--kernel', 'naive', 'compare', says=['--kernel', 'after the subcommand'])
    got = command.json('compare', '--size', '64x36', '--seconds', '0.01', '--kernel', 'blocks')
    check(got['kernel'] == 'blocks', got['kernel'])
    for row in got['rows']:
        if 'kernel_ms' in row:  # without shortcuts all that is counted is done
            check(row['executed'] == row['iterations'] > 0, row)
            check(0 < row['lane_efficiency'] <= 1, row)
    command.good('--offscreen', '--size', '64x36', '--report', 'r.json', '--kernel', 'closed-form')
    with open(command.path('r.json')) as file:
        check(json.load(file)['kernel'] == 'closed-form', 'another kernel ran')


def the_environment_chooses_the_backend(command):
    command.bad(2, 'render', '--size', '4x4', '--raw', 'no.npy',
                environment={'WARPSCOPE_BACKEND': 'abacus'},
                says=['WARPSCOPE_BACKEND: ', 'abacus', 'cpu-simd'])


def nothing_is_ignored_in_silence(command):
    command.bad(2, '--size', '10x10', 'render', '-o', 'a.png', says=['--size', 'after the subcommand'])
    command.bad(2, 'render', '-o', 'same.png', '--raw', 'same.png', says=['same file'])
    command.bad(2, '--offscreen', '--frames', '0', says=['--frames'])
    command.bad(2, '--offscreen', '--size', '20000x100', says=['16384'])
    command.bad(2, '--size', '100x20000', says=['16384'])
    command.bad(2, 'compare', '--seconds', 'nan', says=['--seconds'])
    command.bad(2, 'lab', 'vector_add', '--n', '0', says=['--n'])
    command.bad(2, 'render', '--power', '0', '-o', 'a.png', says=['--power'])
    command.bad(2, 'devices', '--device', '-1', says=['--device'])
    command.bad(2, 'bench', '--device', 99, says=['--device', '99'])
    for option in '--json', '--views', '--at', '--types', '--kernels', '--backends', '--blocks', '--size':
        command.bad(2, 'bench', option, '', says=[option, 'empty'])
    command.bad(2, 'render', '--re', '', '-o', 'a.png', says=['--re', 'empty'])
    command.bad(2, '--offscreen', '--report', '', says=['--report', 'empty'])


def places_render(command):
    with open(command.path('place.toml'), 'w') as file:
        file.write('title = "Test"\nre = "-1.25"\nim = "0.02"\nzoom = "60"\n'
                   'formula = "mandelbrot"\nmax_iter = 300\n')
    check(render(command, 'place.toml', '--size', '32x18') ==
          render(command, '--re', '-1.25', '--im', '0.02', '--zoom', '60', '--max-iter', '300',
                 '--size', '32x18'), 'the place is another one')


def render_draws_what_the_window_shows(command):
    """A place that lies between the pixels of the window's lattice."""
    need('convert')
    with open(command.path('place.toml'), 'w') as file:
        file.write('re = "-0.7453012345"\nim = "0.1127054321"\nzoom = "700"\nmax_iter = 2000\n')
    view = ['place.toml', '--size', '320x180', '--backend', 'cpu']
    command.good('render', *view, '-o', 'a.png')
    command.good('--offscreen', '--no-panels', *view, '--screenshot', 'b.png')
    one, other = (read_picture(command.path(name)) for name in ('a.png', 'b.png'))
    # The GPU's arithmetic may round a colour differently than the processor's.
    far = sum(abs(a - b) > 2 for a, b in zip(one.data, other.data))
    check(far <= 20, far, 'of', len(one.data), 'values differ')


def occupancy_answers(command):
    got = command.json('occupancy', '--cc', '8.6', '--threads', 256, '--registers', 40, '--shared',
                       0)
    wanted = {'blocks_per_sm': 6, 'warps_per_sm': 48, 'max_warps_per_sm': 48, 'occupancy': 1.0}
    check({key: got[key] for key in wanted} == wanted, got)
    check('warps' in got['limiters'], got['limiters'])
    check(set(got['limiters']) <= {'warps', 'registers', 'shared', 'blocks'}, got)
    for name in ('warps', 'registers', 'shared', 'blocks'):
        check('limit_' + name in got, 'no limit_' + name)
    check('%' in command.good('occupancy', '--cc', '9.0'), 'no percentage for people')
    command.bad(2, 'occupancy', '--cc', '1.0', says=['9.0'])
    command.bad(2, 'occupancy', '--cc', '8.6', '--threads', 1025, says=['1024'])
    command.bad(2, 'occupancy', '--cc', '8.6', '--threads', 0)


def devices_are_listed(command):
    got = command.json('devices')
    check(got['cpu']['name'] and got['cpu']['threads'] >= 1, got['cpu'])
    check([one['name'] for one in got['backends']] == CPU_RUNGS + ['cuda'], got['backends'])
    check(all(one['unavailable'] == '' for one in got['backends'][:4]), got['backends'])
    cuda = got['backends'][4]['unavailable']
    check((cuda == '') == bool(got['cuda']['devices']), got['cuda'], cuda)
    check(isinstance(got['interop']['active'], bool) and got['interop']['reason'], got['interop'])
    check('CPU' in command.good('devices'), 'no CPU for people')


def compare_measures_every_rung(command):
    got = command.json('compare', '--size', '96x54', '--seconds', '0.02', '--max-iter', '100')
    rows = {row['backend']: row for row in got['rows']}
    for rung in CPU_RUNGS:
        row = rows[rung]
        check(row['kernel_ms']['n'] >= 3 and row['kernel_ms']['median'] > 0, row)
        check(row['end_to_end_ms']['median'] > 0 and row['first_launch_ms'] > 0, row)
        check(row['differing_pixels'] == 0, 'counts differ:', row)
    check('ratio' in got, 'no ratio')
    text = command.good('compare', '--size', '64x36', '--seconds', '0.01')
    check('effective/s' in text, 'of which iterations?', text)
    if got['ratio'] is None:
        check(got['ratio_withheld'], 'the ratio is withheld without a reason')
    check(got['view']['width'] == 96 and got['view']['max_iter'] == 100, got['view'])


def trace_records_who_computed_what(command):
    got = command.json('trace', '--backend', 'cpu', '--threads', 3, '--tile', 32, '--max-iter', 300,
                       '--size', '130x70', '-o', 't.json', '--perfetto', 'p.json')
    check(sorted(os.listdir(command.folder)) == ['p.json', 't.json'], os.listdir(command.folder))
    with open(command.path('t.json')) as file:
        trace = json.load(file)
    check((trace['format'], trace['version']) == ('warpscope-trace', 1), trace['format'])
    units = trace['unit'], trace['units'], trace['shape']
    check(units == ('thread', 3, [32, 32]), units)
    spans = trace['spans']
    tiles = sorted(zip(spans['x'], spans['y']))
    check(tiles == [(x, y) for x in range(5) for y in range(3)], tiles)
    check(set(spans['unit']) <= {0, 1, 2}, spans['unit'])
    check(sum(spans['executed']) > 130 * 70, spans['executed'])
    check(min(spans['start_us']) == 0, spans['start_us'])
    summary = got['summary']
    end = max(spans['end_us'])
    total = sum(b - a for a, b in zip(spans['start_us'], spans['end_us']))
    check(summary['spans'] == 15 and summary['span_us'] == end, summary)
    check(abs(summary['sum_us'] - total) < 1e-6 * total, summary, total)
    check(abs(summary['busy'] - total / end / 3) < 1e-6, summary, 'one span at a time on a thread')
    check(summary['waves'] == 5, summary)
    check(end <= got['kernel_ms'] * 1e3, 'longer than the frame:', end, got['kernel_ms'])
    with open(command.path('p.json')) as file:
        events = json.load(file)['traceEvents']
    for phase, count in ('X', 15), ('M', 2 + 2 * 3):
        check(len([event for event in events if event['ph'] == phase]) == count, phase, events)
    again = command.json('trace', '--from', 't.json')
    check(again == got, 'read again it is another trace')
    for word in ('busy', 'tail', 'waves', 'lane efficiency', '3 threads', 'tiles of 32x32'):
        check(word in command.good('trace', '--from', 't.json'), 'no', word)
    with open(command.path('cut.json'), 'w') as file:
        file.write(json.dumps(trace)[:200])
    command.bad(1, 'trace', '--from', 'cut.json', says=['cut.json', 'byte 201'])
    trace['spans']['unit'][7] = 3
    with open(command.path('odd.json'), 'w') as file:
        json.dump(trace, file)
    command.bad(1, 'trace', '--from', 'odd.json', says=['odd.json', 'span 7', 'unit 3 of 3'])
    command.bad(1, 'trace', '--from', 'nowhere.json', says=['nowhere.json'])
    command.bad(1, 'trace', '--size', '8x8', '--backend', 'cpu', '-o', 'no/f.json', says=['no/f'])
    command.bad(2, 'trace', '--from', 't.json', '--zoom', 3, says=['--zoom', '--from'])
    command.bad(2, 'trace', '-o', 'x', '--perfetto', 'x', says=['same file'])
    command.bad(2, 'trace', '--tile', 7, says=['--tile', '1024'])
    command.bad(2, 'trace', '--threads', 0, says=['--threads', '1024'])
    command.bad(2, 'trace', '--threads', 2, '--backend', 'cpu-simd', says=['--threads', 'cpu-simd'])


def bench_measures_against_the_limit(command):
    command.good('bench', '--quick', '--size', '96x54', '--json', 'b.json', '--backends',
                 'cpu-scalar,cpu-threads', '--views', 'home', '--types', 'float,double',
                 '--keep-throttled', '--commit', 'abc')
    with open(command.path('b.json')) as file:
        got = json.load(file)
    check(got['commit'] == 'abc' and got['cpu']['name'] and got['cpu']['threads'] >= 1, got['cpu'])
    check(got['sampling']['min_samples'] == 3 and got['sampling']['method'], got['sampling'])
    check(len(got['rows']) == 2 * 2 * len(RUNGS), len(got['rows']), 'rows')
    check(got['views'][0]['max_iter'] == 1000 and got['views'][0]['width'] == 96, got['views'])
    peaks = {(peak['backend'], peak['type']): peak for peak in got['peaks']}
    hashes = {}
    for row in got['rows']:
        check(row['kernel_ms']['n'] >= 3 and 'problem' not in row, row)
        peak = peaks[row['backend'], row['type']]
        limit = row['executed_per_second'] / (peak['fma_per_second'] / 4)
        check(abs(row['of_limit'] - limit) < 1e-9 * limit, row, peak)
        check(row['executed_per_second'] <= row['effective_per_second'], row)
        check(hashes.setdefault(row['type'], row['counts_hash']) == row['counts_hash'], row)
    text = command.good('bench', '--quick', '--size', '96x54', '--backends', 'cpu-scalar',
                        '--views', 'exterior', '--kernels', 'naive', '--keep-throttled')
    for word in ('limit of', 'exterior, df64', 'effective/s', 'naive', '96x54', 'kept'):
        check(word in text, 'no', word, 'in', text)
    command.bad(2, 'bench', '--views', 'home,attic', says=['attic', 'seahorse'])
    command.bad(2, 'bench', '--types', 'f16', says=['f16', 'df64'])
    command.bad(2, 'bench', '--kernels', 'magic', says=['magic', 'refill'])
    command.bad(2, 'bench', '--backends', 'abacus', says=['abacus', 'cpu-simd'])
    for blocks in '0x1', '8x16,', ',', '8x16,64x64', 'wide':
        command.bad(2, 'bench', '--blocks', blocks, says=['--blocks', 'x'])
    command.bad(2, 'bench', '--at', '0,0,1', says=['--at', 'LIMIT'])
    command.bad(2, 'bench', '--at', '0,0,1,50', '--views', 'home', says=['--at', '--views'])
    command.bad(2, 'bench', '--at', '0,0,1,50.5', says=['--at', 'whole'])
    command.bad(2, 'bench', '--at=-0.75,0.1,1e15,50', says=['--at', 'double'])
    done = command(*QUICK_BENCH, '--skip-above', '1e-9')
    check(done.returncode == 1 and 'skipped' in done.stderr and 'home' in done.stdout, done.stderr)
    text = command.good(*QUICK_BENCH)
    check('double' not in text.replace('dropped', ''), 'limits of types not asked for:', text)
    if command.json('devices')['cuda']['devices'] == []:
        command.bad(1, 'bench', '--backends', 'cuda', says=['nothing can be measured', 'cuda'])
    got = command.good('bench', '--quick', '--size', '64x36', '--backends', 'cpu-scalar',
                       '--at=-1.5,0,3,77', '--types', 'double', '--keep-throttled')
    check('given, double' in got and 'limit 77' in got, got)
    command.bad(2, 'bench', '--skip-above', '0', says=['--skip-above'])


def roofline_holds_kernels_against_both_roofs(command):
    text = command.good('roofline', '--size', '160x90', '--backend', 'cpu', '--kernel', 'blocks',
                        '--precision', 'f64', '--view-only', '--json', 'r.json')
    for word in ('compute, double', 'memory, read', 'this view', 'blocks', 'the limit', 'ridge'):
        check(word in text, 'no', word, 'in', text)
    with open(command.path('r.json')) as file:
        got = json.load(file)
    roofs = got['roofs']
    check(roofs['bytes_per_second'] == max(roofs['streams'].values()), roofs)
    view, = got['points']
    check(view['type'] == 'double' and view['bytes'] == 160 * 90 * 8, view)
    # Seven operations in four instructions.
    check(view['flops'] % 7 == 0 and view['mix_allows'] == 7 / 8, view)
    memory = roofs['bytes_per_second'] * view['flops_per_byte']
    lower = min(memory, roofs['double_flops_per_second'])
    check(abs(view['attainable_flops_per_second'] / lower - 1) < 1e-9, view)
    check(abs(view['of_roof'] * lower / view['flops_per_second'] - 1) < 1e-9, view)
    check(view['limited_by'] == ('memory' if memory == lower else 'compute'), view)
    command.bad(2, 'roofline', '--json', '', says=['--json', 'empty'])
    command.bad(2, 'roofline', '--kernel', 'magic', says=['magic', 'refill'])


def lab_demos_run(command):
    for demo, n in (('vector_add', 100001), ('saxpy', 100001), ('matmul', 65)):
        results = command.json('lab', demo, '--n', n, '--backend', 'cpu')
        check(results, demo, 'has no result')
        for row in results:
            check(row['demo'] == demo and row['n'] == n, row)
            check(row['verification']['passed'] and row['verification']['checked'] >= n, row)
            check(row['per_second'] > 0 and row['stages']['kernel_ms']['n'] >= 1, row)
    command.bad(2, 'lab', 'sorting', says=['matmul'])
    command.bad(2, 'lab', 'saxpy', '--n', '0.5')


def malformed_arguments_are_named(command):
    for arguments, words in [
            (['--nonsense'], ['--nonsense']),
            (['render'], ['-o']),
            (['render', '--size', '0x10', '--raw', 'f.npy'], ['--size', '0x10']),
            (['render', '--size', '10', '--raw', 'f.npy'], ['--size']),
            (['render', '--size', '99999x2', '--raw', 'f.npy'], ['32768']),
            (['render', '--re', 'abc', '--raw', 'f.npy'], ['--re', 'abc']),
            (['render', '--re', 'nan', '--raw', 'f.npy'], ['--re']),
            (['render', '--im', '1e', '--raw', 'f.npy'], ['--im']),
            (['render', '--zoom', '0', '--raw', 'f.npy'], ['--zoom']),
            (['render', '--zoom', '-3', '--raw', 'f.npy'], ['--zoom']),
            (['render', '--zoom', 'inf', '--raw', 'f.npy'], ['--zoom']),
            (['render', '--max-iter', '0', '--raw', 'f.npy'], ['--max-iter']),
            (['render', '--max-iter', 'many', '--raw', 'f.npy'], ['many']),
            (['render', '--bailout', '1', '--raw', 'f.npy'], ['--bailout']),
            (['render', '--formula', 'newton', '--raw', 'f.npy'], ['newton', 'tricorn']),
            (['render', '--formula', 'multibrot', '--power', '9', '--raw', 'f.npy'], ['8']),
            (['render', '--julia', '1', '--raw', 'f.npy'], ['--julia']),
            (['render', '--precision', 'f16', '--raw', 'f.npy'], ['f16', 'f64']),
            (['render', '--block', '64x64', '--raw', 'f.npy'], ['1024']),
            (['--offscreen', '--frames', '-1'], ['--frames']),
            (['--offscreen', '--tab', 'sofa'], ['sofa', 'colour']),
            (['--offscreen', '--overlay', 'heat'], ['heat', 'iterations', 'duration']),
            (['--offscreen', '--interop', 'maybe'], ['maybe', 'auto'])]:
        command.bad(2, *arguments, says=words)


def malformed_places_are_named(command):
    for number, (text, words) in enumerate([
            ('zoom = = 3\n', ['1']),
            ('re = "x"\nim = "0"\nzoom = "1"\n', ['re']),
            ('re = "0"\nim = "0"\nzoom = "-1"\n', ['zoom']),
            ('re = "0"\nim = "0"\nzoom = "1"\nformula = "newton"\n', ['newton']),
            ('re = "0"\nim = "0"\nzoom = "1"\nmax_iter = -5\n', ['max_iter']),
            ('\x00\x01\x02', []),
            ('\x89PNG\r\n\x1a\n broken', [])]):
        name = 'place%d.toml' % number
        with open(command.path(name), 'w', encoding='latin1') as file:
            file.write(text)
        command.bad(1, 'render', name, '--size', '4x4', '--raw', 'f.npy', says=[name] + words)
    command.bad(1, 'render', 'nowhere.toml', '--raw', 'f.npy', says=['nowhere.toml'])
    command.bad(1, 'nowhere.toml', '--offscreen', says=['nowhere.toml'])


def nothing_half_written_is_left(command):
    command.bad(1, 'render', '--size', '8x8', '--raw', 'no/such/folder/f.npy',
                says=['no/such/folder'])
    command.bad(1, 'render', '--size', '8x8', '-o', 'no/such/f.png', says=['no/such'])
    os.mkdir(command.path('taken.png'))
    command.bad(1, 'render', '--size', '8x8', '-o', 'taken.png', says=['taken.png'])


def without_a_display_it_says_so(command):
    # GLFW 3.4 unloads the platform libraries that it tried, and what they leaked cannot be named to
    # the leak checker of the asan preset any more.
    environment = {'DISPLAY': '', 'WAYLAND_DISPLAY': '', 'XDG_RUNTIME_DIR': command.folder,
                   'ASAN_OPTIONS': 'detect_leaks=0'}
    command.bad(1, environment=environment, says=['no window', '--offscreen'])
    command.bad(1, environment=dict(environment, DISPLAY=':7654'), says=['no window'])


def offscreen_draws_and_reports(command):
    command.good('--offscreen', '--frames', 3, '--size', '640x360', '--screenshot', 'f.png',
                 '--report', 'r.json', '--interop', 'off')
    with open(command.path('r.json')) as file:
        report = json.load(file)
    check(report['frames'] == 3 and report['frame_ms']['median'] > 0, report)
    for key in ('median', 'p99', 'max'):
        check(key in report['frame_ms'], 'no frame_ms.' + key)
    check(report['interop']['active'] is False and report['interop']['reason'], report['interop'])
    check(report['precision'] == 'float' and report['backend'], report)
    check(report['kernel_ms']['median'] > 0, report['kernel_ms'])
    check((report['view']['re'], report['view']['im']) == ('-0.75', '0'), report['view'])
    with open(command.path('f.png'), 'rb') as file:
        check(struct.unpack('>II', file.read(24)[16:]) == (640, 360), 'the picture has another size')


def help_and_version(command):
    check('--offscreen' in command.good('--help'), 'no help')
    check('--max-iter' in command.good('render', '--help'), 'no help on render')
    check(command.good('--version').startswith('warpscope '), 'no version')


TESTS = {test.__name__: with_command(test) for test in [
    raw_is_a_numpy_array, every_pixel_stands_where_it_should, julia_starts_at_the_pixel,
    multibrot_has_the_power_asked_for, minus_two_is_in_the_set, digits_of_any_length,
    beyond_double_is_refused, cpu_rungs_agree, every_kernel_gives_the_same_counts,
    the_environment_chooses_the_backend,
    nothing_is_ignored_in_silence, places_render, render_draws_what_the_window_shows,
    occupancy_answers, devices_are_listed, compare_measures_every_rung,
    trace_records_who_computed_what,
    bench_measures_against_the_limit, roofline_holds_kernels_against_both_roofs, lab_demos_run,
    malformed_arguments_are_named, malformed_places_are_named, nothing_half_written_is_left,
    without_a_display_it_says_so, offscreen_draws_and_reports, help_and_version]}

if __name__ == '__main__':
    sys.exit(run_named(TESTS, sys.argv[1:]))
