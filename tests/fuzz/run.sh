#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Fuzzes with each of the fuzzers for its share of the time, says how much was executed and how fast,
# and fails if anything was found. What was found lies in build/fuzz/NAME; what has been learned, in
# build/fuzz/NAME/corpus, serves the next run.
#
#   tests/fuzz/run.sh libfuzzer|afl SECONDS FUZZER..
set -eu
cd "$(dirname "$0")/../.."

engine=$1 seconds=$2
shift 2
build=${BUILD:-build}
make="${MAKE:-make} --no-print-directory"
share=$((seconds / $#))
[ "$share" -gt 0 ] || share=1
largest=256

# say NAME EXECUTIONS SECONDS FINDINGS
say() {
    echo "  FUZZ $1: $2 executions in $3 s, $(($2 / $3)) a second, $4 findings"
    [ "$4" -eq 0 ] || { ls "$build/fuzz/$1"/crash* "$build/fuzz/$1"/*-* 2>/dev/null | sort -u; status=1; }
}

libfuzzer() {
    code=0
    "$build/clang-san-fuzz/fuzz/$1" -max_total_time="$share" -max_len=$largest -len_control=0 -timeout=10 \
        -print_final_stats=1 -dict="tests/fuzz/$1.dict" -artifact_prefix="$build/fuzz/$1/" \
        "$build/fuzz/$1/corpus" "tests/fuzz/corpus/$1" > "$build/fuzz/$1/log" 2>&1 || code=$?
    done_now=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/fuzz/$1/log")
    found=0
    if [ $code -ne 0 ]; then
        found=1
        grep -E '\.c:[0-9]+: |^SUMMARY|Test unit written' "$build/fuzz/$1/log" >&2 || tail -n 5 "$build/fuzz/$1/log" >&2
    fi
    say "$1" "${done_now:-0}" "$share" $found
}

afl() {
    AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_AFFINITY=1 \
        timeout -s INT $((share + 30)) afl-fuzz -V "$share" -G $largest -x "tests/fuzz/$1.dict" \
        -i "tests/fuzz/corpus/$1" -o "$build/fuzz/$1/afl" -- "$build/afl-fuzz/fuzz/$1" \
        > "$build/fuzz/$1/log" 2>&1 || { tail -n 5 "$build/fuzz/$1/log" >&2; status=1; }
    stat() { sed -n "s/^$2 *: *//p" "$build/fuzz/$1/afl/default/fuzzer_stats"; }
    crashes=$(stat "$1" saved_crashes) hangs=$(stat "$1" saved_hangs)
    say "$1" "$(stat "$1" execs_done)" "$(stat "$1" run_time)" $((${crashes:-0} + ${hangs:-0}))
}

case $engine in
libfuzzer) $make CC=clang SAN=1 FUZZ=1 fuzzers ;;
afl) AFL_QUIET=1 $make CC=afl-clang-fast FUZZ=1 fuzzers ;;
*) echo "ENGINE is libfuzzer or afl, not $engine" >&2; exit 2 ;;
esac

status=0
for name; do
    rm -rf "$build/fuzz/$name/afl"
    rm -f "$build/fuzz/$name"/*-*
    mkdir -p "$build/fuzz/$name/corpus"
    $engine "$name"
done
exit $status
