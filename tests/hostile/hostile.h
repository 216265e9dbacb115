/* SPDX-License-Identifier: Apache-2.0
 *
 * The rest of a hostile adapter: it produces on the CPU, refuses every type but int32, and for
 * int32 calls `misbehave`, which each adapter defines. Should that return, int32 is refused too.
 */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <adapter.h>

static void misbehave(void);

static const struct adi_host *harness;

/* A write to where there is nothing, which no compiler takes away. */
static inline void fault(void) {
    volatile uintptr_t nowhere = 8;
    *(volatile int *)nowhere = 1;
}

static unsigned hostile_roles(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    (void)self, (void)id;
    return type == ARROW_DEVICE_CPU ? ADI_PRODUCES : 0;
}

static int hostile_open(struct adi_adapter *self, const struct adi_host *host) {
    (void)self;
    harness = host;
    return 0;
}

static int hostile_produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                           struct ArrowSchema *schema, struct ArrowArray *host,
                           struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self, (void)type, (void)id, (void)host, (void)schema_out, (void)out;
    if (strcmp(schema->format, "i") == 0) misbehave();
    return ENOTSUP;
}

static struct adi_adapter hostile = {
    .size = sizeof hostile,
    .version = ADI_ADAPTER_VERSION,
    .name = "hostile",
    .release_name = "1",
    .roles = hostile_roles,
    .open = hostile_open,
    .produce = hostile_produce,
};

struct adi_adapter *adi_adapter(void) {
    return &hostile;
}

#endif /* HOSTILE_H */
