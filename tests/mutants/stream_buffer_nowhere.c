/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-too-small, producer: the values of each chunk of a stream lie where nothing is.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    int code = base_produced_next(self, out);
    if (code == 0 && out->array.release != NULL && out->array.n_buffers == 2)
        out->array.buffers[1] = (const void *)(uintptr_t)4096;
    return code;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM);
    base_produced.get_next = next;
}
