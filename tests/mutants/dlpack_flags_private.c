/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/flags-unknown, producer: a bit of flags is used for something of its own.
 */
#include "base/dlpack.h"

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    (void)request;
    if (out->versioned != NULL) out->versioned->flags |= 1 << 8;
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.handed_out = handed_out;
}
