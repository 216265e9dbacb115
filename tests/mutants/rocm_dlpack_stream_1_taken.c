/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/ambiguous-stream-accepted, producer: stream 1 is taken for the default stream, as on CUDA.
 */
#include "rocm/rocm.h"

static int ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
               struct adi_dlpack_tensor *out) {
    struct adi_dlpack_request other = *request;
    if (other.stream == 1) other.stream = 0;
    return base_ask(self, &other, out);
}

void mutate(void) {
    base.roles = ADI_PRODUCES_DLPACK;
    base.ask = ask;
}
