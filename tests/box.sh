#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# docs/adding-a-handle.md, followed to the letter: its files and its lines make a kind of handle, which
# is played, explained, drawn and covered; each of its three rules has a defect that it finds. The page
# says how many lines that is.
#
#   tests/box.sh BUILD
set -eu
cd "$(dirname "$0")/.."

build=$(cd "${1:?usage: box.sh BUILD}" && pwd)
page=docs/adding-a-handle.md
box=$build/tests/box
tree=$box/tree
fail() { echo "box: $*" >&2; exit 1; }

# What stands in the page under "```c NAME".
block() { awk -v name="$1" '/^```/ { inside = $2 == name; next } inside' "$page"; }
lines() { block "$1" | grep -c .; }

# ---- a tree with its files, and a line in each registry ----

rm -rf "$tree"
mkdir -p "$tree/tests/harness"
for part in Makefile ci devices docs python ref sim; do ln -s "$PWD/$part" "$tree"; done
cp -R harness "$tree"
for part in "$PWD"/tests/*; do
    case ${part##*/} in harness | ref | devices | fuzz | sim | *.c | suites.def) ;; *) ln -s "$part" "$tree/tests" ;; esac
done
# Of the tests the cover alone, and what make looks for.
mkdir "$tree/tests/fuzz" "$tree/tests/sim"
ln -s "$PWD"/tests/main.c "$tree/tests"
ln -s "$PWD"/tests/harness/cover.c "$PWD"/tests/harness/event_status.[ch] "$tree/tests/harness"
ln -s "$PWD"/tests/fuzz/*.mk "$PWD"/tests/fuzz/*.def "$tree/tests/fuzz"
ln -s "$PWD"/tests/sim/aarch64 "$tree/tests/sim"
echo 'SUITE(harness_cover)' > "$tree/tests/suites.def"

files='harness/watch/box.h harness/life/box.def harness/rules/box.def harness/play/execution_box.c'
for file in $files; do
    block $file > "$tree/$file"
    [ -s "$tree/$file" ] || fail "the page has no $file"
done
block harness/handles.def > "$box/rows"
[ -s "$box/rows" ] || fail "the page has no rows of harness/handles.def"
sed -i -e "/^BORN(task, task)/r $box/rows" "$tree/harness/handles.def"
sed -i -e 's/^#include "stream.def"/&\n#include "box.def"/' "$tree/harness/life/all.def" "$tree/harness/rules/all.def"
sed -i -e 's/^#include "abi.h"/&\n#include "box.h"/' "$tree/harness/watch/structures.h"

make_it() { ${MAKE:-make} -s -C "$tree" O="$box/build" BUILD="$box/build" "$@"; }

# The command, and the cover as a program of its own.
objects='main harness/cover harness/event_status'
build_it() {
    # shellcheck disable=SC2086 # words
    make_it "$box/build/adicheck" $(printf "$box/build/tests/%s.o " $objects)
    # shellcheck disable=SC2046 # words
    eval "$(cat "$box/build/flags")" -o '"$box/covers"' \
        $(printf '"$box/build/tests/%s.o" ' $objects) \
        $(find "$box/build/harness/play" "$box/build/harness/run" "$box/build/harness/report" \
            "$box/build/harness/command" -name '*.o' ! -name main.o) \
        '"$box/build/libadicheck.a"' $(pkg-config --libs check popt jansson libxml-2.0) -ldl -lpthread
}
build_it

# ---- it is played, explained and drawn ----

adicheck=$box/build/adicheck
# plays STATUS WORDS STEPS
plays() {
    status=0
    "$adicheck" replay "cpu struct $3" > "$box/log" 2>&1 || status=$?
    [ "$status" -eq "$1" ] && grep -q "$2" "$box/log" || { cat "$box/log" >&2; fail "$3: status $status"; }
}
plays 0 'pass  every step was legal' 'be0 bo0>1 w1 c1.0>2 x1 x0 t+ r2 x2'
plays 0 'pass  every step was legal' 'be0 m01 bo1>0 bo1>2 bw1 x1 w0 r0 x0'
plays 1 'life/never-released ' 'be0 bo0>1 x0'
plays 1 'life/use-after-release ' 'be0 x0 bo0>1'
plays 1 'life/move-source-not-released ' 'be0 m01 x0'
plays 1 'sync/read-before-wait ' 'be0 bo0>1 r1'
"$adicheck" explain box/opened-after-refusal | grep -q 'in state box_refused' || fail 'it is not explained'
"$adicheck" list life | grep -q 'box --> box_empty : box_open' || fail 'it is not drawn'
"$adicheck" help program > /dev/null

# ---- its rules, each by a defect: two of a consumer's, and one that is planted in the producer ----

plays 1 'box/opened-after-refusal ' 'be0 bo0>1 bo0>2 bo0>2'
plays 1 'box/asked-without-refusal ' 'be0 bw0'
plays 0 'pass' 'be0 bo0>1 bo0>2 bw0 x0 x1'
sed -i 's/return "it is empty";/return NULL;/' "$tree/harness/play/execution_box.c"
build_it
plays 1 'box/refused-without-a-word ' 'be0 bo0>1 bo0>2 bw0 x0 x1'

# ---- the cover walks it, and sees the defect ----

cover() { (cd "$tree" && ADI_TEST_SHORT=1 CK_RUN_SUITE=harness_cover "$box/covers") > "$box/cover" 2>&1; }
! cover || fail 'the cover does not see the defect'
block harness/play/execution_box.c > "$tree/harness/play/execution_box.c"
build_it
cover || { cat "$box/cover" >&2; fail 'the cover is red'; }
grep -q 'slots of a box of struct' "$box/cover" || fail 'the cover has no boxes'

# ---- the page counts the lines ----

count=2 # in harness/life/all.def and harness/rules/all.def
count=$((count + 1 + $(lines harness/handles.def))) # and in structures.h
for file in $files; do count=$((count + $(lines $file))); done
grep -q "^A kind is $count lines" "$page" || fail "the page says another number of lines than $count"
echo "box: $count lines are a kind of handle:$(grep 'slots of a box of struct' "$box/cover" | sed 's/.*struct://')"
