/* SPDX-License-Identifier: Apache-2.0
 *
 * life/released-at-move, consumer. Planted: a relay retains the buffers and the event, releases its
 * input at once, and hands on what it has retained. That keeps the cl_mem alive; what is in it is
 * the producer's again.
 */
#include <stdlib.h>

#include "opencl/retains.h"

struct owned {
    const void *buffers[3];
    cl_event event;
};

static void release(struct ArrowArray *array) {
    struct owned *owned = array->private_data;
    if (owned->event != NULL) base_api->clReleaseEvent(owned->event);
    give_back(NULL);
    free(owned);
    array->release = NULL;
}

/* An array without children. */
static void hand_on(struct ArrowDeviceArray *out) {
    struct ArrowArray in = out->array;
    struct owned *owned = calloc(1, sizeof *owned);
    if (owned == NULL || in.n_children > 0 || in.n_buffers > 3) {
        free(owned);
        return;
    }
    retain(&in);
    for (int64_t i = 0; i < in.n_buffers; i++) owned->buffers[i] = in.buffers[i];
    if (out->sync_event != NULL) {
        owned->event = *(cl_event *)out->sync_event;
        base_api->clRetainEvent(owned->event);
        out->sync_event = &owned->event;
    }
    out->array.buffers = owned->buffers;
    out->array.private_data = owned;
    out->array.release = release;
    in.release(&in);
}

void mutate(void) {
    base.roles = ADI_RELAYS;
    base.exported = hand_on;
}
