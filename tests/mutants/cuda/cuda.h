/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA, and the types of its kin. While the implementation runs its device's context is the current
 * one.
 */
#ifndef CUDA_BASE_H
#define CUDA_BASE_H

#include "../device/device_base.h"
#include "cuda_abi.h"
#include "devices.h"

/* For `mutate`, before it changes anything else: it is for another type than CUDA. What
 * base_allocates makes is filled by cuMemcpyAsync. */
void base_is_for(const struct adi_device_ops *device);

extern bool base_stays; /* it leaves its context where it was pushed */

CUcontext base_context(struct adi_device *device);
CUstream base_stream(struct adi_device *device);
/* Pinned memory of the implementation, 1 MiB; NULL: there is none. */
char *base_staging(void);

static inline CUdeviceptr base_address(const void *pointer) {
    return (CUdeviceptr)(uintptr_t)pointer;
}

/* A function of the driver: CU(cuStreamSynchronize)(stream). */
#define CU(name) ((__typeof__(&name))base_function(#name))

#endif /* CUDA_BASE_H */
