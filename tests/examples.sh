#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The examples in docs/examples are code: they compile with every warning and are judged conformant
# on the device that they are named after, where it is there.
#
#   tests/examples.sh BUILD
set -eu
cd "$(dirname "$0")/.."

build=${1:?usage: examples.sh BUILD}
mkdir -p "$build/tests/examples"

# The CUDA example is judged with the simulation's runtime, and by its header instead of NVIDIA's.
export ADI_CUDA=sim
mkdir -p "$build/tests/examples/include"
echo '#include "cudart_abi.h"' > "$build/tests/examples/include/cuda_runtime_api.h"

# What comes behind the source.
library_of() {
    case $1 in
    opencl) echo -l:libOpenCL.so.1 ;;
    vulkan) echo -l:libvulkan.so.1 ;;
    cuda) echo "-I $build/tests/examples/include -I sim/cuda/cudart -I sim/cuda -L $build/sim" \
        "-l:libcudart.so.13 -Wl,-rpath-link,$build" ;;
    *) echo "examples: what is docs/examples/$1.c linked with?" >&2; return 1 ;;
    esac
}

for source in docs/examples/*.c; do
    name=$(basename "$source" .c)
    base=$build/tests/examples/$name
    library=$(library_of "$name")
    if ! "$build/adicheck" devices | grep -q "^$name:"; then
        echo "examples: left out: $source, since there is no device $name (adicheck devices)"
        continue
    fi
    # shellcheck disable=SC2086 # several words
    "${CC:-gcc}" -std=c11 -Wall -Wextra -Wpedantic -Wno-unused-parameter -Werror -shared -fPIC \
        -fvisibility=hidden -Wl,--no-undefined -I "$build/include" -o "$base.so" "$source" \
        $library
    "$build/adicheck" run "$base.so" --device "$name:*" > "$base.log" 2>&1 ||
        { cat "$base.log" >&2; echo "examples: $source is not judged conformant" >&2; exit 1; }
    "$build/adicheck" run "$base.so" --device "$name:*" --case 'int32/*/export*' --tap - |
        grep -q '^ok .*int32/nulls/export-moved' ||
        { echo "examples: $source has not exported int32" >&2; exit 1; }
    grep -E ' pass,' "$base.log" | sed "s|^|examples: $source: |"
done
