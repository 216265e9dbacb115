/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/data-not-ready, producer: it asks to be told when the work is done, and hands out before it
 * has been.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static int told;

static int only_asked(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)error;
    base_ask_when_done(device, &told);
    *sync_event = NULL;
    return 0;
}

/* It does hear of it, later. */
static void free_later(struct adi_device *device, void *buffer) {
    wgpu.DevicePoll(base_on(device)->device, 1, NULL);
    base.right.free(device, buffer);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = only_asked;
    base.ops.free = free_later;
}
