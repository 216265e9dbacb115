#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The code in the README is code: it compiles with every warning. The adapter shows one symbol, links with
# nothing of ours, and is judged conformant; the test finds the defect that the README begins with.
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

# Its test of an implementation: says nothing of a sound one, fails for a MUST, and tells advice.
own=$build/tests/readme-own
mkdir -p "$own"
awk '/^```c$/ { inside = ++blocks == 2; next } /^```$/ { inside = 0 } inside' README.md > "$own/test_mine.c"
grep -q adi_watch_finish "$own/test_mine.c" || { echo "readme: no test in README.md" >&2; exit 1; }
cp tests/readme_mine.h "$own/mine.h"
try() { # DEFECT STATUS WORDS
    "${CC:-gcc}" -std=c11 -Wall -Wextra -Wpedantic -Werror ${1:+-D"$1"} -I "$build/include" -o "$own/test_mine" \
        "$own/test_mine.c" -L "$build" -Wl,-rpath,"$(realpath "$build")" -ladicheck
    status=0
    "$own/test_mine" > "$own/said" 2>&1 || status=$?
    [ "$status" = "$2" ] && [ "$(cut -d: -f1 "$own/said")" = "$3" ] ||
        { cat "$own/said" >&2; echo "readme: its test says $status of ${1:-what is sound}" >&2; exit 1; }
}
try '' 0 ''
try MINE_LEAVES_RESERVED 1 'MUST array/reserved-not-zero'
try MINE_WRITES 0 'SHOULD array/buffer-mutated'
echo "readme: the test of README.md finds the defect that README.md shows"

# What it says to type in CI: green by its list of known deviations, and red without.
ci=$build/tests/readme-ci
rm -rf "$ci"
mkdir -p "$ci/adicheck"
ln -s "$(realpath "$build")" "$ci/adicheck/build"
sed 's/^    schema->release = NULL;/    out->reserved[0] = 1;\n&/' "$source" > "$ci/mine.c"
awk '/^```/ { code = !code } /^## / && !code { inside = $0 == "## In CI" } inside' README.md > "$ci/part"
sed -n 's/^          //p' "$ci/part" | sed '/^with:/d' > "$ci/typed"
sed -n 's/^    \([^ ].*|\)/\1/p' "$ci/part" | sed 's/| 20[0-9-]*$/| 2999-12-31/' > "$ci/known.txt"
grep -q -e --known "$ci/typed" && [ "$(grep -c '|' "$ci/known.txt")" -eq 2 ] ||
    { echo "readme: no CI in README.md" >&2; exit 1; }
(cd "$ci" && sh -e ./typed > said 2>&1 && [ -s adicheck.json ] && [ -s adicheck.xml ] &&
    grep -q 'conformant but for what is known' said) ||
    { cat "$ci/said" >&2; echo "readme: what it says to type in CI fails" >&2; exit 1; }
status=0
(cd "$ci" && sed 's/--known known.txt//' typed | sh -e > said 2>&1) || status=$?
[ "$status" = 1 ] || { cat "$ci/said" >&2; echo "readme: CI is $status without known.txt" >&2; exit 1; }
echo "readme: the CI of README.md is green with its known deviations, and red without"
