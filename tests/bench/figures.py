#!/usr/bin/env python3
"""Measures the figures of the README and writes them as one JSON file.

usage: figures.py WARPSCOPE --commit ID -o FILE [--quick]
Runs on the machine that is to be measured; needs nothing but Python 3 and the program. Each claim
is a ratio or a time from runs of this same call, repeated in turn; every repetition is kept.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

from writable import problem_of


def run(arguments):
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise RuntimeError('%s: exit %d: %s' % (' '.join(arguments), done.returncode, done.stderr.strip()))
    return done.stdout


def live(binary, size, frames, *more):
    """One offscreen run of the frame loop; its report."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'report.json')
        run([binary, '--offscreen', '--size', size, '--frames', str(frames), '--report', path, *more])
        with open(path) as file:
            return json.load(file)


def frame_figures(binary, size, frames, repetitions):
    """Interop and host copy in turn, without panels."""
    out = {'size': size, 'frames': frames, 'interop': [], 'host_copy': []}
    for _ in range(repetitions):
        for key, choice in (('interop', 'on'), ('host_copy', 'off')):
            report = live(binary, size, frames, '--no-panels', '--backend', 'cuda', '--interop', choice)
            out[key].append({k: report[k] for k in ('frame_ms', 'kernel_ms', 'cpu_ms', 'parts_ms')})
    for key in ('interop', 'host_copy'):
        out[key + '_frame_ms'] = statistics.median(r['frame_ms']['median'] for r in out[key])
    out['host_copy_to_interop'] = out['host_copy_frame_ms'] / out['interop_frame_ms']
    return out


TABS = 'explore', 'parallelism', 'compute', 'colour', 'device'


def panel_figures(binary, frames, repetitions, trace=None):
    """Every tab, and the Parallelism tab with the timeline of a recorded trace."""
    out = []
    shown = [(tab, []) for tab in TABS] + ([('parallelism', [trace])] if trace else [])
    for tab, more in shown:
        for _ in range(repetitions):
            report = live(binary, '1920x1080', frames, '--tab', tab, *more)
            out.append({'tab': tab + ' and timeline' * bool(more), 'backend': report['backend']} |
                       {key: report[key] for key in ('panels_cpu_ms', 'cpu_ms', 'frame_ms', 'parts_ms')})
    return out


def slowest_tab(panels, key):
    """Of the tab that takes longest: the median of its runs' medians."""
    return max(statistics.median(r[key]['median'] for r in panels if r['tab'] == tab)
               for tab in {r['tab'] for r in panels})


def gpu_figures(binary, frames, repetitions, figures):
    """Adds what needs a GPU to `figures`; returns the goals that follow from it."""
    figures |= {
        'home_view_live': [frame_figures(binary, size, frames, repetitions)
                           for size in ('1920x1080', '3840x2160')],
        'compare_home': json.loads(run([binary, 'compare', '--size', '1920x1080', '--json'])),
        'vector_add': json.loads(run([binary, 'lab', 'vector_add', '--n', '10000000', '--backend', 'cuda',
                                      '--json'])),
        'matmul': json.loads(run([binary, 'lab', 'matmul', '--n', '4096', '--backend', 'cuda', '--json'])),
    }
    rates = {r['rung']: r['per_second'] for r in figures['matmul']}
    return {
        'frame_ms_1080p': figures['home_view_live'][0]['interop_frame_ms'],
        'frame_ms_4k': figures['home_view_live'][1]['interop_frame_ms'],
        'cpu_ms_with_panels': slowest_tab(figures['panels'], 'cpu_ms'),
        'host_copy_to_interop_1080p': figures['home_view_live'][0]['host_copy_to_interop'],
        'vector_add_of_copy': max(r['of_peak'] for r in figures['vector_add']),
        'tiled_to_naive': rates['cuda-tiled'] / rates['cuda-naive'],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('binary')
    parser.add_argument('--commit', required=True)
    parser.add_argument('-o', dest='output', required=True)
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--panels-only', action='store_true', help='what panels cost; needs no GPU')
    parser.add_argument('--trace', help='recorded trace whose timeline is measured too')
    args = parser.parse_args()
    if problem := problem_of(args.output):
        sys.exit('figures.py: ' + problem)
    frames, repetitions = (60, 1) if args.quick else (400, 3)
    machine = json.loads(run([args.binary, 'devices', '--json']))
    if not args.panels_only and not machine['cuda']['devices']:
        sys.exit('figures.py: ' + machine['cuda']['problem'])
    figures = {'commit': args.commit, 'machine': machine,
               'panels': panel_figures(args.binary, frames, repetitions, args.trace)}
    goals = {'panels_cpu_ms': slowest_tab(figures['panels'], 'panels_cpu_ms')}
    if not args.panels_only:
        goals |= gpu_figures(args.binary, frames, repetitions, figures)
    figures['goals'] = goals
    print(json.dumps(goals, indent=1))
    with open(args.output, 'w') as file:
        json.dump(figures, file, indent=1, sort_keys=True)
        file.write('\n')


if __name__ == '__main__':
    main()
