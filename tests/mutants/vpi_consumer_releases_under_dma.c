/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/released-while-reading, consumer: the engine sums a buffer up, and the array is released
 * before it is done.
 */
#include "vpi/vpi.h"

static int read_and_sum(struct adi_device *device, const struct ArrowSchema *schema,
                        struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    int code = base_read(device, schema, in, host_out);
    for (int64_t i = 0; i < in->array.n_buffers; i++)
        if (in->array.buffers[i] != NULL)
            driver_start(ADI_VPI_DMA_SUM, base_address(in->array.buffers[i]), NULL, 1);
    return code;
}

static void finish(struct adi_device *device) {
    (void)device;
    driver_finish();
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = read_and_sum;
    base.released = finish;
}
