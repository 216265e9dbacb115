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
#
# What is not as the lists say is judged once more, and only what is so again fails; both are printed.
#
# Most of a run's time is waiting for what never comes, which needs no processor: there are twice as
# many workers as processors. None of these libraries needs as much memory as a worker may usually take:
# the most is 110 MB, and what takes all it can get (arrow-go's maps in maps) is at the limit sooner.
set -eu
usage='usage: judge.sh BUILD PEERS now|before ADAPTER.so ...'
build=${1:?$usage} peers=${2:?$usage} release=${3:?$usage}
shift 3

# judge ADAPTER NAME KNOWN: leaves the status in `status`, and in `wrong` what is wrong with the list
judge() {
    adapter=$1 name=$2 known=$3
    echo "  RUN $adapter"
    [ -f "$known" ] && set -- --known "$known" || set --
    begun=$(date +%s)
    status=0 wrong=''
    "$build/adicheck" run "$adapter" "$@" --jobs "$((2 * $(nproc)))" --memory 512 \
        --json "$peers/$name.json" --junit "$peers/$name.xml" ||
        status=$?
    said="$said  $name: exit status $status, $(($(date +%s) - begun)) s
"
    [ "$status,$release" != 0,now ] || wrong=$(tests/peers/listed.py "$known" "$peers/$name.json") || status=1
    [ -z "$wrong" ] || said="$said$wrong
"
    [ "$status" = 0 ] || [ "$status,$release" = 1,before ]
}

said=''
failed=0
for adapter; do
    folder=$(basename "$(dirname "$adapter")")
    name=$folder$(basename "$adapter" .so | sed 's/^adapter//') # NAME/adapter-debug.so: NAME-debug
    set -- "$adapter" "$name" "ci/known/$folder.txt"
    judge "$@" && continue
    said="$said  $name: once more, for what its threads, or a full machine, showed by chance
"
    judge "$@" || failed=1
done
printf '%s' "$said"
exit $failed
