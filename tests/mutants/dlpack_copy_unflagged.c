/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/copied-flag-missing, producer: a copy that was asked for does not say that it is one.
 */
#include "base/dlpack.h"

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    if (request->copy == 1 && out->versioned != NULL) out->versioned->flags = 0;
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.handed_out = handed_out;
}
