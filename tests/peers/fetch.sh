#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Brings the real implementations, pinned by versions.tsv, into DIRECTORY; each is brought by the
# fetch.sh of its own folder (registry.sh says what that has to do).
#
#   tests/peers/fetch.sh DIRECTORY now|before [NAME]     one library only
set -eu
for fetch in "$(dirname "$0")"/*/fetch.sh; do
    name=$(basename "$(dirname "$fetch")")
    [ "${3:-$name}" != "$name" ] || "$fetch" "$1" "$2"
done
