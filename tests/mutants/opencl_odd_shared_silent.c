/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the buffers are shared virtual memory of a context of its own, and have been written.
 */
#include "opencl/opencl.h"
/* needs the base */
#include "shared_memory.h"

static cl_context context_of(struct adi_device *device) {
    return base_context(device);
}

static cl_command_queue queue_of(struct adi_device *device) {
    return base_queue(device);
}

static int no_event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)device, (void)error;
    *sync_event = NULL;
    return 0;
}

void mutate(void) {
    share();
    base.ops.event = no_event;
}
