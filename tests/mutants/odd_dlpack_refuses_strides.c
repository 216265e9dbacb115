/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. What is not compact, or does not begin at data, is refused.
 */
#include <errno.h>

#include "base/dlpack.h"

static int look(const struct adi_dlpack_tensor *tensor, const struct adi_dlpack_array *in) {
    int code = base_tensor_look(tensor, in);
    const DLTensor *within = code == 0 ? base_within(tensor) : NULL;
    if (code != 0 || within->strides == NULL) return code;
    int64_t next = 1;
    for (int i = within->ndim - 1; i >= 0; i--) {
        if (within->strides[i] != next) return ENOTSUP;
        next *= within->shape[i];
    }
    return within->byte_offset == 0 ? 0 : ENOTSUP;
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.look = look;
}
