#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds the release preset and opens the explorer. Arguments go to the
# program: ./run.sh PLACE.toml, ./run.sh compare, ./run.sh --help. Without a display the first
# frame is drawn offscreen to warpscope.png, and CPU and GPU are compared in the terminal.
set -euo pipefail
from=$PWD
cd "$(dirname "$0")"
# shellcheck source=.ci/packages.sh
. .ci/packages.sh

warpscope=$PWD/build/release/warpscope

build() {
    local log=build/release-configure.log
    install_packages build run
    quietly "$log" cmake --preset release -DWARPSCOPE_TESTS=OFF ||
        fail "CMake could not configure; the whole output is in $log"
    if [ ! -x "$warpscope" ]; then
        say "$(sed -n 's/^-- CUDA: /CUDA: /p' "$log")"
        say "Building build/release; this first time takes some minutes"
    fi
    NINJA_STATUS='[%f/%t %es] ' ninja -C build/release warpscope >&2 ||
        fail "the build failed; the first error is above"
}

# Whether these arguments ask for a window.
wants_window() {
    local argument
    for argument in "$@"; do
        case $argument in
            render | compare | trace | devices | occupancy | roofline | lab | bench) return 1 ;;
            --offscreen | --help | -h | --version) return 1 ;;
        esac
    done
}

# Runs the program; what it says on stderr is seen, and kept in $complaint.
run_aloud() {
    { "$warpscope" "$@" 2>&1 >&3 | tee "$complaint" >&2; } 3>&1
}

without_window() {
    local argument status=0 picture=(--screenshot warpscope.png)
    say "$1; drawing the first frame offscreen to warpscope.png instead"
    shift
    for argument in "$@"; do
        case $argument in --screenshot | --screenshot=*) picture=() ;; esac
    done
    run_aloud --offscreen --frames 1 "${picture[@]}" "$@" || status=$?
    # A place that cannot be read is not OpenGL's fault.
    [ "$status" -eq 0 ] || grep -qE 'no OpenGL|OpenGL 4\.5 is needed' "$complaint" || exit "$status"
    [ "$status" -eq 0 ] || say "No picture either, see above; the comparison needs no OpenGL"
    say "CPU and GPU on the home view"
    "$warpscope" compare
    return "$status"
}

build
cd "$from"
wants_window "$@" || exec "$warpscope" "$@"
complaint=$(mktemp)
trap 'rm -f "$complaint"' EXIT
if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    without_window "There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set)" "$@"
    exit
fi
status=0
run_aloud "$@" || status=$?
if [ "$status" -ne 0 ] && grep -qE 'no window .*can be opened' "$complaint"; then
    without_window "No window can be opened on this display" "$@"
    exit
fi
exit "$status"
