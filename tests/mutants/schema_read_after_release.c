/* SPDX-License-Identifier: Apache-2.0
 *
 * life/use-after-release, consumer. reported in apache/arrow#47296: the schema is read after it
 * was released.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    const volatile char *format = schema->format;
    int code = base_consume(self, schema, in, schema_out, host_out);
    if (code == 0) (void)format[0];
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
