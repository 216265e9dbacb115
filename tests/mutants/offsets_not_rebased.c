/* SPDX-License-Identifier: Apache-2.0
 *
 * array/data-differs, producer. Planted: the bytes of a slice are copied to the beginning of a
 * buffer of their own, and its offsets stay what they were.
 */
#include <stdlib.h>
#include <string.h>

#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    struct ArrowArray *array = &out->array;
    if (strcmp(schema->format, "u") != 0 || array->length == 0) return;
    const int32_t *offsets = array->buffers[1];
    size_t first = (size_t)offsets[array->offset],
           last = (size_t)offsets[array->offset + array->length];
    char *bytes = first == 0 ? NULL : malloc(last + 1);
    if (bytes == NULL) return;
    memset(bytes, 0xFF, last + 1);
    memcpy(bytes, (const char *)array->buffers[2] + first, last - first);
    base.buffer_free((void *)(uintptr_t)array->buffers[2]);
    array->buffers[2] = bytes;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
