/* SPDX-License-Identifier: Apache-2.0
 *
 * oneAPI, by dpctl's functions. sync_event is the event itself.
 */
#ifndef ONEAPI_BASE_H
#define ONEAPI_BASE_H

#include "../device/device_base.h"
#include "devices.h"
#include "dpctl_abi.h"

DPCTLSyclQueueRef base_queue(struct adi_device *device);
/* A queue of the implementation that is not in order, by device. */
DPCTLSyclQueueRef base_unordered(struct adi_device *device);
/* A copy of the bytes that stays where it is for long, as SYCL wants it of what a command reads. */
void *base_lasting(const void *from, int64_t bytes);
/* Queues a copy; the event is given up. 0, or EIO. */
int base_copy_on(DPCTLSyclQueueRef queue, void *to, const void *from, int64_t bytes);
/* Memory of the host for the implementation, 1 MiB, which the CPU reaches; NULL: there is none. */
char *base_staging(struct adi_device *device);

static inline char *base_at(const void *buffer, int64_t offset) {
    return (char *)(uintptr_t)buffer + offset;
}

/* A function of the runtime: SYCL(DPCTLQueue_Wait)(queue). */
#define SYCL(name) ((__typeof__(&name))base_function(#name))

#endif /* ONEAPI_BASE_H */
