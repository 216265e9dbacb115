#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# docs/adding-a-device.md, followed to the letter: its file and its line make a device, over which
# the reference is judged conformant. Broken, the device is not.
#
#   tests/toy.sh BUILD OBJECT...      the objects are those of the command
set -eu
cd "$(dirname "$0")/.."

build=${1:?usage: toy.sh BUILD OBJECT...}
shift
page=docs/adding-a-device.md
toy=$build/tests/toy
fail() { echo "toy: $*" >&2; exit 1; }

# What stands in devices/ then. Nothing else looks at devices.def.
rm -rf "$toy"
mkdir -p "$toy/devices"
cp devices/devices.[ch] devices/devices.def "$toy/devices"
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' $page > "$toy/devices/hexagon.c"
echo 'DEVICE(hexagon)' >> "$toy/devices/devices.def"
added=$(diff devices/devices.def "$toy/devices/devices.def" | grep -c '^>')

# The flags are those of the build.
compile() { eval "$(cat "$build/flags")" -Werror -c -o "$toy/$1.o" "$toy/devices/$1.c"; }
link() {
    # shellcheck disable=SC2046 # words
    eval "$(cat "$build/flags")" -o "$toy/adicheck" "$toy/devices.o" "$toy/hexagon.o" \
        '"$@"' "$build/libadicheck.a" \
        $(pkg-config --libs popt jansson libxml-2.0) -ldl -lpthread
}

compile devices
compile hexagon
link "$@"
"$toy/adicheck" run --device 'hexagon*' --require hexagon > "$toy/log" 2>&1 ||
    { cat "$toy/log" >&2; fail "the reference is not conformant on it"; }
grep -q '^hexagon:0' "$toy/log" || fail "nothing was judged on it"

sed -i 's|if (to != NULL) memcpy(to, .*|(void)from;|' "$toy/devices/hexagon.c"
compile hexagon
link "$@"
! "$toy/adicheck" run --device 'hexagon*' --case 'int32/nulls/export' > "$toy/bad.log" 2>&1 ||
    fail "it loses what is written, and nobody says so"
grep -q 'array/' "$toy/bad.log" || { cat "$toy/bad.log" >&2; fail "that was not found"; }

echo "toy: $(grep -c . "$toy/devices/hexagon.c") lines in one file and $added in devices.def are a device:" \
    "$(grep ' pass' "$toy/log" | tail -n 1)"
