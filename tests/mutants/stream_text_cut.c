/* SPDX-License-Identifier: Apache-2.0
 *
 * array/data-differs, producer: in place of the last byte of the dictionary of each chunk is one
 * that no UTF-8 has.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    int code = base_produced_next(self, out);
    if (code != 0 || out->array.release == NULL || out->array.dictionary == NULL) return code;
    const struct ArrowArray *words = out->array.dictionary;
    const int32_t *offsets = words->buffers[1];
    int32_t last = offsets[words->offset + words->length];
    if (last > 0) ((unsigned char *)(uintptr_t)words->buffers[2])[last - 1] = 0xFF;
    return 0;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM);
    base_produced.get_next = next;
}
