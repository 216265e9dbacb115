#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Judges adapters of real implementations, each with the list of what it is known to do otherwise,
# and says at the end which did as their lists say, and where a list is not what it should be
# (listed.py). The records lie in PEERS: NAME.json, NAME.xml.
#
#   tests/peers/judge.sh BUILD PEERS now|before ADAPTER.so ...
#
# The release before does as it did: what the lists do not say of it is no failure.
set -eu
usage='usage: judge.sh BUILD PEERS now|before ADAPTER.so ...'
build=${1:?$usage} peers=${2:?$usage} release=${3:?$usage}
shift 3

said=''
failed=0
for adapter; do
    folder=$(basename "$(dirname "$adapter")")
    name=$folder$(basename "$adapter" .so | sed 's/^adapter//') # NAME/adapter-debug.so: NAME-debug
    known=ci/known/$folder.txt
    echo "  RUN $adapter"
    [ -f "$known" ] && set -- --known "$known" || set --
    begun=$(date +%s)
    status=0
    "$build/adicheck" run "$adapter" "$@" --json "$peers/$name.json" --junit "$peers/$name.xml" ||
        status=$?
    [ "$status" = 0 ] || [ "$status,$release" = 1,before ] || failed=1
    said="$said  $name: exit status $status, $(($(date +%s) - begun)) s
"
    [ "$status,$release" = 0,now ] || continue
    wrong=$(tests/peers/listed.py "$known" "$peers/$name.json") || failed=1
    [ -z "$wrong" ] || said="$said$wrong
"
done
printf '%s' "$said"
exit $failed
