#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# numpy, pyarrow and numba take what the Python package shows, and it takes what they show; then the
# matrix of all libraries: BUILD/peers.html, BUILD/peers.json, and the programs that show what is in it.
#
#   tests/peers/python/judge.sh BUILD PEERS
set -eu
cd "$(dirname "$0")/../../.."

build=$(cd "${1:?usage: judge.sh BUILD PEERS}" && pwd)
peers=${2:?usage: judge.sh BUILD PEERS}
python=$peers/venv/bin/python
[ -e "$build/python/adicheck/_core.abi3.so" ] || {
    echo "skip peers: the Python package: it needs python3-dev (make deps)"
    exit 0
}
[ -x "$python" ] || {
    echo "skip peers: libraries of Python: there are none (make peers)"
    exit 0
}
# The package and the libraries have to load the same driver: where it lies in the wheel.
sim=$build/python/adicheck/sim
export PYTHONPATH="$build/python" ADI_CUDA=sim PYTHONDONTWRITEBYTECODE=1
export NUMBA_CUDA_DRIVER="$sim/libcuda.so.1" LD_LIBRARY_PATH="$sim"
# play LIBRARY PYTHON
play() {
    if ! "$2" -c "import $1" 2>/dev/null; then
        echo "skip peers: python/tests/peers/test_$1.py: there is no $1 in $2 (make peers)"
        return
    fi
    echo "  RUN python/tests/peers/test_$1.py"
    "$2" -m unittest -q "python/tests/peers/test_$1.py"
}
play numpy "$python"
play pyarrow "$python"
play numba "$python"
play numba "$peers/venv-cuda/bin/python"

failed=0
echo "  RUN tests/peers/python/matrix.py"
tests/peers/python/matrix.py "$build/peers" "$peers" || failed=1
env -u PYTHONPATH tests/peers/python/repro.py "$peers" || failed=1
exit $failed
