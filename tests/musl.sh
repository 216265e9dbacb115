#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The library needs a C library and no certain one: with musl it is built, linked and called.
#
#   tests/musl.sh BUILD
set -eu
cd "$(dirname "$0")/.."

build=${1:?usage: musl.sh BUILD}/musl
if ! command -v musl-gcc > /dev/null; then
    echo 'musl: left out: there is no musl-gcc (musl-tools)'
    exit
fi

# What devices include of Khronos lies among the headers of the system's own C library.
cc="musl-gcc -idirafter /usr/include -idirafter /usr/include/$(uname -m)-linux-gnu"
"${MAKE:-make}" -s SAN= COV= FUZZ= CC="$cc" WERROR=1 BUILD="$build" \
    "$build/libadicheck.so" "$build/libadicheck.a"

cat > "$build/program.c" << 'END'
#include <adicheck.h>
#include <stdio.h>

static void let_go(struct ArrowArray *array) { array->release = NULL; }
static void let_go_schema(struct ArrowSchema *schema) { schema->release = NULL; }

/* How many rules an array of one int32 breaks. */
static size_t broken(int32_t *values, unsigned char reserved) {
    const void *buffers[] = {NULL, values};
    struct ArrowSchema schema = {.format = "i", .release = let_go_schema};
    struct ArrowDeviceArray array = {.device_id = -1, .device_type = ARROW_DEVICE_CPU};
    struct adi_findings *findings = adi_findings_new();
    array.array = (struct ArrowArray){
        .length = 1, .n_buffers = 2, .buffers = buffers, .release = let_go};
    *(unsigned char *)array.reserved = reserved;
    adi_check_device_array(&schema, &array, findings);
    size_t count = adi_findings_count(findings);
    for (size_t i = 0; i < count; i++) printf("musl: %s\n", adi_findings_get(findings, i)->rule);
    adi_findings_free(findings);
    return count;
}

int main(void) {
    static _Alignas(64) int32_t values[16] = {1};
    return broken(values, 0) == 0 && broken(values, 1) == 1 ? 0 : 1;
}
END
$cc -std=c11 -static -I harness -I ref -o "$build/program" "$build/program.c" "$build/libadicheck.a"
"$build/program" || { echo 'musl: the library does not judge as it should' >&2; exit 1; }
echo 'musl: the library is built, linked and called with musl'
