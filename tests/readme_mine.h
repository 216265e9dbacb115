/* SPDX-License-Identifier: Apache-2.0
 *
 * The implementation that the test in README.md is a test of: an int32 column on the CPU. With
 * MINE_LEAVES_RESERVED it has the defect that the README shows, with MINE_WRITES one against
 * advice.
 */
#include <stdint.h>
#include <string.h>

static void release_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
}
static void release_array(struct ArrowArray *array) {
    array->release = NULL;
}

static void mine_export(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    static _Alignas(64) int32_t values[] = {1, 2, 3};
    static const void *buffers[] = {NULL, values};
    *schema = (struct ArrowSchema){.format = "i", .release = release_schema};
    out->array = (struct ArrowArray){
        .length = 3, .n_buffers = 2, .buffers = buffers, .release = release_array};
    out->device_id = -1;
    out->device_type = ARROW_DEVICE_CPU;
    out->sync_event = NULL;
#ifndef MINE_LEAVES_RESERVED
    memset(out->reserved, 0, sizeof out->reserved);
#endif
}

static void mine_import(struct ArrowSchema *schema, struct ArrowDeviceArray *array) {
    int32_t *values = (int32_t *)(uintptr_t)array->array.buffers[1];
#ifdef MINE_WRITES
    values[0] = 7;
#endif
    if (values[2] == 3) array->array.release(&array->array);
    schema->release(schema);
}
