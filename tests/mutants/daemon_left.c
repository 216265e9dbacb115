/* SPDX-License-Identifier: Apache-2.0
 *
 * life/process-left-behind, consumer. Planted: a helper process is started and never ended.
 */
#include <unistd.h>

#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    if (fork() == 0) {
        sleep(600);
        _exit(0);
    }
    return base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
