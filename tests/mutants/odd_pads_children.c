/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The child of a list has a value in front that no list has, so that a child
 * that is moved out is not the one that was handed over.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/implementation.h"

static int pad(struct ArrowArray *list, struct ArrowArray *child) {
    const int64_t n = child->offset + child->length;
    int32_t *offsets = (int32_t *)(uintptr_t)list->buffers[1];
    if (offsets == NULL || child->buffers[0] != NULL || child->buffers[1] == NULL) return 0;
    int32_t *padded = base.buffer_alloc((size_t)(n + 1) * sizeof *padded);
    if (padded == NULL) return ENOMEM;
    padded[0] = 42;
    memcpy(padded + 1, child->buffers[1], (size_t)n * sizeof *padded);
    base.buffer_free((void *)(uintptr_t)child->buffers[1]);
    child->buffers[1] = padded;
    child->length++;
    for (int64_t i = 0; i <= list->offset + list->length; i++) offsets[i]++;
    return 0;
}

static bool is_list_of_int32(const struct ArrowSchema *schema) {
    return strcmp(schema->format, "+l") == 0 && strcmp(schema->children[0]->format, "i") == 0;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    int code = base_produce(self, type, id, schema, host, schema_out, out);
    if (code != 0 || !is_list_of_int32(schema_out)) return code;
    code = pad(&out->array, out->array.children[0]);
    if (code == 0) return 0;
    schema_out->release(schema_out);
    out->array.release(&out->array);
    return code;
}

void mutate(void) {
    base.adapter.produce = produce;
}
