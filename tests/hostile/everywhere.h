/* SPDX-License-Identifier: Apache-2.0
 *
 * The rest of an adapter that misbehaves everywhere: it plays every role on every device, and each
 * of its calls does what the adapter defines as `misbehave`, and is refused should that return.
 */
#ifndef EVERYWHERE_H
#define EVERYWHERE_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include <adapter.h>

static void misbehave(void);

static unsigned everywhere_roles(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    (void)self, (void)type, (void)id;
    return ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS;
}

static int everywhere_produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                              struct ArrowSchema *schema, struct ArrowArray *host,
                              struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self, (void)type, (void)id, (void)schema, (void)host, (void)schema_out, (void)out;
    misbehave();
    return ENOTSUP;
}

static int everywhere_consume(struct adi_adapter *self, struct ArrowSchema *schema,
                              struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                              struct ArrowArray *host_out) {
    (void)self, (void)schema, (void)in, (void)schema_out, (void)host_out;
    misbehave();
    return ENOTSUP;
}

static int everywhere_relay(struct adi_adapter *self, struct ArrowSchema *schema,
                            struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                            struct ArrowDeviceArray *out) {
    (void)self, (void)schema, (void)in, (void)schema_out, (void)out;
    misbehave();
    return ENOTSUP;
}

static struct adi_adapter everywhere = {
    .size = sizeof everywhere,
    .version = ADI_ADAPTER_VERSION,
    .name = "everywhere",
    .release_name = "1",
    .roles = everywhere_roles,
    .produce = everywhere_produce,
    .consume = everywhere_consume,
    .relay = everywhere_relay,
};

struct adi_adapter *adi_adapter(void) {
    return &everywhere;
}

#endif /* EVERYWHERE_H */
