/* SPDX-License-Identifier: Apache-2.0
 *
 * A correct implementation for OpenCL, from which every mutant of this folder departs in one point:
 * `mutate`, which each file defines, changes functions of the device or what comes out.
 */
#ifndef OPENCL_BASE_H
#define OPENCL_BASE_H

#include "adapter.h"
#include "devices.h"
#include "opencl_api.h"

struct opencl_base {
    unsigned roles;
    struct adi_device_ops ops; /* the device that the implementation works with */
    const struct adi_opencl_api *api;
    const struct adi_host *host;
    void (*exported)(
        struct ArrowDeviceArray *out); /* may change what is handed out; NULL: does not */
    /* Copies to the host; the caller releases `in`. */
    int (*read)(struct adi_device *device, const struct ArrowSchema *schema,
                struct ArrowDeviceArray *in, struct ArrowArray *host_out);
    void (*released)(struct adi_device *device); /* called after the release of an input; NULL */
    int64_t id; /* of the device that it really works with; -1: the one that it was asked for */
};
extern struct opencl_base base;

void mutate(void);

/* How `read` is done right. */
int base_read(struct adi_device *device, const struct ArrowSchema *schema,
              struct ArrowDeviceArray *in, struct ArrowArray *host_out);
/* The context and the queue of a device. */
cl_context base_context(struct adi_device *device);
cl_command_queue base_queue(struct adi_device *device);
/* The kernel of the source, which is built once a context and goes with the process; NULL: none can
 * be built. One source a process. */
cl_kernel base_kernel(struct adi_device *device, cl_context context, const char *source,
                      const char *name);
/* A new queue of the device in the context that a buffer of somebody else's is of. */
int base_queue_of(struct adi_device *device, const void *buffer, cl_context *context,
                  cl_command_queue *queue, struct adi_error *error);

#endif /* OPENCL_BASE_H */
