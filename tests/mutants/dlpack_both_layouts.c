/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/not-one-tensor, producer: the same memory is handed out in both layouts at once.
 */
#include "base/dlpack.h"

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    (void)request;
    if (out->legacy == NULL) out->legacy = (struct DLManagedTensor *)(void *)out->versioned;
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.handed_out = handed_out;
}
