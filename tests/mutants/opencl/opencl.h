/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL.
 */
#ifndef OPENCL_BASE_H
#define OPENCL_BASE_H

#include <stdlib.h>

#include "../device/device_base.h"
#include "devices.h"
#include "opencl_api.h"

extern const struct adi_opencl_api *base_api;

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
