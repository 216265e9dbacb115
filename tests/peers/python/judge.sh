#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# numpy and pyarrow take what the Python package shows, and it takes what they show.
#
#   tests/peers/python/judge.sh BUILD PEERS
set -eu
cd "$(dirname "$0")/../../.."

build=$(cd "${1:?usage: judge.sh BUILD PEERS}" && pwd)
python=${2:?usage: judge.sh BUILD PEERS}/venv/bin/python
[ -e "$build/python/adicheck/_core.abi3.so" ] || {
    echo "skip peers: the Python package: it needs python3-dev (make deps)"
    exit 0
}
export PYTHONPATH="$build/python" ADI_CUDA=sim PYTHONDONTWRITEBYTECODE=1
for library in numpy pyarrow; do
    if ! "$python" -c "import $library" 2>/dev/null; then
        echo "skip peers: python/tests/peers/test_$library.py: there is no $library (make peers)"
        continue
    fi
    echo "  RUN python/tests/peers/test_$library.py"
    "$python" -m unittest -q "python/tests/peers/test_$library.py"
done
