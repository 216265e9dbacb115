/* SPDX-License-Identifier: Apache-2.0
 *
 * life/use-after-release, consumer: what it has read it copies once more when the array is
 * released.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static const void *last;

static int note(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                int64_t bytes, struct adi_error *error) {
    if (bytes > 0) last = buffer;
    return base.right.read(device, buffer, offset, to, bytes, error);
}

static void read_again(struct adi_device *device) {
    int32_t word;
    if (last != NULL) base.right.read(device, last, 0, &word, sizeof word, NULL);
    last = NULL;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = note;
    base.released = read_again;
}
