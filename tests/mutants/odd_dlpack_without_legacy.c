/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Who names no version, or one before 1.0, gets no tensor.
 */
#include <errno.h>

#include "base/dlpack.h"

static int ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
               struct adi_dlpack_tensor *out) {
    return request->max_major == 0 ? ENOTSUP : base_tensor_ask(self, request, out);
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.ask = ask;
}
