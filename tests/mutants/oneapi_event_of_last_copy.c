/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: its queue is not in order, and what it hands out is the event of
 * the last copy alone.
 */
#include <errno.h>

#include "oneapi/oneapi.h"

static DPCTLSyclEventRef last;

static int write(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                 int64_t bytes, struct adi_error *error) {
    (void)error;
    if (last != NULL) SYCL(DPCTLEvent_Delete)(last);
    last = SYCL(DPCTLQueue_Memcpy)(base_unordered(device), base_at(buffer, offset),
                                   base_lasting(from, bytes), (size_t)bytes);
    return last == NULL ? EIO : 0;
}

static int event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    if (last == NULL) return base.right.event(device, sync_event, error);
    *sync_event = last;
    last = NULL;
    return 0;
}

static void give_back(struct adi_device *device, void *buffer) {
    SYCL(DPCTLQueue_Wait)(base_unordered(device));
    base.right.free(device, buffer);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = write;
    base.ops.event = event;
    base.ops.free = give_back;
}
