/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffers-dereferenced, consumer. Arrow C++ 515410b: the CPU counts the nulls in the bitmap
 * of the device.
 */
#include "cuda/cuda.h"

static int count(struct adi_device *device, const struct ArrowSchema *schema,
                 struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    const volatile uint8_t *bitmap = in->array.n_buffers > 0 ? in->array.buffers[0] : NULL;
    int64_t set = 0;
    ADI_TRY(device->ops->wait_host(device, in->sync_event, NULL));
    for (int64_t i = 0; bitmap != NULL && i < in->array.length; i++)
        set += bitmap[i / 8] >> i % 8 & 1;
    return set > in->array.length ? -1 : base_read(device, schema, in, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = count;
}
