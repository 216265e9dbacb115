/* SPDX-License-Identifier: Apache-2.0
 *
 * The implementation that the test in README.md is a test of: an empty int32 column on the CPU.
 */
#include <string.h>

static void release_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
}
static void release_array(struct ArrowArray *array) {
    array->release = NULL;
}

static void mine_export(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    static const void *buffers[2];
    memset(schema, 0, sizeof *schema);
    schema->format = "i";
    schema->release = release_schema;
    memset(out, 0, sizeof *out);
    out->array.n_buffers = 2;
    out->array.buffers = buffers;
    out->array.release = release_array;
    out->device_type = ARROW_DEVICE_CPU;
    out->device_id = -1;
}

static void mine_import(struct ArrowSchema *schema, struct ArrowDeviceArray *array) {
    if (array->array.length == 0) array->array.release(&array->array);
    schema->release(schema);
}
