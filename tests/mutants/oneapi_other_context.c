/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer: buffers are memory of a context of its own, in which no
 * queue of a consumer is.
 */
#include <errno.h>

#include "oneapi/oneapi.h"

static DPCTLSyclQueueRef queue;

static DPCTLSyclQueueRef own_queue(struct adi_device *device) {
    if (queue != NULL) return queue;
    DPCTLSyclDeviceRef sycl = SYCL(DPCTLQueue_GetDevice)(base_queue(device));
    DPCTLSyclContextRef context = SYCL(DPCTLContext_Create)(sycl, NULL, 0);
    queue = SYCL(DPCTLQueue_Create)(context, sycl, NULL, DPCTL_IN_ORDER);
    SYCL(DPCTLContext_Delete)(context);
    SYCL(DPCTLDevice_Delete)(sycl);
    return queue;
}

static int alloc(struct adi_device *device, int64_t bytes, void **buffer, struct adi_error *error) {
    (void)error;
    *buffer = SYCL(DPCTLmalloc_device)((size_t)bytes, own_queue(device));
    return *buffer == NULL ? ENOMEM : 0;
}

static int write(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                 int64_t bytes, struct adi_error *error) {
    (void)error;
    return base_copy_on(own_queue(device), base_at(buffer, offset), base_lasting(from, bytes),
                        bytes);
}

static int event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)error;
    *sync_event = SYCL(DPCTLQueue_SubmitBarrier)(own_queue(device));
    return *sync_event == NULL ? ENOMEM : 0;
}

static void give_back(struct adi_device *device, void *buffer) {
    SYCL(DPCTLQueue_Wait)(own_queue(device));
    SYCL(DPCTLfree_with_queue)(buffer, own_queue(device));
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = alloc;
    base.ops.write = write;
    base.ops.event = event;
    base.ops.free = give_back;
}
