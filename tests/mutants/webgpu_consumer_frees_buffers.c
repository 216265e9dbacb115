/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, consumer: it reads, and releases the buffers of the producer.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static int read_and_more(struct adi_device *device, const struct ArrowSchema *schema,
                         struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    int code = base_read(device, schema, in, host_out);
    for (int64_t i = 0; i < in->array.n_buffers; i++)
        if (in->array.buffers[i] != NULL) wgpu.BufferRelease((WGPU)(uintptr_t)in->array.buffers[i]);
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = read_and_more;
}
