#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
#   tests/bench/bounded.sh BUILD    how soon a run ends whose implementation fails everywhere
#
# With the defaults, on the CPU and on all devices; and how much longer a run takes by the cases of
# streams and asynchronous streams (streams.py). Figures of this machine at this moment: nothing
# fails by them.
set -eu

build=${1:?usage: bounded.sh BUILD}

# How long the command takes: "41.3 s".
seconds_of() {
    start=$(date +%s%N)
    "$build/adicheck" run "$@" > /dev/null 2>&1 || [ $? -eq 1 ]
    tenths=$((($(date +%s%N) - start) / 100000000))
    printf '%d.%d s' $((tenths / 10)) $((tenths % 10))
}

printf '\n%-22s%22s%22s\n' 'until the run ends' 'the CPU' 'all devices'
printf '  %-20s%22s%22s\n' 'wanted' '60 s' '120 s'
for name in hangs_everywhere open_hangs crashes_everywhere leaks_everywhere eats_everywhere; do
    adapter=$build/tests/hostile/$name.so
    printf '  %-20s%22s' "$name" "$(seconds_of "$adapter" --device cpu)"
    printf '%22s\n' "$(seconds_of "$adapter")"
done
printf '  %-20s%22s   of the 10 s that are wanted\n' '--profile cpu' "$(seconds_of --profile cpu)"
printf '  %-20s%22s%22s   with nothing wrong\n' 'the reference' "$(seconds_of --device cpu)" "$(seconds_of)"
"${0%/*}/streams.py" "$build"
