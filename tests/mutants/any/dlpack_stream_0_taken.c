/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/ambiguous-stream-accepted, producer: stream 0 is taken for the legacy default stream.
 */
#include "../device/device_base.h"

static int ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
               struct adi_dlpack_tensor *out) {
    struct adi_dlpack_request other = *request;
    if (other.stream == 0) other.stream = 1;
    return base_ask(self, &other, out);
}

void mutate(void) {
    base.roles = ADI_PRODUCES_DLPACK;
    base.ask = ask;
}
