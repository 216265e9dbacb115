/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ref/: what both directions of the CUDA Array Interface share.
 */
#ifndef ADI_CUDA_ARRAY_INTERNAL_H
#define ADI_CUDA_ARRAY_INTERNAL_H

#include "cuda_array_interface.h"

/* Are strides given, and to be looked at? */
static inline bool adi_cuda_array_is_strided(const struct adi_cuda_array *array) {
    return array->has_strides == ADI_ENTRY_GIVEN;
}

/* Is there a stream to wait for? Up to version 2 a key of that name is none of the interface's. */
static inline bool adi_cuda_array_has_stream(const struct adi_cuda_array *array) {
    return array->version >= 3 && array->has_stream == ADI_ENTRY_GIVEN;
}

/* The driver's stream of a number, as `record_on` and `wait_on` take it; `queue` may be NULL.
 * EINVAL: 0, which is forbidden, or no handle. */
int adi_cuda_array_queue(int64_t stream, void **queue, struct adi_error *error);

/* Is it of the CUDA family, and can it be asked what is needed? ENOTSUP: no. */
int adi_cuda_array_want_device(const struct adi_device *device, struct adi_error *error);

#endif /* ADI_CUDA_ARRAY_INTERNAL_H */
