/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/stream-ignored, producer: 2, the default stream of the calling thread, is taken for no
 * stream.
 */
#include "device/device_base.h"

static int ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
               struct adi_dlpack_tensor *out) {
    struct adi_dlpack_request unordered = *request;
    if (request->stream == 2) unordered.stream = -1;
    return base_ask(self, &unordered, out);
}

void mutate(void) {
    base.roles = ADI_PRODUCES_DLPACK;
    base.ask = ask;
}
