#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
#   tests/peers/nanoarrow/compile.sh DIRECTORY SOURCE PROGRAM
#
# With nanoarrow's sources, its CUDA device among them, and a driver that counts its calls.
set -eu
here=$(dirname "$0")
theirs=$1/nanoarrow
cd "$theirs/nanoarrow"
sources="$PWD/common/array.c $PWD/common/array_stream.c $PWD/common/schema.c $PWD/common/utils.c
    $PWD/device/device.c $PWD/device/cuda.c"
cd "$OLDPWD"
# shellcheck disable=SC2086 # several words
"${CC:-gcc}" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -O0 -g \
    -DNANOARROW_DEVICE_WITH_CUDA -I "$here/recorder" -isystem "$theirs" \
    -o "$3" "$2" "$here/recorder/cuda.c" $sources
