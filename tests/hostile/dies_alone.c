/* SPDX-License-Identifier: Apache-2.0 */
/* Crashes for int32; if it was called for uint8 before, it refuses that, and leaves an array. */
#include "hostile.h"

static int called;

static void misbehave(void) {
    if (!called) fault();
}

static void release(struct ArrowArray *array) {
    array->release = NULL;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    if (strcmp(schema->format, "C") == 0) called = 1;
    int code = hostile_produce(self, type, id, schema, host, schema_out, out);
    if (strcmp(schema->format, "i") == 0) out->array.release = release;
    return code;
}

__attribute__((constructor)) static void change(void) {
    hostile.produce = produce;
}
