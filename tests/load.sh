#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Nobody is blamed on a busy machine: the reference, every correct adapter of the tests and the one of
# the README are conformant while 20 processes keep two processors busy. That a case was cut is no
# blame, and is said.
#
#   tests/load.sh BUILD [EVERY]
#
#   EVERY   of the adapters only one in so many, and the reference on the CPU alone
set -eu
cd "$(dirname "$0")/.."

build=${1:?usage: load.sh BUILD [EVERY]}
every=${2:-1}
load=20
log=$build/tests/load.log

# Two of the processors that this shell may run on: "0-3" and "1,5-6" are lists of them.
if [ -z "${ADI_TEST_PINNED:-}" ]; then
    two=$(awk '/^Cpus_allowed_list/ {
        n = split($2, parts, ",")
        for (i = 1; i <= n; i++) {
            m = split(parts[i], ends, "-")
            for (p = ends[1]; p <= ends[m] && found < 2; p++) print p, found++
        }
    }' /proc/self/status | awk '{ printf "%s%s", sep, $1; sep = "," }')
    exec env ADI_TEST_PINNED=1 taskset -c "$two" "$0" "$build" "$every"
fi

busy=
trap 'for pid in $busy; do kill "$pid" 2> /dev/null || :; done' EXIT
trap 'exit 1' INT TERM HUP
while [ "$load" -gt 0 ]; do
    sh -c 'while kill -0 '$$' 2> /dev/null; do i=0; while [ $i -lt 9999 ]; do i=$((i + 1)); done; done' &
    busy="$busy $!"
    load=$((load - 1))
done

failed=
judge() { # NAME ADICHECK-RUN-ARGUMENTS...
    name=$1 status=0
    shift
    start=$(date +%s)
    # Many workers: the load grows by them, and the test ends within a quarter of an hour.
    "$build/adicheck" run --jobs 8 "$@" > "$log" 2>&1 || status=$?
    seconds=$(($(date +%s) - start))
    cut=$(grep -c 'played [0-9]* of [0-9]* programs' "$log" || :)
    if [ "$status" -eq 0 ]; then
        echo "load: $name: conformant ($seconds s, $cut cut)"
    elif [ "$status" -eq 2 ] && grep -q 'nothing was judged' "$log"; then
        echo "load: $name: left out: $(tail -n 1 "$log")"
    else
        cat "$log"
        echo "load: $name: exit status $status ($seconds s)"
        failed=1
    fi
}

device_of() { # of an adapter of tests/mutants: the type that its name begins with
    for type in ext_dev opencl vulkan vpi cuda rocm hexagon metal oneapi webgpu; do
        case $1 in "${type}"_*) echo "$type:0" && return ;; esac
    done
    echo cpu
}

if [ "$every" -gt 1 ]; then judge 'the reference' --device cpu; else judge 'the reference'; fi
tests/readme.sh "$build" || failed=1
few='@(int32|utf8|struct|dictionary_int8_utf8)'
typical="$few/@(nulls|many|empty|offset|sliced-child-of-sliced-parent|batch|unaligned)/*"
judge slow "$build/tests/adapters/slow.so" --device cpu --case "$typical"
judge streams "$build/tests/adapters/streams.so" --device cpu --case "$typical"
export ADI_CUDA=off # its devices are of that type
judge vendor "$build/tests/adapters/vendor.so" --device 'cuda:*' --case "$typical"
unset ADI_CUDA
# What is sound on the CPU, and what is odd but legal on a device, with a few types.
sed -nE -e "s#^SOUND\(([a-z0-9_]+)\).*#\1 $typical#p" \
    -e 's/^ODD\(([a-z0-9_]+), "([^"]*)"\).*/\1 \2/p' tests/mutants/mutants.def |
    sed "s#^\([a-z0-9_]* \)\*/#\1$few/#" > "$log.adapters"
number=0
while read -r name cases; do
    number=$((number + 1))
    [ $((number % every)) -eq 0 ] || continue
    judge "$name" "$build/tests/mutants/$name.so" --device "$(device_of "$name")" --case "$cases"
done < "$log.adapters"
echo "load: of $number adapters of tests/mutants one in $every was played"
[ -z "$failed" ]
