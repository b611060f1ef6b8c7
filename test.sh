#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds the dev and asan presets, runs every test that this machine can
# run, says which it skipped and why, and closes with "N passed, N failed, N skipped".
# WARPSCOPE_WERROR=ON makes warnings errors; JOBS=N says how many to compile and test at a time.
set -euo pipefail
cd "$(dirname "$0")"
# shellcheck source=.ci/packages.sh
. .ci/packages.sh

jobs=${JOBS:-$(nproc)}
options=("-DWARPSCOPE_WERROR=${WARPSCOPE_WERROR:-OFF}")
if command -v ccache >/dev/null; then
    # Not for CUDA: it has been seen to miss a change that only the device pass reads.
    options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi

# One CUDA architecture: this machine's own, else the newest common one that this nvcc lists.
cuda_architecture() {
    local nvcc listed wanted
    nvcc=$(command -v nvcc || ls "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" 2>/dev/null) || return 0
    listed=$("$nvcc" --list-gpu-arch 2>/dev/null) || return 0
    for wanted in $(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
        head -n 1 | tr -d .) 90 86 80; do
        if grep -qx "compute_$wanted" <<<"$listed"; then
            printf '%s\n' "-DCMAKE_CUDA_ARCHITECTURES=$wanted"
            return 0
        fi
    done
}

# check PRESET [CMAKE OPTION…]: builds it and runs its tests, results under build/PRESET/results.
check() {
    local preset=$1 results=$PWD/build/$1/results
    shift
    quietly "build/$preset-configure.log" cmake --preset "$preset" "${options[@]}" "$@" ||
        fail "CMake could not configure preset $preset; the output is in build/$preset-configure.log"
    say "Building build/$preset"
    NINJA_STATUS='[%f/%t %es] ' ninja -C "build/$preset" -j "$jobs" ||
        fail "the build of preset $preset failed; the first error is above"
    say "Testing build/$preset"
    rm -rf "$results"
    mkdir -p "$results/gtest"
    # A failing test is counted below and must not end the script here.
    GTEST_OUTPUT="xml:$results/gtest/" ctest --preset "$preset" -j "$jobs" \
        --output-junit "$results/ctest.xml" || true
    [ -s "$results/ctest.xml" ] || fail "ctest of preset $preset did not run"
}

install_packages build run test
mapfile -t cuda < <(cuda_architecture)
check dev "${cuda[@]}"
check asan
python3 tests/summary.py dev=build/dev/results asan=build/asan/results
