/* SPDX-License-Identifier: Apache-2.0
 *
 * A ring in the memory of the host: each export is laid out in one part of it.
 */
#ifndef HOST_RING_H
#define HOST_RING_H

#include <errno.h>
#include <stdatomic.h>

#include "base/implementation.h"

#define PARTS 4
#define PART  ((size_t)1 << 20)

static struct ring_part {
    atomic_size_t live; /* buffers in it */
    _Alignas(64) char room[PART];
} parts[PARTS];
static size_t at_hand, used;

/* Which part comes next? PARTS: there is none. */
static size_t next_part(void);

static void *take(size_t bytes) {
    size_t at = used;
    used += (bytes + 63) / 64 * 64;
    if (used > PART) return NULL;
    atomic_fetch_add(&parts[at_hand].live, 1);
    return parts[at_hand].room + at;
}

static void give_back(void *buffer) {
    if (buffer == NULL) return;
    size_t which = (size_t)((char *)buffer - (char *)parts) / sizeof parts[0];
    atomic_fetch_sub(&parts[which].live, 1);
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    size_t next = next_part();
    if (next == PARTS) return ENOMEM;
    at_hand = next;
    used = 0;
    return base_produce(self, type, device_id, schema, host, schema_out, out);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.adapter.produce = produce;
    base.buffer_alloc = take;
    base.buffer_free = give_back;
}

#endif /* HOST_RING_H */
