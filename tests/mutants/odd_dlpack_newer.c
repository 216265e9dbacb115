/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Version 1.9, with a flag that nobody knows yet.
 */
#include "base/dlpack.h"

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    (void)request;
    if (out->versioned == NULL) return;
    out->versioned->version.minor = 9;
    out->versioned->flags |= 1 << 5;
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.handed_out = handed_out;
}
