/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Version 1.1, in which strides may be NULL, and nothing is read-only.
 */
#include "base/dlpack.h"

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    (void)request;
    base_within_out(out)->strides = NULL;
    if (out->versioned != NULL) out->versioned->flags &= ~(uint64_t)DLPACK_FLAG_BITMASK_READ_ONLY;
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.handed_out = handed_out;
}
