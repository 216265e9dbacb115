/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/released-while-reading, consumer: copies into pinned memory are queued, the queue that the
 * harness lends waits for them, and the array is released before they have run. Nothing says that
 * its producer frees in the order of that queue.
 */
#include <errno.h>

#include "ext_dev/ext_dev.h"

static char *staging;

static int read_later(struct adi_device *device, const struct ArrowArray *in) {
    if (staging == NULL)
        ADI_TRY(SIM(alloc)(base_context(device), ADI_SIM_PINNED, 64, (void **)&staging));
    for (int64_t i = 0; i < in->n_buffers; i++)
        if (in->buffers[i] != NULL)
            ADI_TRY(SIM(copy)(base_queue(device), staging, in->buffers[i], 1, 0));
    return 0;
}

static int order(struct adi_device *device, const struct ArrowSchema *schema,
                 struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    void *over;
    if (in->array.n_children > 0) return base_read(device, schema, in, host_out);
    ADI_TRY(device->ops->wait(device, in->sync_event, NULL));
    ADI_TRY(read_later(device, &in->array));
    ADI_TRY(device->ops->event(device, &over, NULL));
    int code = device->ops->wait_on(device, base_lent(in->device_id, "ext_dev.queue"), over, NULL);
    device->ops->event_free(device, over);
    return code == 0 ? ENOTSUP : code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = order;
}
