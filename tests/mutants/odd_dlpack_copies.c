/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Each tensor is a copy and says so; where there is to be none there is no
 * tensor.
 */
#include <errno.h>

#include "base/dlpack.h"

static int ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
               struct adi_dlpack_tensor *out) {
    struct adi_dlpack_request copied = *request;
    copied.copy = 1;
    return request->copy == 0 ? ENOTSUP : base_tensor_ask(self, &copied, out);
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.ask = ask;
}
