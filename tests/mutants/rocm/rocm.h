/* SPDX-License-Identifier: Apache-2.0
 *
 * ROCm, and its pinned memory. While the implementation runs its device is the current one.
 */
#ifndef ROCM_BASE_H
#define ROCM_BASE_H

#include "../device/device_base.h"
#include "devices.h"
#include "hip_abi.h"

/* For `mutate`, before it changes anything else: it is for ROCM_HOST. What base_allocates makes is
 * filled by hipMemcpyAsync. */
void base_is_for_host(void);

extern bool base_stays; /* it leaves its device the current one */

hipStream_t base_stream(struct adi_device *device);
/* Pinned memory of the implementation, 1 MiB; NULL: there is none. */
char *base_staging(void);

static inline char *base_at(const void *buffer, int64_t offset) {
    return (char *)(uintptr_t)buffer + offset;
}

/* A function of the runtime: HIP(hipStreamSynchronize)(stream). */
#define HIP(name) ((__typeof__(&name))base_function(#name))

#endif /* ROCM_BASE_H */
