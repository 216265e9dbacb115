/* SPDX-License-Identifier: Apache-2.0 */
/* Hands host arrays on as CPU device arrays, and declares a role that no version has yet. */
#include <adapter.h>
#include <stddef.h>

static unsigned roles(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    (void)self, (void)id;
    const unsigned later = 2 * ADI_RELAYS_STREAM;
    return type == ARROW_DEVICE_CPU ? ADI_PRODUCES | later : later;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self, (void)id;
    *schema_out = *schema;
    *out = (struct ArrowDeviceArray){.array = *host, .device_id = -1, .device_type = type};
    schema->release = NULL;
    host->release = NULL;
    return 0;
}

struct adi_adapter *adi_adapter(void) {
    static struct adi_adapter streams = {
        .size = sizeof streams,
        .version = ADI_ADAPTER_VERSION,
        .name = "streams",
        .release_name = "1",
        .roles = roles,
        .produce = produce,
    };
    return &streams;
}
