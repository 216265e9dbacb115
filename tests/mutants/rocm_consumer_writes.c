/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-mutated, consumer: a stream clears the first byte of a buffer that it has read.
 */
#include "rocm/rocm.h"

static int read_and_clear(struct adi_device *device, const struct ArrowSchema *schema,
                          struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    int code = base_read(device, schema, in, host_out);
    const void *buffer = in->array.n_buffers > 1 ? in->array.buffers[1] : NULL;
    if (buffer == NULL) return code;
    HIP(hipMemsetAsync)(base_at(buffer, 0), 0, 1, base_stream(device));
    HIP(hipStreamSynchronize)(base_stream(device));
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = read_and_clear;
}
