#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Shows every known deviation of the real implementations in DIRECTORY (see fetch.sh) without
# anything of adicheck's: compiles the programs in tests/peers/NAME/repro/, by
#
#   tests/peers/NAME/compile.sh DIRECTORY SOURCE PROGRAM
#
# and runs them; a header is for those beside it. One that does not end in 0 shows its deviation no
# more: then its row in ci/known/NAME.txt goes, and it too. The release before may not show it yet.
#
#   tests/peers/repro.sh DIRECTORY now|before [NAME]     of one library only
set -eu

usage='usage: repro.sh DIRECTORY now|before [NAME]'
directory=$(cd "${1:?$usage}" && pwd)
release=${2:?$usage}
peers=$(dirname "$0")
failed=0

# show NAME SOURCE: compiles and runs one.
show() {
    program=$directory/repro/$1/$(basename "${2%.*}")
    mkdir -p "$directory/repro/$1"
    "$peers/$1/compile.sh" "$directory" "$2" "$program"
    if said=$("$program" 2>&1); then
        result=shown
    else
        result='NOT SHOWN'
        [ "$release" = before ] || failed=1
    fi
    printf '  %s: %s\n' "$2" "$result"
    printf '%s\n' "$said" | sed 's/^/      /'
}

for compile in "$peers"/*/compile.sh; do
    name=$(basename "$(dirname "$compile")")
    [ "${3:-$name}" = "$name" ] && [ -e "$directory/$name.version" ] || continue
    for source in "$peers/$name"/repro/*.*; do
        case $source in *.h) ;; *) show "$name" "$source" ;; esac
    done
done
exit $failed
