/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. What is passed on is the very structure that came in.
 */
#include <errno.h>

#include "base/implementation.h"

static int relay(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self;
    if (schema->release == NULL || in->array.release == NULL) return EINVAL;
    *schema_out = *schema;
    *out = *in;
    schema->release = NULL;
    in->array.release = NULL;
    return 0;
}

void mutate(void) {
    base.adapter.relay = relay;
}
