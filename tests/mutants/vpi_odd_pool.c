/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the buffers are parts of one allocation, and the engine is on another part of it, with the
 * next batch, when the array is handed out.
 */
#include "vpi_pool.h"

static int start_next(struct adi_device *device, void **sync_event, struct adi_error *error) {
    static const char next[64] = "the next batch";
    const struct pool *pool = &pools[device->id];
    *sync_event = NULL;
    ADI_TRY(finish_first());
    (void)error;
    if (pool->block != NULL) start(base_address(pool->block) + (uint64_t)pool->used, next, 64);
    return 0;
}

void mutate(void) {
    make_vpi_pool();
    base.ops.event = start_next;
    (void)be_early;
    (void)event_and_next;
}
