/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/released-while-reading, consumer: a copy of each buffer is queued, and the array is released
 * before anybody waits for it.
 */
#include <stddef.h>

#include "hexagon/hexagon.h"

static char room;

static int read_and_queue(struct adi_device *device, const struct ArrowSchema *schema,
                          struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    const struct adi_hexagon_driver *driver = base_driver(device);
    int code = base_read(device, schema, in, host_out);
    for (int64_t i = 0; i < in->array.n_buffers; i++)
        if (in->array.buffers[i] != NULL)
            driver->copy_out(driver, &room, base_address(in->array.buffers[i]), 1);
    return code;
}

static void wait(struct adi_device *device) {
    base_driver(device)->wait(base_driver(device));
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = read_and_queue;
    base.released = wait;
}
