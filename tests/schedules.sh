#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Every schedule with at most two turns of each program of asynchronous streams, and ten thousand
# drawn ones: the reference and adapters that are right are blamed for nothing (ODD+: in one part of
# them, another for each), and each planted defect of a producer is found, as the rule of its row
# (those of consumers: tests/predicates.py).
#
#   tests/schedules.sh BUILD produce|consume ODD|ODD+... -- DEFECT...
set -eu
build=${1:?usage: schedules.sh BUILD produce|consume ODD... -- DEFECT...}
parts=8 # what one worker can tell of
case $2 in
    produce) case=async-scheduled ;;
    consume) case=consume-async-scheduled parts=2 ;;
esac
shift 2
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

seconds_of() { # LOG...
    cat "$@" | sed -nE 's/.* in ([0-9.]+) s \(rules.*/\1/p' | awk '{ s += $1 } END { print s }'
}

# ADAPTER ("" is the reference), part ("": all), the exit status that is wanted. Each turn is one thread's: on
# one processor nobody has to be woken on another.
play() {
    log=$logs/log$2 status=0
    # shellcheck disable=SC2086 # no adapter is no word
    nice taskset -c "$(pick "${2:-0}")" "$build/adicheck" run $1 --device cpu:-1 \
        --case "struct/many/$case" --schedule "all${2:+ $2/$parts}" --timeout 600 \
        > "$log" 2>&1 || status=$?
    if [ $status -ne "$3" ] || grep -q '^skip ' "$log"; then
        cat "$log"
        echo "schedules: ${1:-the reference} ended with $status, wanted $3"
        return 1
    fi
}

processors=$(taskset -cp $$ | sed 's/.*: //' | tr , '\n' | while IFS=- read -r from to; do
    seq "$from" "${to:-$from}"
done)
pick() { # one after the other
    echo "$processors" | sed -n "$(($1 % $(echo "$processors" | wc -l) + 1))p"
}

# All parts, two at once.
play_all() {
    for part in $(seq 1 2 $parts); do
        play "$1" "$part" 0 &
        first=$!
        play "$1" $((part + 1)) 0
        wait $first
    done
    echo "  schedules  ${1:-the reference}: $(seconds_of "$logs"/log?) s"
}

# The part is that of its place in the list.
play_part() { # ADAPTER PART
    play "$1" "$2" 0
    echo "  schedules  $1: part $2 of $parts, $(seconds_of "$logs/log$2") s"
}

rule_of() { # DEFECT
    sed -nE "s/^MUTANT\($1, \"([^\"]*)\".*/\1/p" tests/mutants/mutants.def
}

play_all ''
place=0
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    case $1 in
        *+) play_part "$build/tests/mutants/${1%+}.so" $((place % parts + 1)) && place=$((place + 1)) ;;
        *) play_all "$build/tests/mutants/$1.so" ;;
    esac
    shift
done
for defect; do
    [ "$defect" != -- ] || continue
    play "$build/tests/mutants/$defect.so" '' 1
    if ! grep -q "^[a-z]*  $(rule_of "$defect")  " "$logs/log"; then
        cat "$logs/log"
        echo "schedules: $defect is not found as $(rule_of "$defect")"
        exit 1
    fi
    echo "  schedules  $defect: $(seconds_of "$logs/log") s"
done
