#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files that cannot be written or read, and what run.sh makes of that. usage: files_test.py
WARPSCOPE TEST"""
import os
import re
import subprocess
import sys

from command import QUICK_BENCH, with_command
from explorer import check, run_named


def paths_are_checked_before_the_work(command):
    """None of these lives long enough to compute anything."""
    os.mkdir(command.path('folder'))
    heavy = ['--max-iter', '1e9', '--kernel', 'naive']
    for path in 'folder', 'no/f', '/dev/full':
        command.bad(1, 'bench', '--json', path, says=[path])
        for option in '-o', '--raw':
            command.bad(1, 'render', *heavy, option, path, says=[path])
        for option in '-o', '--perfetto':
            command.bad(1, 'trace', '--backend', 'cpu', *heavy, option, path, says=[path])
        for option in '--screenshot', '--report':
            command.bad(1, '--offscreen', '--frames', 1000000, option, path, says=[path])


def what_was_measured_is_printed_though_its_file_fails(command):
    """A limit on the size of files stands for a disk that fills up meanwhile."""
    limited = ['bash', '-c', 'trap "" XFSZ; ulimit -f 0; exec "$@"', 'bash', command.binary]
    done = subprocess.run([*limited, *QUICK_BENCH, '--json', 'b.json'], cwd=command.folder,
                          capture_output=True, text=True)
    check(done.returncode == 1 and 'b.json' in done.stderr, done.stderr)
    check('home, float' in done.stdout, 'no table:', done.stdout)
    done = subprocess.run([*limited, 'trace', '--backend', 'cpu', '--size', '64x36', '-o', 't.json'],
                          cwd=command.folder, capture_output=True, text=True)
    check(done.returncode == 1 and 't.json' in done.stderr, done.stderr)
    check('threads at once' in done.stdout, 'no table:', done.stdout)
    check(os.listdir(command.folder) == [], os.listdir(command.folder))


def run_sh_function(name):
    """A function of run.sh, without the building around it."""
    with open(os.path.join(os.path.dirname(__file__), '..', '..', 'run.sh')) as file:
        return re.search(r'^%s\(\) \{\n.*?^\}\n' % name, file.read(), re.M | re.S).group()


def run_sh_stops_at_a_place_that_cannot_be_read(command):
    functions = run_sh_function('run_aloud') + run_sh_function('without_window')
    script = ('set -euo pipefail\nsay() { echo "$*" >&2; }\nwarpscope=$1 complaint=said.txt\n' +
              functions + 'without_window "No display" bogus.toml')
    done = subprocess.run(['bash', '-c', script, 'run.sh', command.binary], cwd=command.folder,
                          capture_output=True, text=True)
    check(done.returncode == 1 and 'bogus.toml' in done.stderr, done.stderr)
    check('compar' not in done.stderr and done.stdout == '', done.stderr, done.stdout)


def run_sh_wants_no_window_for_a_subcommand(command):
    function = run_sh_function('wants_window')
    listed = re.split(r'^subcommands: *$', command.good('--help'), flags=re.I | re.M)[1]
    names = re.findall(r'^  (\w+) ', listed, re.M)
    check('render' in names and 'bench' in names, 'subcommands', names)
    for arguments, wanted in [([name], False) for name in names] + [([], True), (['a.toml'], True)]:
        done = subprocess.run(['bash', '-c', function + 'wants_window "$@"', 'run.sh', *arguments])
        check((done.returncode == 0) == wanted, 'run.sh', *arguments, 'wants a window:', not wanted)


TESTS = {test.__name__: with_command(test) for test in [
    paths_are_checked_before_the_work, what_was_measured_is_printed_though_its_file_fails,
    run_sh_wants_no_window_for_a_subcommand, run_sh_stops_at_a_place_that_cannot_be_read]}

if __name__ == '__main__':
    sys.exit(run_named(TESTS, sys.argv[1:]))
