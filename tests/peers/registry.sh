# SPDX-License-Identifier: Apache-2.0
#
# What each tests/peers/NAME/fetch.sh begins with. It is called with DIRECTORY and RELEASE ("now" or
# "before"), brings one library into DIRECTORY, and writes its version into DIRECTORY/NAME.version
# when all of it is there; without that file the library is not judged.
#
# What is there already is not fetched again. What cannot be had, or not be built, is skipped with its
# reason; with ADI_NO_SKIP set, that is a failure. What was fetched before is kept, and its version
# put aside, in NAME.skipped, until the next call.
# shellcheck shell=sh
set -eu

directory=${1:?usage: fetch.sh DIRECTORY RELEASE}
release=${2:-now}
mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
log=$directory/fetch.log
venv=venv # of DIRECTORY; who sets another has that one
marked=$directory/$(basename "$here")
[ ! -f "$marked.skipped" ] || mv "$marked.skipped" "$marked.version"

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
    [ ! -f "$marked.version" ] || mv "$marked.version" "$marked.skipped"
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

# Makes the virtual environment that python packages go to, DIRECTORY/$venv. The distribution's own Python: a version
# manager's may come and go.
need_python() {
    python=python3
    [ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
    need "$python" "$1"
    if [ ! -x "$directory/$venv/bin/pip" ]; then
        rm -rf "${directory:?}/$venv"
        if ! quietly "$python" -m venv "$directory/$venv"; then
            rm -rf "${directory:?}/$venv"
            skip "$1" "python3 cannot make a virtual environment; type: make deps"
        fi
    fi
}

pip() { quietly "$directory/$venv/bin/pip" --quiet --disable-pip-version-check --no-input "$@"; }

# fetch_module NAME [PACKAGE]: a package with a library in it, into the virtual environment. It has
# another name than its row of versions.tsv where two releases of it are wanted.
fetch_module() {
    has "$1" && return
    rm -f "$directory/$1.version"
    pip install --only-binary :all: "${2:-$1}==$(version "$1")" ||
        skip "$1 $(version "$1")" "PyPI did not give it"
    got "$1"
}

# write FILE: standard input, if it is not in there already, so that nothing is built anew.
write() {
    cat > "$1.new"
    if cmp -s "$1.new" "$1"; then rm "$1.new"; else mv "$1.new" "$1"; fi
}

# fetch_crate NAME WHAT: DIRECTORY/NAME, with the Cargo.toml and Cargo.lock that name the release;
# its sources lie in cargo's own cache, as pinned.
fetch_crate() {
    oldest=$(sed -n 's/^rust-version = "1\.\(.*\)"/\1/p' "$here/Cargo.toml.in")
    what="$2 $(version "$1")"
    PATH=$PATH:$HOME/.cargo/bin
    need cargo "$what"
    minor=$(cargo --version | sed 's/^cargo 1\.\([0-9]*\).*/\1/')
    [ "$minor" -ge "$oldest" ] || skip "$what" "it needs Rust 1.$oldest, and here is 1.$minor"

    has "$1" || forget "$1"
    mkdir -p "$directory/$1"
    sed -e "s|@VERSION@|$(version "$1")|" -e "s|@SOURCE@|$here|" "$here/Cargo.toml.in" |
        write "$directory/$1/Cargo.toml"
    write "$directory/$1/Cargo.lock" < "$here/$release.lock"
    has "$1" && return
    quietly "$here/../cargo.sh" "$directory" "$1" fetch ||
        skip "$what" "crates.io did not give it, as pinned in $release.lock"
    got "$1"
}
