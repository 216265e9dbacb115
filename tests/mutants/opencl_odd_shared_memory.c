/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the buffers are shared virtual memory of a context of its own.
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

void mutate(void) {
    share();
}
