/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. What was imported is released when the adapter is closed, all of it.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/implementation.h"

static struct kept {
    struct kept *next;
    struct ArrowSchema schema;
    struct ArrowArray array;
} * all;

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    (void)self;
    if (schema->release == NULL || in->array.release == NULL) return EINVAL;
    struct kept *kept = malloc(sizeof *kept);
    int code = kept == NULL ? ENOMEM : base_read(schema, in, schema_out, host_out);
    if (code != 0) {
        free(kept);
        return code;
    }
    *kept = (struct kept){all, *schema, in->array};
    all = kept;
    schema->release = NULL;
    in->array.release = NULL;
    return 0;
}

static void close_adapter(struct adi_adapter *self) {
    (void)self;
    while (all != NULL) {
        struct kept *kept = all;
        all = kept->next;
        kept->schema.release(&kept->schema);
        kept->array.release(&kept->array);
        free(kept);
    }
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
    base.adapter.close = close_adapter;
}
