#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# docs/adding-a-device.md, followed to the letter: its files and its line make a device, over which
# the reference is judged conformant, and so it is with a type of each other kind of event. Broken,
# the device is not. A build without a backend says so.
#
#   tests/toy.sh BUILD OBJECT...      the objects are those of the command
set -eu
cd "$(dirname "$0")/.."

build=$(cd "${1:?usage: toy.sh BUILD OBJECT...}" && pwd)
shift
objects=$*
toy=$build/tests/toy
fail() { echo "toy: $*" >&2; exit 1; }

# What stands in the page under "```c NAME".
block() { awk -v name="$1" '/^```/ { inside = $2 == name; next } inside' docs/adding-a-device.md; }

# The flags are those of the build.
compile() { eval "$(cat "$build/flags") -Werror -iquote '$toy/sim/toy' -c -o '$toy/$1.o' '$toy/devices/$1.c'"; }
link() {
    # shellcheck disable=SC2046 # words
    eval "$(cat "$build/flags")" -o '"$toy/adicheck"' '"$toy"/*.o' '$objects' '"$build/libadicheck.a"' \
        $(pkg-config --libs popt jansson libxml-2.0) -ldl -lpthread
}
# By make, in a tree that has the page's folder among those of sim/.
runtime() {
    mkdir -p "$toy/tree/sim"
    for part in Makefile ci devices docs harness python ref tests; do ln -s "$PWD/$part" "$toy/tree"; done
    ln -s "$PWD"/sim/* "$toy/sim/toy" "$toy/tree/sim"
    ln -s "$build/libadisim.so" "$toy"
    ${MAKE:-make} -s -C "$toy/tree" O="$toy" SIM_LIBRARY="$build/libadisim.so" \
        -o "$build/libadisim.so" "$toy/sim/libtoy.so"
}
run() { "$toy/adicheck" run --seed 1 "$@"; }

# ---- the page's files and its line; nothing else looks at devices.def ----

rm -rf "$toy"
mkdir -p "$toy/devices" "$toy/sim/toy"
cp devices/devices.[ch] devices/devices.def "$toy/devices"
for file in sim/toy/toy.h sim/toy/toy.c sim/toy/toy.mk devices/metal.c; do
    block $file > "$toy/$file"
    [ -s "$toy/$file" ] || fail "the page has no $file"
done
# It takes the place of the type's own.
sed -i '/^DEVICE(metal)$/d' "$toy/devices/devices.def"
echo 'DEVICE(metal)' >> "$toy/devices/devices.def"
runtime
compile devices
compile metal
link
conformant() {
    run --device "$1:*" --require "$1" --json "$toy/$1.json" > "$toy/$1.log" 2>&1 ||
        { cat "$toy/$1.log" >&2; fail "the reference is not conformant on $1"; }
    grep -q "^$1:1" "$toy/$1.log" || fail "nothing was judged on $1"
}
conformant metal

# ---- as a type of each other kind of event, in the place of its own; before that it is not there ----

# The part about events becomes the block of that name.
events() {
    block "$2" > "$toy/events"
    [ -s "$toy/events" ] || fail "the page has no block $2"
    awk -v part="$toy/events" '
        /^\/\* ---- events/ { while ((getline line < part) > 0) print line; print ""; skip = 1; next }
        /^\/\* ---- / { skip = 0 }
        /^#include <string.h>/ { print "#include <stdlib.h>" }
        !skip { print }
        /^#include "devices.h"/ { print "#include \"host.h\"" }' "$1"
}
sed -i '/^DEVICE(webgpu)$/d; /^DEVICE(ext_dev)$/d' "$toy/devices/devices.def"
compile devices
link
"$toy/adicheck" devices > "$toy/devices.log"
grep -qE '^webgpu +none +no backend in this build$' "$toy/devices.log" || fail "a type without a backend is not named"
says() { # STATUS WORDS ARGUMENT... : what the command ends with and says
    status=0 wanted=$1 words=$2
    shift 2
    "$toy/adicheck" "$@" > "$toy/said" 2>&1 || status=$?
    if [ "$status" != "$wanted" ] || ! grep -qF "$words" "$toy/said"; then
        cat "$toy/said" >&2
        fail "$*: status $status, wanted $wanted, and: $words"
    fi
}
says 254 'this build has no device webgpu' replay 'webgpu struct e0 x0'
says 2 '(webgpu: no backend in this build; opencl: --device or ' run --case int32/nulls/export \
    --device cpu --require cpu,webgpu,opencl
sed -nE 's/^DEVICE_TYPE\(([A-Z_]*), *"([a-z_]*)", *[A-Z_]*, *[A-Z]*, *([A-Z]*), *[A-Z]*, *([A-Z]*),.*/\1 \2 \3 \4/p' \
    ref/device_types.def > "$toy/rows"
types=metal
while read -r macro name host event; do
    grep -q "^DEVICE($name)$" "$toy/devices/devices.def" && continue
    made=$toy/devices/$name.c
    if [ "$event" = OBJECT ]; then cp "$toy/devices/metal.c" "$made"
    else events "$toy/devices/metal.c" "$event" > "$made"; fi
    [ "$host" != YES ] || sed -i 's/TOY_DEVICE$/TOY_PINNED/' "$made"
    sed -i "s/ARROW_DEVICE_METAL/ARROW_DEVICE_$macro/; s/metal/$name/g" "$made"
    echo "DEVICE($name)" >> "$toy/devices/devices.def"
    compile "$name"
    types="$types $name"
done < "$toy/rows"
compile devices
link
for name in $types; do conformant "$name"; done

# ---- broken: each is a finding of its rule, with each kind of event ----

# broken TYPE CASE RULE SED-SCRIPT
broken() {
    cp "$toy/devices/$1.c" "$toy/sound"
    sed -i "$4" "$toy/devices/$1.c"
    ! cmp -s "$toy/sound" "$toy/devices/$1.c" || fail "$1 cannot be broken by $4"
    compile "$1"
    link
    ! run --device "$1:0" --case "int32/nulls/$2" > "$toy/bad.log" 2>&1 || fail "nobody says $3 of $1"
    grep -Eq "^(fail|crash)  *$3" "$toy/bad.log" || { cat "$toy/bad.log" >&2; fail "no $3 of $1"; }
    mv "$toy/sound" "$toy/devices/$1.c"
    compile "$1"
}
events_of() { sed -n "s/^[A-Z_]* $1 [A-Z]* //p" "$toy/rows"; }

broken metal export array/ 's|int code = toy.copy(device->state, (char .*|int code = 0; (void)from;|'
kinds=
for name in $types; do
    kind=$(events_of "$name")
    case " $kinds " in *" $kind "*) continue ;; esac
    kinds="$kinds $kind"
    if [ "$kind" = NONE ]; then
        broken "$name" export sync/data-not-ready 's|check(toy.queue_sync(device->state), .*|device->state == error;|'
        continue
    fi
    broken "$name" consume-pending sync/read-before-wait 's/toy.event_wait(device->state, [a-z_]*)/device == NULL/'
    broken "$name" export-held sync/event-too-early \
        's|^\(.*\)\(check(toy.event_record(\)device->state|toy_queue other; toy.queue_open((int)device->id, \&other); \1\2other|'
done

# ---- without the runtime there is no device, and a reason ----

link
rm "$toy/sim/libtoy.so"
"$toy/adicheck" devices > "$toy/devices.log"
grep -q 'metal .*there is no sim/libtoy.so' "$toy/devices.log" || { cat "$toy/devices.log" >&2; fail "no reason"; }

echo "toy: $(cat "$toy/sim/toy/toy.c" "$toy/sim/toy/toy.h" | grep -c .) lines of a runtime and" \
    "$(grep -c . "$toy/devices/metal.c") of a backend are a device:$(grep ' pass' "$toy/metal.log" | tail -n 1);" \
    "so are:$(echo "$types" | sed 's/metal//'); events:$kinds"
