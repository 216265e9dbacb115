/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the consumer waits by asking a command buffer for its status over and over.
 */
#include "metal/metal.h"

static int poll(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)error;
    if (sync_event == NULL) return 0;
    void *pool = adi_metal_push();
    void *commands = adi_mtl_commandBuffer(base_metal(device)->queue);
    adi_mtl_encodeWait(commands, sync_event, ADI_METAL_VALUE);
    adi_mtl_commit(commands);
    while (adi_mtl_status(commands) < ADI_METAL_COMPLETED) continue;
    adi_metal_pop(pool);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = poll;
}
