#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What the linker puts blind.c around: the functions that every finding goes through.
set -eu
cd "$(dirname "$0")/../.."

for name in report report_aside rule_implies play_crash_rule play_tell_as charge_tensor outcome_add \
    verdict_of_violation; do
    echo "-Wl,--wrap=adi_$name"
done
sed -n 's/^ *CHECK(\([a-z0-9_]*\),.*/-Wl,--wrap=adi_holds_\1/p' harness/rules/*.def
