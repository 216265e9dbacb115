#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The producers in docs/examples are code: each compiles with every warning, shows one symbol, and
# is judged conformant on its device, where every int32 sample is taken.
#
#   tests/examples.sh BUILD
set -eu
cd "$(dirname "$0")/.."

build=${1:?usage: examples.sh BUILD}
mkdir -p "$build/tests"

judge() { # DEVICE LIBRARY
    adapter=$build/tests/$1_producer.so log=$build/tests/$1_producer.log
    "${CC:-gcc}" -std=c11 -Wall -Wextra -Wpedantic -Wno-missing-field-initializers -Werror -shared \
        -fPIC -fvisibility=hidden -Wl,--no-undefined -I harness -I ref -o "$adapter" \
        "docs/examples/$1_producer.c" "-l$2"
    symbols=$(nm -D --defined-only "$adapter" | awk '$2 == "T" { print $3 }')
    [ "$symbols" = adi_adapter ] || { echo "examples: it exports $symbols" >&2; exit 1; }
    if ! "$build/adicheck" devices | grep -q "^$1:"; then
        echo "skip: examples: there is no device $1 here (adicheck devices)"
        return
    fi
    "$build/adicheck" run "$adapter" --device "$1*" --case 'int32/*' > "$log" 2>&1 ||
        { cat "$log" >&2; echo "examples: $1_producer.c is not judged conformant" >&2; exit 1; }
    if grep -q unsupported "$log"; then
        cat "$log" >&2; echo "examples: $1_producer.c refuses its own type" >&2; exit 1
    fi
    echo "examples: docs/examples/$1_producer.c is conformant"
}

judge vulkan vulkan
