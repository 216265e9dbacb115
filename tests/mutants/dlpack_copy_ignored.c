/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/copy-not-made, producer: with copy True it hands out the memory that it has, and calls it
 * a copy.
 */
#include "base/dlpack.h"

static int ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
               struct adi_dlpack_tensor *out) {
    struct adi_dlpack_request without = *request;
    without.copy = -1;
    int code = base_tensor_ask(self, &without, out);
    if (code == 0 && request->copy == 1 && out->versioned != NULL)
        out->versioned->flags = DLPACK_FLAG_BITMASK_IS_COPIED;
    return code;
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.ask = ask;
}
