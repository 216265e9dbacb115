#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Plays the suites that others' packages carry on the simulated CUDA driver.
#
#   tests/peers/foreign/judge.sh BUILD PEERS
set -eu
cd "$(dirname "$0")/../../.."

build=${1:?usage: judge.sh BUILD PEERS}
peers=${2:?usage: judge.sh BUILD PEERS}
[ -e "$peers/foreign.version" ] || {
    echo "skip peers: the suites of others: what they need is not there (make peers)"
    exit 0
}
echo "  RUN tests/peers/foreign/suites.py"
tests/peers/foreign/suites.py "$build" "$peers"
