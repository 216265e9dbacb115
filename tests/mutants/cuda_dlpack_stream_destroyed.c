/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/stream-destroyed, producer: the stream that is passed is destroyed when it has been waited
 * on, as if it had been handed over.
 */
#include "device/device_base.h"

static int ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
               struct adi_dlpack_tensor *out) {
    int (*destroy)(void *) = (int (*)(void *))base_function("cuStreamDestroy_v2");
    int code = base_ask(self, request, out);
    if (code == 0 && request->stream > 2) destroy((void *)(uintptr_t)request->stream);
    return code;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_DLPACK;
    base.ask = ask;
}
