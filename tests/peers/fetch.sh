#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Brings real implementations from PyPI, pinned, into DIRECTORY:
#
#   DIRECTORY/venv        a virtual environment with pyarrow, numba and cuda-bindings
#   DIRECTORY/pyarrow     the package: include/ and libarrow.so.*
#   DIRECTORY/nanoarrow   the C sources inside nanoarrow's source distribution: nanoarrow/*.h, *.c
#
# What is there already is not fetched again. What cannot be had is skipped with its reason; with
# ADI_NO_SKIP set, that is a failure.
set -eu

PYARROW=26.0.1
NANOARROW=0.9.0
NUMBA=0.61.2       # the last with a driver of its own that goes by ctypes
CUDA_BINDINGS=13.5.0

directory=${1:?usage: fetch.sh DIRECTORY}
mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
log=$directory/fetch.log

# skip WHAT REASON: says so, with the last line of the log where that tells more.
skip() {
    echo "skip peers: $1: $2"
    [ ! -s "$log" ] || sed 's/^/    /' "$log" | tail -n 1
    [ -z "${ADI_NO_SKIP:-}" ] || exit 1
}

quietly() { "$@" >"$log" 2>&1; }

# The distribution's own Python: a version manager's may come and go.
python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3

if [ ! -x "$directory/venv/bin/pip" ]; then
    if ! command -v "$python" >/dev/null; then
        skip "all" "there is no python3; type: make deps"
        exit 0
    fi
    rm -rf "$directory/venv"
    if ! quietly "$python" -m venv "$directory/venv"; then
        rm -rf "$directory/venv"
        skip "all" "python3 cannot make a virtual environment; type: make deps"
        exit 0
    fi
fi
pip="$directory/venv/bin/pip --quiet --disable-pip-version-check --no-input"

fetch_pyarrow() {
    [ "$(cat "$directory/pyarrow.version" 2>/dev/null)" != "$PYARROW" ] || return 0
    rm -rf "$directory/pyarrow" "$directory/pyarrow.version"
    # shellcheck disable=SC2086 # words
    quietly $pip install --only-binary :all: "pyarrow==$PYARROW" || return 1
    package=$("$directory/venv/bin/python" -c 'import pyarrow, os; print(os.path.dirname(pyarrow.__file__))')
    ln -s "$package" "$directory/pyarrow"
    echo "$PYARROW" > "$directory/pyarrow.version"
}

# The C sources lie in the source distribution as a subproject. Nothing of it is built: pip asks the
# build backend for the package's metadata before it hands the archive over, and gets it from here.
fetch_nanoarrow() {
    [ "$(cat "$directory/nanoarrow.version" 2>/dev/null)" != "$NANOARROW" ] || return 0
    rm -rf "$directory/nanoarrow" "$directory/nanoarrow.version" "$directory/sdist"
    mkdir "$directory/sdist"
    cat > "$directory/sdist/mesonpy.py" <<END
import os

def prepare_metadata_for_build_wheel(directory, settings=None):
    name = "nanoarrow-$NANOARROW.dist-info"
    os.mkdir(os.path.join(directory, name))
    with open(os.path.join(directory, name, "METADATA"), "w") as file:
        file.write("Metadata-Version: 2.1\nName: nanoarrow\nVersion: $NANOARROW\n")
    return name

def build_wheel(directory, settings=None, metadata=None):
    raise NotImplementedError("only the sources are wanted")
END
    # shellcheck disable=SC2086 # words
    quietly env PYTHONPATH="$directory/sdist" $pip download --no-deps --no-build-isolation \
        --no-binary nanoarrow --dest "$directory/sdist" "nanoarrow==$NANOARROW" || return 1
    mkdir "$directory/nanoarrow"
    quietly tar -C "$directory/nanoarrow" -xzf "$directory/sdist/nanoarrow-$NANOARROW.tar.gz" \
        --strip-components 4 "nanoarrow-$NANOARROW/subprojects/arrow-nanoarrow/src/nanoarrow" ||
        return 1
    major=${NANOARROW%%.*} patch=${NANOARROW##*.} minor=${NANOARROW#*.}
    sed -e "s/@NANOARROW_VERSION_MAJOR@/$major/" -e "s/@NANOARROW_VERSION_MINOR@/${minor%.*}/" \
        -e "s/@NANOARROW_VERSION_PATCH@/$patch/" -e "s/@NANOARROW_VERSION@/$NANOARROW/" \
        -e "s/@NANOARROW_NAMESPACE_DEFINE@//" \
        "$directory/nanoarrow/nanoarrow/nanoarrow_config.h.in" \
        > "$directory/nanoarrow/nanoarrow/nanoarrow_config.h"
    rm -rf "$directory/sdist"
    echo "$NANOARROW" > "$directory/nanoarrow.version"
}

# fetch_module NAME VERSION: into the virtual environment.
fetch_module() {
    [ "$(cat "$directory/$1.version" 2>/dev/null)" != "$2" ] || return 0
    rm -f "$directory/$1.version"
    # shellcheck disable=SC2086 # words
    quietly $pip install --only-binary :all: "$1==$2" || return 1
    echo "$2" > "$directory/$1.version"
}

fetch_pyarrow || { rm -rf "$directory/pyarrow"; skip "Arrow C++ (pyarrow $PYARROW)" "PyPI did not give it"; }
fetch_nanoarrow || { rm -rf "$directory/nanoarrow"; skip "nanoarrow $NANOARROW" "PyPI did not give it"; }
fetch_module numba "$NUMBA" || skip "numba $NUMBA" "PyPI did not give it"
fetch_module cuda-bindings "$CUDA_BINDINGS" || skip "cuda-bindings $CUDA_BINDINGS" "PyPI did not give it"
