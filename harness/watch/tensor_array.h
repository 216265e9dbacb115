/* SPDX-License-Identifier: Apache-2.0
 *
 * What an adapter hands out for tensors to be asked of, over a source of the reference's
 * (ref/dlpack.h).
 */
#ifndef ADI_TENSOR_ARRAY_H
#define ADI_TENSOR_ARRAY_H

#include "adapter.h"
#include "dlpack.h"

/* Makes `*out` of the source, which its release closes. Why it refuses comes into `*why`, which
 * lives as long. ENOMEM: the source stays the caller's. */
int adi_tensor_array_open(struct adi_dlpack_source *source, struct adi_error *why,
                          struct adi_dlpack_array *out);

/* The arguments of a request, which may be of an older header. */
struct adi_dlpack_arguments adi_tensor_arguments(const struct adi_dlpack_request *request);

#endif /* ADI_TENSOR_ARRAY_H */
