/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/waits-unasked, producer: with stream -1 it waits on the host.
 */
#include "../device/device_base.h"

static int ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
               struct adi_dlpack_tensor *out) {
    struct adi_device *device = base_last();
    void *event;
    if (request->stream == -1 && base.right.event(device, &event, NULL) == 0) {
        base.right.wait_host(device, event, NULL);
        base.right.event_free(device, event);
    }
    return base_ask(self, request, out);
}

void mutate(void) {
    base.roles = ADI_PRODUCES_DLPACK;
    base.ask = ask;
}
