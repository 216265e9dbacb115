/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: it asks to be told when the work is done, and has the instance look until it was.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static int processed(struct adi_device *device, void **sync_event, struct adi_error *error) {
    int told = 0;
    (void)error;
    base_ask_when_done(device, &told);
    while (told == 0) wgpu.InstanceProcessEvents(base_instance());
    *sync_event = NULL;
    return told == 1 ? 0 : 5;
}

void mutate(void) {
    base.ops.event = processed;
}
