/* SPDX-License-Identifier: Apache-2.0
 *
 * array/misread, consumer: in each copy every value is one more than it was if it was
 * even, and one less if it was odd.
 */
#include "base/stream.h"

static int next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    int code = base_copied_next(self, out);
    if (code != 0 || out->release == NULL || out->length == 0) return code;
    for (int64_t i = 0; i < out->length + out->offset; i++)
        ((int32_t *)(uintptr_t)out->buffers[1])[i] ^= 1;
    return 0;
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base_copied.get_next = next;
}
