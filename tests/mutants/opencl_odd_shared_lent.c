/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the buffers are shared virtual memory of the context that the harness works with.
 */
#include "opencl/opencl.h"
/* needs the base */
#include "shared_memory.h"

static const void *lent(struct adi_device *device, const char *what) {
    return base.host->get(base.host, ARROW_DEVICE_OPENCL, device->id, what);
}

static cl_context context_of(struct adi_device *device) {
    return (cl_context)(uintptr_t)lent(device, "opencl.context");
}

static cl_command_queue queue_of(struct adi_device *device) {
    return (cl_command_queue)(uintptr_t)lent(device, "opencl.queue");
}

void mutate(void) {
    share();
}
