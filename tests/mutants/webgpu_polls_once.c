/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/data-not-ready, producer: it looks once whether the work is done, without waiting, and does
 * not look at the answer.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static int looked(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)error;
    wgpu.DevicePoll(base_on(device)->device, 0, NULL);
    *sync_event = NULL;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = looked;
}
