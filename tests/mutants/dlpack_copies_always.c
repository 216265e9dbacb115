/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/copied-unasked, producer: it always copies, with copy False, too.
 */
#include "base/dlpack.h"

static int ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
               struct adi_dlpack_tensor *out) {
    struct adi_dlpack_request copied = *request;
    copied.copy = 1;
    return base_tensor_ask(self, &copied, out);
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.ask = ask;
}
