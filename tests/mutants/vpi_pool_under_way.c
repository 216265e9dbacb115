/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/data-not-ready, producer: the buffers are parts of one allocation, and the engine is still
 * on the last byte of them when the array is handed out.
 */
#include "vpi_pool.h"

static int start_last(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                      int64_t bytes, struct adi_error *error) {
    uint64_t at = base_address(buffer) + (uint64_t)(offset + bytes - 1);
    ADI_TRY(write_when_idle(device, buffer, offset, from, bytes, error));
    start(at, (const char *)from + bytes - 1, 1);
    return 0;
}

static int no_event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)device, (void)error;
    *sync_event = NULL;
    return 0;
}

void mutate(void) {
    make_vpi_pool();
    base.ops.write = start_last;
    base.ops.event = no_event;
    (void)be_early;
}
