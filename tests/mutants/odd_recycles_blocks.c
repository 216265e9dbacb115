/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. An export's buffers lie in a block that the last part of it gives back; the
 * next export is laid out in it.
 */
#include <errno.h>
#include <stdatomic.h>

#include "base/implementation.h"

#define BLOCKS 16
#define BLOCK  ((size_t)1 << 20)

static struct {
    atomic_size_t live; /* buffers in it */
    _Alignas(64) char room[BLOCK];
} blocks[BLOCKS];
static size_t at_hand, used;

static void *take(size_t bytes) {
    size_t at = used;
    if (at_hand == BLOCKS) return NULL;
    used += (bytes + 63) / 64 * 64;
    if (used > BLOCK) return NULL;
    atomic_fetch_add(&blocks[at_hand].live, 1);
    return blocks[at_hand].room + at;
}

static void give_back(void *buffer) {
    if (buffer == NULL) return;
    size_t which = (size_t)((char *)buffer - (char *)blocks) / sizeof blocks[0];
    atomic_fetch_sub(&blocks[which].live, 1);
}

static void begin(void) {
    used = at_hand = 0;
    while (at_hand < BLOCKS && atomic_load(&blocks[at_hand].live) > 0) at_hand++;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    begin();
    return base_produce(self, type, device_id, schema, host, schema_out, out);
}

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    begin();
    return base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.adapter.produce = produce;
    base.adapter.consume = consume;
    base.buffer_alloc = take;
    base.buffer_free = give_back;
}
