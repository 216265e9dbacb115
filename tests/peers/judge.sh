#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Judges adapters of real implementations, each with the list of what it is known to do otherwise.
#
#   tests/peers/judge.sh BUILD ADAPTER.so ...
set -eu
build=${1:?usage: judge.sh BUILD ADAPTER.so ...}
shift
for adapter; do
    name=$(basename "$(dirname "$adapter")")
    known=ci/known/$name.txt
    echo "  RUN $adapter"
    [ -f "$known" ] && set -- --known "$known" || set --
    "$build/adicheck" run "$adapter" "$@" --json "$build/$name.json" --junit "$build/$name.xml"
done
