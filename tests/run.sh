#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs the suites of suites.def side by side, the last first: they take longest, and much of that is
# waiting for time limits. Says what went wrong in full, and of the rest a line each.
#
#   tests/run.sh BUILD [short|thread]
#
#   What a suite said stays in BUILD/tests/log. Of those that fail, up to three are played again
#   with nothing beside them, so that what is a matter of time on a full machine is told from what
#   is wrong: only what fails again fails. Both are printed.
#   short   without the LONG suites, and the rest on fewer devices
#   thread  under ThreadSanitizer: what has threads, as short as that
set -eu

ADI_TEST_BUILD=${1:?usage: run.sh BUILD [short|thread]}
kinds='SUITE|LONG'
suites='.*'
[ -z "${2:-}" ] || export ADI_TEST_SHORT=1
case ${2:-} in
short) kinds=SUITE ;;
thread)
    suites='sanitizer|ref_(export|async|async_calls|cuda_array_interface_order)|harness_(log|watch|sequences|program|guarded_async|schedules)|sim_.*'
    suites="$suites|devices_(ext_dev|cuda|rocm|opencl|vpi|hexagon|metal|oneapi|webgpu|sim_interceptor|vpi_interceptor|hexagon_calls)"
    # The engine answers a touch within the handler of that very fault: no malloc() was interrupted.
    export TSAN_OPTIONS="halt_on_error=1 atexit_sleep_ms=0 report_signal_unsafe=0 ${TSAN_OPTIONS:-}"
    ;;
esac
log=$ADI_TEST_BUILD/tests/log
beside=$ADI_TEST_BUILD/tests/log-beside # of what failed at first
export ADI_TEST_BUILD log
mkdir -p "$log" "$beside"
rm -f "$log"/* "$beside"/*

# One line of a table: the suite, what it counted, what it printed; all of it if it failed.
# shellcheck disable=SC2016 # expanded by the shell of each suite
play='
    start=$(date +%s)
    CK_RUN_SUITE=$0 "$ADI_TEST_BUILD/tests/unit" > "$log/$0" 2>&1 || touch "$log/$0.failed"
    counts=$(sed -n "s/^[0-9]*%: //p" "$log/$0")
    printf "  %-26s %s (%d s)\n" "$0" "${counts:-no result}" $(($(date +%s) - start))
    if [ -e "$log/$0.failed" ] || [ -z "$counts" ]; then touch "$log/$0.failed"; cat "$log/$0"
    else sed -E -n "/^(Running suite|[0-9]+%:)/d; s/^ */      /p" "$log/$0"; fi'
sed -nE "s/^($kinds)\\(($suites)\\)$/\\2/p" tests/suites.def | tac |
    xargs -P $(($(nproc) * 2)) -n 1 sh -c "$play"

failed=$(find "$log" -name '*.failed' -exec basename {} .failed \;)
if [ -n "$failed" ] && [ "$(echo "$failed" | wc -l)" -le 3 ]; then
    for suite in $failed; do
        mv "$log/$suite" "$log/$suite.failed" "$beside"
        echo "  $suite failed beside the others; alone:"
        sh -c "$play" "$suite"
    done
fi

if [ "${2:-}" = thread ]; then
    echo '  devices_vulkan*: left out: the locks of the validation layer and of lavapipe are not seen'
    echo '  devices_opencl_*, LONG but sim_oracle: left out: they run commands, which are dear'
    echo '  harness_check, harness_cover: left out: they do not come to their end under it'
    echo '  others: left out: they start no thread themselves; make check plays them'
fi
[ "$kinds" != SUITE ] || sed -nE 's/^LONG\((.*)\)$/  \1: left out, as SHORT=1 asks; make check plays it/p' tests/suites.def

awk -F '[:,] *' '/^[0-9]+%: Checks/ { checks += $3; failures += $5; errors += $7 }
    END { printf "  %d checks, %d failures, %d errors\n", checks, failures, errors }' "$log"/*
[ -z "$(find "$log" -name '*.failed')" ]
