/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, consumer: it reads, and frees the buffers of the producer.
 */
#include "oneapi/oneapi.h"

static int read_and_free(struct adi_device *device, const struct ArrowSchema *schema,
                         struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    int code = base_read(device, schema, in, host_out);
    for (int64_t i = 0; i < in->array.n_buffers; i++)
        SYCL(DPCTLfree_with_queue)((void *)base_at(in->array.buffers[i], 0), base_queue(device));
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = read_and_free;
}
