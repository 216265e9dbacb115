/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/type-malformed, producer: lanes is 0, as of a type that is no vector.
 */
#include "base/dlpack.h"

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    (void)request;
    base_within_out(out)->dtype.lanes = 0;
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.handed_out = handed_out;
}
