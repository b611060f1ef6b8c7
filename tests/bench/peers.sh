#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The same pictures by XaoS and FractalNow, where they are installed, and by Warpscope, in turns of
# one run; prints ratios.
#
# usage: peers.sh WARPSCOPE [--json FILE] [--runs N]
#
# XaoS: `xaos -speedtest` times its escape loop on one thread (Mloops/s; of its figures the best).
#   Against it stands the brute loop (kernel in-flight: nothing skipped) of all threads in double on
#   the view where every pixel is inside, in executed iterations/s.
# FractalNow: `fractalnow -j 2 -l double -i 1` (every pixel computed), 1920x1080, centre -0.75, spans
#   4.6222 x 2.6, 1000 iterations, escape radius 256. It prints no figures, so its time is the
#   process's, less that of the same picture with a limit of 1: start, colours and file alike. The
#   iterations are those of the same picture here; it skips none. Against it stands the default kernel
#   with two threads in double, in effective iterations/s as `warpscope bench` gives them: the kernel's time alone.
set -euo pipefail

usage() {
    echo "usage: peers.sh WARPSCOPE [--json FILE] [--runs N]" >&2
    exit 2
}

warpscope= json= runs=3
while [ $# -gt 0 ]; do
    case $1 in
        --json) [ $# -ge 2 ] || usage; json=$2; shift 2 ;;
        --runs) [ $# -ge 2 ] || usage; runs=$2; shift 2 ;;
        -*) usage ;;
        *) [ -z "$warpscope" ] || usage; warpscope=$1; shift ;;
    esac
