#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Plays the programs of this folder on the simulated CUDA driver.
#
#   tests/peers/cuda/judge.sh BUILD PEERS
set -eu
cd "$(dirname "$0")/../../.."

build=$(cd "${1:?usage: judge.sh BUILD PEERS}" && pwd)
python=${2:?usage: judge.sh BUILD PEERS}/venv/bin/python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/peers/on_simulation.sh

# As a user would name it: numba by its own variable, everybody else by the loader's.
export NUMBA_CUDA_DRIVER="$build/sim/libcuda.so.1" LD_LIBRARY_PATH="$build/sim"

for module in numba cuda.bindings cuda.core; do
    script=tests/peers/cuda/with_${module#cuda.}.py
    judge_programs "import $module" "$module"
done
script=tests/peers/cuda/with_kernels.py
judge_programs "import numba" numba
