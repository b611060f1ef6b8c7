# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# For run.sh and test.sh: installs the packages of packages.txt that are missing. Sourced from the
# project's root. Where nothing is missing, neither apt nor sudo is called.

# To stderr: what run.sh's program prints may be piped.
say() { printf '\033[1m== %s\033[0m\n' "$*" >&2; }
fail() {
    printf '%s: %s\n' "$0" "$*" >&2
    exit 1
}

# wanted_packages PART…: the lines below "# PART", until the next comment or the end.
wanted_packages() {
    awk -v parts=" $* " '
        /^#/ { on = index(parts, " " substr($0, 3) " ") > 0; next }
        NF && on' packages.txt
}

is_installed() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

is_known() {
    [ -n "$(apt-cache show --no-all-versions "$1" 2>/dev/null)" ]
}

# first_that TEST "a|b": the first alternative that TEST accepts; fails where there is none.
first_that() {
    local name
    local IFS='|'
    for name in $2; do
        if "$1" "$name"; then
            printf '%s\n' "$name"
            return 0
        fi
    done
    return 1
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "installing packages needs root or sudo; ask an administrator to run: $*"
    fi
}

# install_packages PART…
install_packages() {
    local line name missing=() chosen=()
    if ! command -v dpkg-query >/dev/null; then
        say "No Debian package manager here: packages.txt lists what must be installed by hand"
        return 0
    fi
    while read -r line; do
        first_that is_installed "$line" >/dev/null || missing+=("$line")
    done < <(wanted_packages "$@")
    [ ${#missing[@]} -gt 0 ] || return 0
    say "Installing ${#missing[@]} missing packages: ${missing[*]}"
    as_root apt-get update -q >&2 || fail "apt-get update failed; see above"
    for line in "${missing[@]}"; do
        name=$(first_that is_known "$line") ||
            fail "this system has no package '$line' (Debian 12 and 13 have)"
        chosen+=("$name")
    done
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
        "${chosen[@]}" >&2 || fail "apt-get could not install the packages; see above"
}

# quietly LOG COMMAND…: output goes to LOG; on failure its end is shown.
quietly() {
    local log=$1
    shift
    mkdir -p "$(dirname "$log")"
    "$@" >"$log" 2>&1 && return 0
    tail -n 25 "$log" >&2
    return 1
}
