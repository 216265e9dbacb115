/* SPDX-License-Identifier: Apache-2.0 */
#include "weigh.h"

#include <stddef.h>

#include "heap.h"

/* How often it is done again: what the allocator itself wastes grows and shrinks. */
#define REPEATS 12

struct adi_weight adi_weigh(struct adi_adapter *adapter) {
    int64_t own = adapter->bytes_allocated == NULL ? -1 : adapter->bytes_allocated(adapter);
    return (struct adi_weight){.heap = adi_heap_bytes(), .own = own < 0 ? 0 : own};
}

int64_t adi_weigh_loss(struct adi_adapter *adapter, struct adi_weight before,
                       void (*again)(void *context), void *context) {
    struct adi_weight after = adi_weigh(adapter);
    int64_t heap = after.heap - before.heap, own = after.own - before.own;
    for (int i = 0; i < REPEATS && (heap > 0 || own > 0); i++) {
        before = adi_weigh(adapter);
        again(context);
        after = adi_weigh(adapter);
        if (after.heap - before.heap < heap || heap <= 0) heap = after.heap - before.heap;
        if (after.own - before.own < own || own <= 0) own = after.own - before.own;
    }
    int64_t lost = own > heap ? own : heap;
    return lost > 0 ? lost : 0;
}
