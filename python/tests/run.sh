#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs the files of tests side by side, each in a process of its own (what one leaves behind makes
# another no slower), the largest first. Says what went wrong in full, and of the rest a line each.
#
#   python/tests/run.sh PYTHON LOG
#
#   PYTHON may be several words (env NAME=VALUE python3).
#   What a file said stays in the folder LOG. Of those that fail, up to three are played again with
#   nothing beside them: only what fails again fails. Both are printed.
set -eu

PYTHON=${1:?usage: run.sh PYTHON LOG}
log=${2:?usage: run.sh PYTHON LOG}
tests=$(dirname "$0")
export PYTHON log tests
mkdir -p "$log"
rm -f "$log"/*

# shellcheck disable=SC2016 # expanded by the shell of each file
play='
    start=$(date +%s)
    $PYTHON -m unittest discover -s "$tests" -p "$0.py" > "$log/$0" 2>&1 || touch "$log/$0.failed"
    counts=$(sed -n "s/^\(Ran [0-9]* tests*\) in .*/\1/p" "$log/$0")
    printf "  %-26s %s (%d s)\n" "$0" "${counts:-no result}" $(($(date +%s) - start))
    if [ -e "$log/$0.failed" ] || [ -z "$counts" ]; then touch "$log/$0.failed"; cat "$log/$0"; fi'
(cd "$tests" && ls -S test_*.py) | sed 's/\.py$//' | xargs -P "$(nproc)" -n 1 sh -c "$play"

failed=$(find "$log" -name '*.failed' -exec basename {} .failed \;)
if [ -n "$failed" ] && [ "$(echo "$failed" | wc -l)" -le 3 ]; then
    for file in $failed; do
        rm "$log/$file.failed"
        echo "  $file failed beside the others; alone:"
        sh -c "$play" "$file"
    done
fi
awk '/^Ran [0-9]+ test/ { n += $2 } END { printf "  %d tests in Python\n", n }' "$log"/*
[ -z "$(find "$log" -name '*.failed')" ]
