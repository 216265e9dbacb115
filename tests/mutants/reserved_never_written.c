/* SPDX-License-Identifier: Apache-2.0
 *
 * array/reserved-not-zero, producer. Arrow C++ ExportDeviceArray (515410b), cudf to_arrow_device,
 * arrow-dotnet, arrow-go: `reserved` is never written.
 */
#include <string.h>

#include "base/implementation.h"

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    int64_t before[3];
    memcpy(before, out->reserved, sizeof before);
    int code = base_produce(self, type, device_id, schema, host, schema_out, out);
    if (code == 0) memcpy(out->reserved, before, sizeof before);
    return code;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.adapter.produce = produce;
}
