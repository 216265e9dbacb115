/* SPDX-License-Identifier: Apache-2.0 */
/* Says that it consumes streams, and has no function for it. */
#include <adapter.h>
#include <stddef.h>

static unsigned roles(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    (void)self, (void)id;
    return type == ARROW_DEVICE_CPU ? ADI_CONSUMES_STREAM : 0;
}

struct adi_adapter *adi_adapter(void) {
    static struct adi_adapter adapter = {sizeof adapter, ADI_ADAPTER_VERSION,
                                         "empty slot of streams", "1", .roles = roles};
    return &adapter;
}
