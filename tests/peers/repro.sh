#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Shows every known deviation of the real implementations in DIRECTORY (see fetch.sh) without
# anything of adicheck's: compiles the programs in tests/peers/NAME/repro/ and runs them. One that
# does not end in 0 shows its deviation no more: then its row in ci/known/NAME.txt goes, and it too.
set -eu

directory=${1:?usage: repro.sh DIRECTORY}
here=$(dirname "$0")
cxx=${CXX:-g++}
failed=0

# show NAME.cc FLAG..: compiles and runs one.
show() {
    source=$1
    shift
    program=$directory/repro/$(basename "$source" .cc)
    mkdir -p "$directory/repro"
    "$cxx" -std=c++20 -Wall -Wextra -O1 -o "$program" "$source" "$@"
    if said=$("$program" 2>&1); then
        result=shown
    else
        result='NOT SHOWN' failed=1
    fi
    printf '  %s: %s\n' "$source" "$result"
    printf '%s\n' "$said" | sed 's/^/      /'
}

if [ -e "$directory/pyarrow" ]; then
    libraries=$(cd "$directory/pyarrow" && pwd -P)
    for source in "$here"/arrow_cpp/repro/*.cc; do
        show "$source" -isystem "$libraries/include" "$libraries"/libarrow.so.* \
            "-Wl,-rpath,$libraries"
    done
fi
exit $failed
