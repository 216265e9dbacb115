/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/stream-ignored, producer: the stream that is passed waits for memory that is shared, and
 * not for a copy of it.
 */
#include "../device/device_base.h"

static int ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
               struct adi_dlpack_tensor *out) {
    struct adi_dlpack_request unordered = *request;
    if (request->copy == 1 && request->stream > 0) unordered.stream = -1;
    return base_ask(self, &unordered, out);
}

void mutate(void) {
    base.roles = ADI_PRODUCES_DLPACK;
    base.ask = ask;
}
