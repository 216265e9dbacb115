# SPDX-License-Identifier: Apache-2.0
#
# What each tests/peers/NAME/fetch.sh begins with. It is called with DIRECTORY and RELEASE ("now" or
# "before"), brings one library into DIRECTORY, and writes its version into DIRECTORY/NAME.version
# when all of it is there; without that file the library is not judged.
#
# What is there already is not fetched again. What cannot be had is skipped with its reason; with
# ADI_NO_SKIP set, that is a failure.
# shellcheck shell=sh
set -eu

directory=${1:?usage: fetch.sh DIRECTORY RELEASE}
release=${2:-now}
mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
log=$directory/fetch.log

# version NAME: the one that is to be judged.
version() {
    awk -v name="$1" -v column="$([ "$release" = before ] && echo 2 || echo 3)" \
        '$1 == name { print $column }' "$here/../versions.tsv"
}

# has NAME: the version that is to be judged is there.
has() { [ "$(cat "$directory/$1.version" 2>/dev/null)" = "$(version "$1")" ]; }

# forget NAME, then got NAME when it is there.
forget() { rm -rf "${directory:?}/$1" "$directory/$1.version"; }
got() { version "$1" > "$directory/$1.version"; }

# skip WHAT REASON: says so, with the last line of the log where that tells more, and ends.
skip() {
    echo "skip peers: $1: $2"
    [ ! -s "$log" ] || sed 's/^/    /' "$log" | tail -n 1
    [ -z "${ADI_NO_SKIP:-}" ] || exit 1
    exit 0
}

# need PROGRAM WHAT: the program is there, or WHAT is skipped.
need() {
    : > "$log"
    command -v "$1" >/dev/null || skip "$2" "there is no $1 on the PATH"
}

quietly() { "$@" >"$log" 2>&1; }

# Makes the virtual environment that python packages go to. The distribution's own Python: a version
# manager's may come and go.
need_python() {
    python=python3
    [ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
    need "$python" "$1"
    if [ ! -x "$directory/venv/bin/pip" ]; then
        rm -rf "$directory/venv"
        if ! quietly "$python" -m venv "$directory/venv"; then
            rm -rf "$directory/venv"
            skip "$1" "python3 cannot make a virtual environment; type: make deps"
        fi
    fi
}

pip() { quietly "$directory/venv/bin/pip" --quiet --disable-pip-version-check --no-input "$@"; }

# fetch_module NAME: a package with a library in it, into the virtual environment.
fetch_module() {
    has "$1" && return
    rm -f "$directory/$1.version"
    pip install --only-binary :all: "$1==$(version "$1")" ||
        skip "$1 $(version "$1")" "PyPI did not give it"
    got "$1"
}
