/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/stream-accepted, producer: of the CPU it takes any stream, as there is nothing to be done
 * with it.
 */
#include "base/dlpack.h"

static int ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
               struct adi_dlpack_tensor *out) {
    struct adi_dlpack_request without = *request;
    without.stream = ADI_DLPACK_NONE;
    return base_tensor_ask(self, &without, out);
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.ask = ask;
}