done
[ -n "$warpscope" ] || usage
[[ $runs =~ ^[1-9][0-9]*$ ]] || usage
[ -x "$warpscope" ] || { echo "peers.sh: '$warpscope' is not a program" >&2; exit 1; }
command -v python3 >/dev/null || { echo "peers.sh: python3 is missing" >&2; exit 1; }
# Minutes of work end in this file.
[ -z "$json" ] || python3 "$(dirname "$0")/writable.py" "$json" || exit 1

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR=$folder
export -n WARPSCOPE_BACKEND WARPSCOPE_KERNEL 2>/dev/null || true
# Two threads, as many as FractalNow is given.
two=()
if command -v taskset >/dev/null; then
    two=(taskset -c "$(taskset -cp $$ | sed 's/.*: //' | python3 -c '
import sys
cpus = []
for part in sys.stdin.read().strip().split(","):
    ends = [int(end) for end in part.split("-")]
    cpus += range(ends[0], ends[-1] + 1)
print(",".join(str(cpu) for cpu in cpus[:2]))')")
fi

config() { # LIMIT: a FractalNow configuration with smooth colours
    printf 'C075\nMANDELBROT\n-0.75 0 4.6222 2.6\n256 %s\n1 0x0\nITERATIONCOUNT SMOOTH\nLOG 0.325 0\n0 0xFFFFFF 0.5 0x0 1 0xFFFFFF\n' "$1"
}

seconds_of() { # COMMAND …: wall time on standard output
    local start=${EPOCHREALTIME/./}
    "$@" >/dev/null 2>"$folder/said" || { cat "$folder/said" >&2; return 1; }
    python3 -c "print((${EPOCHREALTIME/./} - $start) / 1e6)"
}

here() { # RUN: Warpscope's figures of this turn
    "${two[@]}" "$warpscope" bench --views interior --types double --kernels in-flight \
        --backends cpu --keep-throttled --json "$folder/brute-$1.json" >/dev/null 2>&1
    "${two[@]}" "$warpscope" bench --at=-0.75,0,1.5384615384615385,1000 --types double \
        --kernels refill --backends cpu --keep-throttled --json "$folder/picture-$1.json" \
        >/dev/null 2>&1
}

have_xaos=$(command -v xaos || true) have_fractalnow=$(command -v fractalnow || true)
[ -n "$have_xaos" ] || echo "xaos is not installed (Debian package xaos): left out"
[ -n "$have_fractalnow" ] || echo "fractalnow is not installed (Debian package fractalnow): left out"
[ -n "$have_xaos$have_fractalnow" ] || exit 0
config 1000 >"$folder/full.config"
config 1 >"$folder/start.config"

for ((run = 1; run <= runs; ++run)); do
    echo "turn $run of $runs …" >&2
    here "$run"
    if [ -n "$have_xaos" ]; then
        timeout 300 xaos -speedtest 2>&1 | sed -n 's/.*Mloops per sec:\([0-9.]*\).*/\1/p' \
            >"$folder/xaos-$run.txt" || true
    fi
    if [ -n "$have_fractalnow" ]; then
        for kind in full start; do
            seconds_of "${two[@]}" fractalnow -j 2 -l double -i 1 -x 1920 \
                -c "$folder/$kind.config" -o "$folder/out.ppm" >"$folder/fractalnow-$kind-$run.txt"
        done
    fi
done

version() { dpkg-query -W -f '${Version}' "$1" 2>/dev/null || echo unknown; }
FOLDER=$folder RUNS=$runs JSON=$json XAOS=$(version xaos) FRACTALNOW=$(version fractalnow) python3 - <<'END'
import json
import os
import statistics
import sys

folder, runs = os.environ['FOLDER'], range(1, int(os.environ['RUNS']) + 1)


def read(name):
    path = os.path.join(folder, name)
    return open(path).read() if os.path.exists(path) else None


def row_of(kind, run):
    """Warpscope's only row of a turn."""
    row = json.loads(read('%s-%d.json' % (kind, run)))['rows'][0]
    if 'executed_per_second' not in row:
        sys.exit('peers.sh: no figure of warpscope: ' + row['problem'])
    return row


def report(name, unit, theirs, ours):
    ratios = [b / a for a, b in zip(theirs, ours)]
    print('%-12s %8.3f   warpscope %8.3f %s   ratio %.1f (of %d turns, %.1f to %.1f)' % (
        name, statistics.median(theirs) / 1e9, statistics.median(ours) / 1e9, unit,
        statistics.median(ratios), len(ratios), min(ratios), max(ratios)))
    return {'theirs_per_second': theirs, 'warpscope_per_second': ours, 'ratios': ratios,
            'ratio': statistics.median(ratios)}


out = {'cpu': json.loads(read('brute-1.json'))['cpu'], 'runs': len(runs)}
loops = [read('xaos-%d.txt' % run) for run in runs]
if all(loops):
    theirs = [max(float(word) for word in text.split()) * 1e6 for text in loops]
    out['xaos'] = report('xaos', 'Giter/s', theirs, [row_of('brute', run)['executed_per_second'] for run in runs])
    out['xaos']['version'] = os.environ['XAOS']
elif any(text is not None for text in loops):
    print('xaos printed no figure: left out')
times = [(read('fractalnow-full-%d.txt' % run), read('fractalnow-start-%d.txt' % run)) for run in runs]
if all(full for full, _ in times):
    rows = [row_of('picture', run) for run in runs]
    seconds = [float(full) - float(start) for full, start in times]
    theirs = [row['iterations'] / s for row, s in zip(rows, seconds)]
    ours = [row['effective_per_second'] for row in rows]
    out['fractalnow'] = report('fractalnow', 'Giter/s', theirs, ours)
    out['fractalnow'].update(
        version=os.environ['FRACTALNOW'], seconds=seconds, iterations=rows[0]['iterations'],
        whole_process_seconds=[float(full) for full, _ in times],
        warpscope_ms=[row['kernel_ms']['median'] for row in rows],
        executed_per_second=[row['executed_per_second'] for row in rows])
    executed = statistics.median(b / a for a, b in zip(theirs, out['fractalnow']['executed_per_second']))
    print('%-12s the same in executed iterations/s, shortcuts not counted: %.1f' % ('', executed))
if os.environ['JSON']:
    with open(os.environ['JSON'], 'w') as file:
        json.dump(out, file, indent=1, sort_keys=True)
        file.write('\n')
END
