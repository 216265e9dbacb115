/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: a queue that is not in order writes, and the event is a barrier behind all that is in it.
 */
#include <errno.h>

#include "oneapi/oneapi.h"

static int write(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                 int64_t bytes, struct adi_error *error) {
    (void)error;
    return base_copy_on(base_unordered(device), base_at(buffer, offset), base_lasting(from, bytes),
                        bytes);
}

static int event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)error;
    *sync_event = SYCL(DPCTLQueue_SubmitBarrier)(base_unordered(device));
    return *sync_event == NULL ? ENOMEM : 0;
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
