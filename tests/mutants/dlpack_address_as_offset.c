/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/data-null, producer: data is NULL, and byte_offset the address of the elements.
 */
#include "base/dlpack.h"

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    (void)request;
    DLTensor *tensor = base_within_out(out);
    tensor->byte_offset += (uintptr_t)tensor->data;
    tensor->data = NULL;
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.handed_out = handed_out;
}
