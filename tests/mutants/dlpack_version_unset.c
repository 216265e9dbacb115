/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/version-impossible, producer: the structure with a version says 0.0.
 */
#include "base/dlpack.h"

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    (void)request;
    if (out->versioned != NULL) out->versioned->version = (DLPackVersion){0, 0};
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.handed_out = handed_out;
}
