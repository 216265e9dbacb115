#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The examples that `adicheck help` and the help of each command give can be typed, and end as they say: in
# order, with a sound adapter as libmine.so. Those that would take long are played with fewer cases.
#
#   tests/help.sh BUILD
set -eu
cd "$(dirname "$0")/.."

build=$(realpath "${1:?usage: help.sh BUILD}")
at=$build/tests/help
rm -rf "$at"
mkdir -p "$at"
ln -s "$build/tests/mutants/correct.so" "$at/libmine.so"
cd "$at"
export PATH="$build:$PATH" HOME="$at" XDG_STATE_HOME="$at/state"

# What a line is to end with. All are sound but the program that leaves out a release, as its words say.
status_of() {
    case $1 in
    *'e0 c0.1>2 r2'*) echo 1 ;;
    *) echo 0 ;;
    esac
}

# The line as it is played: without a debugger, and not for minutes.
shorten() {
    case $1 in
    "adicheck run"*--case*) echo "$1 --device cpu" ;;
    "adicheck run"*--device*) echo "$1 --case 'int32/many/*'" ;;
    "adicheck run"*) echo "$1 --case 'int32/many/*' --device cpu" ;;
    "adicheck fuzz"*) echo "$1" | sed -E 's/--time [0-9]+/--time 0.2/' ;;
    *) echo "${1#gdb --args }" ;;
    esac
}

# The lines under "Examples:", without what they are for.
examples_of() {
    adicheck help "$@" | sed -nE '/^Examples:/,/^$/s/^  ((gdb --args )?adicheck .*)/\1/p' | sed 's/   *.*//'
}

played=0
play() { # LINE STATUS
    status=0
    sh -c "$1" > said 2>&1 < /dev/null || status=$?
    [ "$status" = "$2" ] || { cat said >&2; echo "help: $1: exit $status, wanted $2" >&2; exit 1; }
    played=$((played + 1))
}

play_all() { # [COMMAND]
    examples_of "$@" > lines
    [ -s lines ] || { echo "help: ${*:-adicheck} has no example" >&2; exit 1; }
    mkdir "new${1:+-$1}"
    while read -r line; do
        case $line in
        "adicheck new"*) play "cd new${1:+-$1} && $line" 0 ;;
        *) play "$(shorten "$line")" "$(status_of "$line")" ;;
        esac
    done < lines
}

play_all
for command in $(adicheck help | sed -nE '/not built yet/d; s/^  adicheck ([a-z]+) .*/\1/p' | awk '!seen[$0]++'); do
    [ "$command" = help ] || play_all "$command"
done
# Each word that programs have is explained.
adicheck help program > program
for file in "$OLDPWD"/harness/life/*.def; do
    prefix=$(sed -nE 's/^KIND\([a-z_]+, *"([a-z]*)".*/\1/p' "$file")
    for letter in $(sed -nE 's/^OPERATION\([a-z_]+, *"([A-Za-z])[^"]*".*/\1/p' "$file"); do
        [ "$letter" = t ] && [ "$prefix" = "" ] && number='[+]' || number='[0-9]'
        grep -qE "(^|  )$prefix$letter$number" program ||
            { echo "help: \`adicheck help program\` does not have $prefix$letter of $file" >&2; exit 1; }
    done
done
program=$(adicheck help program | sed -nE 's/^  (.* e0 .*x[0-3])$/\1/p')
play "adicheck replay 'cpu $program'" 0
[ -s report.json ] && [ -s it.c ] || { echo "help: report.json and it.c were not written" >&2; exit 1; }
echo "help: $played examples of adicheck's own help end as they say"
