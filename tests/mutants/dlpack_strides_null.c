/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/strides-null, producer: strides of a compact tensor are NULL, in version 1.2.
 */
#include "base/dlpack.h"

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    (void)request;
    if (out->versioned == NULL) return;
    out->versioned->version.minor = 2;
    out->versioned->dl_tensor.strides = NULL;
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.handed_out = handed_out;
}
