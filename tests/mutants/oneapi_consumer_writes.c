/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-mutated, consumer: a queue clears the first byte of a buffer that it has read.
 */
#include "oneapi/oneapi.h"

static int read_and_clear(struct adi_device *device, const struct ArrowSchema *schema,
                          struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    int code = base_read(device, schema, in, host_out);
    const void *buffer = in->array.n_buffers > 1 ? in->array.buffers[1] : NULL;
    if (buffer == NULL) return code;
    DPCTLSyclEventRef cleared =
        SYCL(DPCTLQueue_Memset)(base_queue(device), base_at(buffer, 0), 0, 1);
    SYCL(DPCTLEvent_Wait)(cleared);
    SYCL(DPCTLEvent_Delete)(cleared);
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = read_and_clear;
}
