/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks every signal for int32, and crashes in a later case if that still holds there. */
#include <signal.h>

#include "hostile.h"

static void misbehave(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    sigset_t now;
    sigprocmask(SIG_SETMASK, NULL, &now);
    if (strcmp(schema->format, "l") == 0 && sigismember(&now, SIGTERM)) fault();
    return hostile_produce(self, type, id, schema, host, schema_out, out);
}

__attribute__((constructor)) static void change(void) {
    hostile.produce = produce;
}
