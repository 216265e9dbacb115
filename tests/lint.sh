#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What is said about the sources without compiling them; tools that are missing are left out.
#
#   tests/lint.sh "ROOM ..." FILE ...      folders of the program; the C and C++ files
set -eu

rooms=${1:?usage: lint.sh \"ROOM ...\" FILE ...}
shift
has() { command -v "$1" >/dev/null; }

tests/tidy.sh
tests/shaders.sh
if has clang-format; then clang-format --dry-run -Werror "$@"; fi
if has mandoc; then mandoc -T lint -W warning docs/adicheck.1; fi
if has cppcheck; then
    # shellcheck disable=SC2046 # one word a room
    cppcheck -j "$(nproc)" --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability \
        --inline-suppr --suppress=unknownMacro -D__GNUC__ -D__linux__ \
        $(printf -- '-I %s ' $rooms sim sim/driver sim/cuda sim/cuda/cudart sim/hip sim/metal sim/oneapi sim/webgpu \
        python/src) \
        ref devices harness sim/*.c sim/driver sim/cuda sim/hip sim/metal sim/oneapi sim/webgpu python/src
fi
