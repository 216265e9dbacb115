/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/layout-unasked, producer: max_version is not looked at, and there is always a version.
 */
#include "base/dlpack.h"

static int ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
               struct adi_dlpack_tensor *out) {
    struct adi_dlpack_request newer = *request;
    newer.max_major = 1;
    return base_tensor_ask(self, &newer, out);
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.ask = ask;
}
