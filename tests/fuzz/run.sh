#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Fuzzes with one fuzzer after the other, each for its share of the time, on all cores; fails if
# anything was found. build/fuzz/summary.txt says how much was executed, how fast and how far it got;
# what was found lies in build/fuzz/NAME; what has been learned, in build/fuzz/NAME/corpus, serves
# the next run.
#
#   tests/fuzz/run.sh libfuzzer|afl SECONDS FUZZER..
set -eu
cd "$(dirname "$0")/../.."

engine=$1 seconds=$2
shift 2
build=${BUILD:-build}
make="${MAKE:-make} --no-print-directory"
cores=$(nproc)
share=$((seconds / $#))
[ "$share" -gt 0 ] || share=1
summary=$build/fuzz/summary.txt

# Seconds of processor time that what was called so far has taken. Not for a subshell, which would
# begin anew.
spent() {
    times > "$build/fuzz/times"
    awk 'NR == 2 { gsub(/[ms]/, " "); print $1 * 60 + $2 + $3 * 60 + $4 }' "$build/fuzz/times" \
        > "$build/fuzz/spent"
    read -r spent < "$build/fuzz/spent"
}

# A program of 16 steps reaches every state of a few slots, and which rows of the table it comes to
# says more than how often it goes through a line.
options() {
    case $1 in
    life) echo '-max_len=32 -use_counters=0' ;;
    *) echo '-max_len=256' ;;
    esac
}

libfuzzer() {
    pids=
    for core in $(seq "$cores"); do
        # shellcheck disable=SC2046 # one word an option
        ASAN_OPTIONS=quarantine_size_mb=16:malloc_context_size=4 \
            "$build/clang-san-fuzz/fuzz/$1" $(options "$1") -max_total_time="$share" -timeout=10 \
            -len_control=0 -entropic=0 -print_final_stats=1 -dict="tests/fuzz/$1.dict" \
            -artifact_prefix="$build/fuzz/$1/" "$build/fuzz/$1/corpus" "$build/clang-san-fuzz/fuzz/seeds/$1" \
            > "$build/fuzz/$1/log$core" 2>&1 &
        pids="$pids $!"
    done
    for pid in $pids; do wait "$pid" || true; done
    for log in "$build/fuzz/$1"/log*; do
        # A fuzzer that ends otherwise than by the clock has found something, artifact or none.
        grep -q '^Done ' "$log" && continue
        echo "$log" >> "$build/fuzz/$1/found"
        grep -E '\.c:[0-9]+: |^SUMMARY|Test unit written' "$log" >&2 || tail -n 5 "$log" >&2
    done
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/fuzz/$1"/log* |
        awk '{ n += $1 } END { print n + 0 }')
    reached=$(grep -ho 'cov: [0-9]* ft: [0-9]* corp: [0-9]*' "$build/fuzz/$1"/log* |
        sort -k 4n | tail -n 1 | sed 's/cov: \(.*\) ft: \(.*\) corp: \(.*\)/\1 edges, \2 counters, \3 inputs/')
}

afl() {
    for core in $(seq "$cores"); do
        role=-S
        [ "$core" -gt 1 ] || role=-M
        AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_AFFINITY=1 \
            timeout -s INT $((share + 30)) afl-fuzz $role "core$core" -V "$share" -G 256 \
            -x "tests/fuzz/$1.dict" -i "$build/afl-fuzz/fuzz/seeds/$1" -o "$build/fuzz/$1/afl" \
            -- "$build/afl-fuzz/fuzz/$1" > "$build/fuzz/$1/log$core" 2>&1 &
    done
    wait
    for core in $(seq "$cores"); do
        [ -s "$build/fuzz/$1/afl/core$core/fuzzer_stats" ] && continue
        echo "$build/fuzz/$1/log$core" >> "$build/fuzz/$1/found"
        tail -n 5 "$build/fuzz/$1/log$core" >&2
    done
    ls "$build/fuzz/$1/afl"/core*/crashes/id* "$build/fuzz/$1/afl"/core*/hangs/id* 2>/dev/null \
        >> "$build/fuzz/$1/found" || true
    stats() { sed -n "s/^$1 *: *//p" "$build/fuzz/$2/afl"/core*/fuzzer_stats; }
    executions=$(stats execs_done "$1" | awk '{ n += $1 } END { print n + 0 }')
    reached="$(stats edges_found "$1" | sort -n | tail -n 1) edges, $(stats corpus_count "$1" |
        sort -n | tail -n 1) inputs"
}

case $engine in
libfuzzer) $make CC=clang SAN=1 FUZZ=1 fuzzers ;;
afl) AFL_QUIET=1 $make CC=afl-clang-fast FUZZ=1 fuzzers ;;
*) echo "ENGINE is libfuzzer or afl, not $engine" >&2; exit 2 ;;
esac

status=0
mkdir -p "$build/fuzz"
echo "$engine, $cores cores, $share s for each of $# fuzzers" | tee "$summary"
for name; do
    rm -rf "$build/fuzz/$name/afl"
    rm -f "$build/fuzz/$name"/*-* "$build/fuzz/$name"/log* "$build/fuzz/$name/found"
    mkdir -p "$build/fuzz/$name/corpus"
    spent
    before=$spent
    $engine "$name"
    spent
    found=$(cat "$build/fuzz/$name/found" 2>/dev/null | wc -l)
    [ "$found" -eq 0 ] || status=1
    rate=$(echo "$executions $spent $before" | awk '{ printf "%.0f", $1 / ($2 - $3 + 0.001) }')
    echo "$name: $executions executions, $rate a second of a core, $reached, $found findings" |
        tee -a "$summary"
    [ "$found" -eq 0 ] || sed 's/^/    /' "$build/fuzz/$name/found"
done

case " $* " in *" life "*)
    $make CC=clang SAN=1 rate
    echo "life: $(ASAN_OPTIONS=quarantine_size_mb=16:malloc_context_size=4 \
        "$build/clang-san/fuzz/rate" 4 "$build/clang-san/fuzz/seeds/life" "$build/fuzz/life/corpus")" |
        tee -a "$summary"
    ;;
esac
exit $status
