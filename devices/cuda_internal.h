/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the CUDA backends: one open device, whose buffers are of one of three kinds.
 */
#ifndef ADI_CUDA_INTERNAL_H
#define ADI_CUDA_INTERNAL_H

#include "cuda_api.h"
#include "device.h"
#include "made.h"

enum adi_cuda_memory {
    ADI_CUDA_DEVICE,
    ADI_CUDA_PINNED,
    ADI_CUDA_MANAGED,
};

struct adi_cuda {
    const struct adi_cuda_api *api;
    enum adi_cuda_memory memory;
    adi_cu_context context; /* the primary one, retained */
    adi_cu_stream stream;
    int ordinal;
    struct adi_made_buffers buffers;
    struct adi_made_queue known; /* of the stream */
};

/* ---- cuda_memory.c ---- */

/* Makes the device's context the calling thread's current one until `leave`, which returns
 * `code`. */
int adi_cuda_enter(const struct adi_cuda *cuda, struct adi_error *error);
int adi_cuda_leave(const struct adi_cuda *cuda, int code);

/* Slots of ref/device.h. */

int adi_cuda_alloc(struct adi_device *device, int64_t bytes, void **buffer,
                   struct adi_error *error);
void adi_cuda_free(struct adi_device *device, void *buffer);
int adi_cuda_alloc_visible(struct adi_device *device, int64_t bytes, void **buffer,
                           struct adi_error *error);
void adi_cuda_free_visible(struct adi_device *device, void *buffer);
int adi_cuda_write(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                   int64_t bytes, struct adi_error *error);
int adi_cuda_read(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                  int64_t bytes, struct adi_error *error);
int adi_cuda_pointer_attributes(struct adi_device *device, const void *pointer,
                                struct adi_pointer_attributes *out, struct adi_error *error);
bool adi_cuda_accessible(struct adi_device *device, const void *buffer, struct adi_error *why);

#endif /* ADI_CUDA_INTERNAL_H */
