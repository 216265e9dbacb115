#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Every schedule with at most two preemptions of each program of asynchronous streams, and ten
# thousand drawn ones: the reference and an adapter that is right are blamed for nothing, and each
# planted defect is found.
#
#   tests/schedules.sh BUILD ODD DEFECT...
set -eu
build=${1:?usage: schedules.sh BUILD ODD DEFECT...}
right=$2
shift 2

play() { # ADAPTER ("" is the reference), the exit status that is wanted
    status=0
    # shellcheck disable=SC2086 # no adapter is no word
    nice "$build/adicheck" run $1 --device cpu:-1 --case 'struct/many/async-scheduled' \
        --schedule all --timeout 300 > "$build/tests/schedules.log" 2>&1 || status=$?
    if [ $status -ne "$2" ] || grep -q '^skip ' "$build/tests/schedules.log"; then
        cat "$build/tests/schedules.log"
        echo "schedules: ${1:-the reference} ended with $status, wanted $2"
        exit 1
    fi
    echo "  schedules  ${1:-the reference}: $(grep -o '[0-9.]* s (rules' "$build/tests/schedules.log" | cut -d' ' -f1) s"
}

play '' 0
play "$build/tests/mutants/$right.so" 0
for defect; do play "$build/tests/mutants/$defect.so" 1; done
