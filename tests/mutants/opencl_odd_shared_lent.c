/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the buffers are shared virtual memory of the context that the harness works with.
 */
#include "opencl/opencl.h"
/* needs the base */
#include "shared_memory.h"

static cl_context context_of(struct adi_device *device) {
    return base_lent(device->id, "opencl.context");
}

static cl_command_queue queue_of(struct adi_device *device) {
    return base_lent(device->id, "opencl.queue");
}

void mutate(void) {
    share();
}
