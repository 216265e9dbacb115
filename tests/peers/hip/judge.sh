#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Plays the programs of this folder on the simulated HIP runtime, by each hip-python that there is.
#
#   tests/peers/hip/judge.sh BUILD PEERS
set -eu
cd "$(dirname "$0")/../../.."

build=$(cd "${1:?usage: judge.sh BUILD PEERS}" && pwd)
peers=${2:?usage: judge.sh BUILD PEERS}
script=tests/peers/hip/with_hip_python.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/peers/on_simulation.sh

for name in hip-python-6 hip-python-7 hip-python; do
    python=$peers/venv-$name/bin/python
    # It asks for libamdhip64.so, which is the newest major, unless a folder before says otherwise.
    mkdir "$work/$name"
    case $name in *-[567]) ln -s "$build/sim/libamdhip64.so.${name##*-}" "$work/$name/libamdhip64.so" ;; esac
    export LD_LIBRARY_PATH="$work/$name:$build/sim:$build"
    judge_programs "from hip import hip" "$name"
done
