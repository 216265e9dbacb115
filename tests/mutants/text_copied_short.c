/* SPDX-License-Identifier: Apache-2.0
 *
 * array/misread, consumer. Planted: in place of the last byte of the data, and of that of a
 * dictionary, is one that no UTF-8 has.
 */
#include <string.h>

#include "base/implementation.h"

static void cut(const struct ArrowSchema *schema, const struct ArrowArray *array) {
    if (strcmp(schema->format, "u") != 0 || array->length == 0) return;
    const int32_t *offsets = array->buffers[1];
    int32_t last = offsets[array->offset + array->length];
    if (last > 0) ((unsigned char *)(uintptr_t)array->buffers[2])[last - 1] = 0xFF;
}

static void spoil(struct ArrowSchema *schema, struct ArrowArray *host) {
    cut(schema, host);
    if (schema->dictionary != NULL) cut(schema->dictionary, host->dictionary);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.copied = spoil;
}
