/* SPDX-License-Identifier: Apache-2.0
 *
 * A pool in shared virtual memory, which is written by commands that nobody waits for.
 */
#ifndef OPENCL_SHARED_POOL_H
#define OPENCL_SHARED_POOL_H

#include "opencl/opencl.h"
/* needs the base */
#include "pool.h"
#include "shared_memory.h"

#define STAGING (1 << 20)

static cl_context context_of(struct adi_device *device) {
    return base_context(device);
}

static cl_command_queue queue_of(struct adi_device *device) {
    return base_queue(device);
}

/* What is copied has to stay until it was; whoever blocks waits for all that came before. */
static int write_later(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                       int64_t bytes, struct adi_error *error) {
    static char staging[STAGING];
    static int64_t used;
    if (bytes == 0) return 0;
    if (used + bytes > STAGING) {
        used = 0;
        return write_shared(device, buffer, offset, from, bytes, error);
    }
    char *kept = staging + used;
    used += bytes;
    memcpy(kept, from, (size_t)bytes);
    cl_int code = base_api->clEnqueueSVMMemcpy(queue_of(device), CL_FALSE, (char *)buffer + offset,
                                               kept, (size_t)bytes, 0, NULL, NULL);
    return adi_opencl_check("clEnqueueSVMMemcpy", code, error);
}

static void make_shared_pool(void) {
    share();
    base.ops.write = write_later;
    make_pool(&base.ops);
}

#endif /* OPENCL_SHARED_POOL_H */
