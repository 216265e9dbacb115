/* SPDX-License-Identifier: Apache-2.0
 *
 * array/unaligned-input-crashes, consumer. Planted: offsets at an odd address end the process, as
 * they did in debug builds of arrow-rs up to 60.1.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    bool lives = schema->release != NULL && in->array.release != NULL;
    if (lives && strcmp(schema->format, "u") == 0 &&
        (uintptr_t)in->array.buffers[1] % sizeof(int32_t) != 0)
        abort();
    return base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.adapter.consume = consume;
}
