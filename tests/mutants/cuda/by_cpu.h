/* SPDX-License-Identifier: Apache-2.0
 *
 * The CPU at pinned or managed memory.
 */
#ifndef CUDA_BY_CPU_H
#define CUDA_BY_CPU_H

#include <string.h>

#include "cuda.h"

static inline int read_by_cpu(struct adi_device *device, const void *buffer, int64_t offset,
                              void *to, int64_t bytes, struct adi_error *error) {
    (void)device, (void)error;
    memcpy(to, (const char *)buffer + offset, (size_t)bytes);
    return 0;
}

/* Reads, and changes the first byte. */
static inline int read_and_invert(struct adi_device *device, const void *buffer, int64_t offset,
                                  void *to, int64_t bytes, struct adi_error *error) {
    char *at = (char *)(uintptr_t)buffer + offset;
    ADI_TRY(base.right.read(device, buffer, offset, to, bytes, error));
    if (bytes > 0) at[0] = (char)~at[0];
    return 0;
}

#endif /* CUDA_BY_CPU_H */
