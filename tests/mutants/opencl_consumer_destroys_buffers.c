/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, consumer: it reads, and gives the buffers of the producer up.
 */
#include <stdlib.h>

#include "opencl/opencl.h"

static int read_and_destroy(struct adi_device *device, const struct ArrowSchema *schema,
                            struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    int code = base_read(device, schema, in, host_out);
    for (int64_t i = 0; i < in->array.n_buffers; i++)
        if (in->array.buffers[i] != NULL)
            base_api->clReleaseMemObject((cl_mem)(uintptr_t)in->array.buffers[i]);
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = read_and_destroy;
}
