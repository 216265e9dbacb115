/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/layout-deprecated, producer: max_version is not looked at, and there is never a version.
 */
#include "base/dlpack.h"

static int ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
               struct adi_dlpack_tensor *out) {
    struct adi_dlpack_request older = *request;
    older.max_major = older.max_minor = 0;
    return base_tensor_ask(self, &older, out);
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.ask = ask;
}
