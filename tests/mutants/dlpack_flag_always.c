/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/flag-of-shared, producer: unless copy is False each tensor is called a copy, and all have
 * the same memory.
 */
#include "base/dlpack.h"

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    if (request->copy == -1 && out->versioned != NULL)
        out->versioned->flags = DLPACK_FLAG_BITMASK_IS_COPIED;
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.handed_out = handed_out;
}
