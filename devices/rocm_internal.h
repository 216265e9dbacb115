/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the ROCm backends: one open device, whose buffers are of one of two kinds.
 */
#ifndef ADI_ROCM_INTERNAL_H
#define ADI_ROCM_INTERNAL_H

#include "device.h"
#include "made.h"
#include "rocm_api.h"

struct adi_rocm {
    const struct adi_rocm_api *api;
    bool is_pinned; /* its buffers are of the host */
    adi_hip_stream stream;
    int ordinal;
    struct adi_made_buffers buffers;
    struct adi_made_queue known; /* of the stream */
};

/* ---- rocm_memory.c ---- */

/* Makes a device the calling thread's current one until `leave`, which returns `code`; `before` is
 * for that. */
int adi_rocm_enter(const struct adi_rocm *rocm, int device, int *before, struct adi_error *error);
int adi_rocm_leave(const struct adi_rocm *rocm, int device, int before, int code);

/* Slots of ref/device.h. */

int adi_rocm_alloc(struct adi_device *device, int64_t bytes, void **buffer,
                   struct adi_error *error);
void adi_rocm_free(struct adi_device *device, void *buffer);
int adi_rocm_alloc_visible(struct adi_device *device, int64_t bytes, void **buffer,
                           struct adi_error *error);
void adi_rocm_free_visible(struct adi_device *device, void *buffer);
int adi_rocm_write(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                   int64_t bytes, struct adi_error *error);
int adi_rocm_read(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                  int64_t bytes, struct adi_error *error);
int adi_rocm_pointer_attributes(struct adi_device *device, const void *pointer,
                                struct adi_pointer_attributes *out, struct adi_error *error);
bool adi_rocm_accessible(struct adi_device *device, const void *buffer, struct adi_error *why);

#endif /* ADI_ROCM_INTERNAL_H */
