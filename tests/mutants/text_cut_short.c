/* SPDX-License-Identifier: Apache-2.0
 *
 * array/data-differs, producer. Planted: the last byte of the data is not copied.
 */
#include <string.h>

#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    struct ArrowArray *array = &out->array;
    if (strcmp(schema->format, "u") != 0 || array->length == 0) return;
    const int32_t *offsets = array->buffers[1];
    int32_t last = offsets[array->offset + array->length];
    if (last > 0) ((unsigned char *)(uintptr_t)array->buffers[2])[last - 1] = 0xFF;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
