#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The adapter in the README is code: it compiles with every warning, shows one symbol, links with
# nothing of ours, and is judged conformant.
#
#   tests/readme.sh BUILD
set -eu
cd "$(dirname "$0")/.."

build=${1:?usage: readme.sh BUILD}
mkdir -p "$build/tests"
source=$build/tests/readme.c
adapter=$build/tests/readme.so

awk '/^```c$/ { inside = ++blocks == 1; next } /^```$/ { inside = 0 } inside' README.md > "$source"
grep -q adi_adapter "$source" || { echo "readme: no adapter in README.md" >&2; exit 1; }
"${CC:-gcc}" -std=c11 -Wall -Wextra -Wpedantic -Wno-unused-parameter -Werror -shared -fPIC \
    -fvisibility=hidden -Wl,--no-undefined -I "$build/include" -o "$adapter" "$source"

symbols=$(nm -D --defined-only "$adapter" | awk '$2 == "T" { print $3 }')
[ "$symbols" = adi_adapter ] || { echo "readme: it exports $symbols" >&2; exit 1; }

"$build/adicheck" run "$adapter" > "$build/tests/readme.log" 2>&1 ||
    { cat "$build/tests/readme.log" >&2; echo "readme: it is not judged conformant" >&2; exit 1; }
echo "readme: the adapter of README.md is conformant"
