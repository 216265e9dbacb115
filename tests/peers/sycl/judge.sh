#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The device oneapi on the real SYCL runtime, by dpctl's library as it is, on the CPU by Intel's OpenCL:
# the reference is conformant, and the planted defects are named as on the simulation but for those
# that unseen.tsv says why (judge.py).
#
#   tests/peers/sycl/judge.sh BUILD PEERS
set -eu
cd "$(dirname "$0")/../../.."

build=$(cd "${1:?usage: judge.sh BUILD PEERS}" && pwd)
peers=${2:?usage: judge.sh BUILD PEERS}
venv=$peers/venv-sycl

library=$(echo "$venv"/lib/python3*/site-packages/dpctl/libDPCTLSyclInterface.so)
if [ ! -f "$library" ]; then
    echo "skip peers: tests/peers/sycl: there is no dpctl (make peers)"
    exit 0
fi
venv=$(cd "$venv" && pwd)
library=$(cd "$(dirname "$library")" && pwd)/$(basename "$library")

# Intel's platform, and no other; its loader, which takes the layer in.
export LD_LIBRARY_PATH="$venv/lib" OCL_ICD_FILENAMES="$venv/lib/libintelocl.so" OCL_ICD_VENDORS=/nonexistent
export ADI_ONEAPI="$library"
# Workers beside each other, each with the runtime's threads: nobody here hands out an event that never completes.
export ADI_WAIT_MS=10000

# The last line of the loader's or the runtime's, if it is not there for whatever reason.
"$build/adicheck" devices > "$peers/sycl.devices" 2>&1 || true
grep -q '^oneapi:0 *found *real' "$peers/sycl.devices" || {
    grep '^oneapi' "$peers/sycl.devices" >&2
    echo "peers: tests/peers/sycl: the real runtime finds no device" >&2
    exit 1
}
"$build/adicheck" run --device 'oneapi*' --json "$peers/sycl.json" > "$peers/sycl.out" 2>&1 || {
    cat "$peers/sycl.out" >&2
    exit 1
}
echo "  tests/peers/sycl (reference): $(tail -n 1 "$peers/sycl.out")"
exec tests/peers/sycl/judge.py "$build" "$peers"
