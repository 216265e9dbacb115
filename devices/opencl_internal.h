/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/: what the files of the OpenCL backend share.
 */
#ifndef ADI_OPENCL_INTERNAL_H
#define ADI_OPENCL_INTERNAL_H

#include "made.h"
#include "opencl_api.h"

/* A context that buffers or events come from, and our queue in it. The first is our own; others
 * belong to whoever made the buffers that we are to read. */
struct adi_opencl_lane {
    struct adi_opencl_lane *next;
    cl_context context; /* retained */
    cl_command_queue queue;
    bool busy;        /* something has been queued since the last time that all had run */
    cl_kernel kernel; /* of the checksum; NULL: not built yet */
};

struct adi_opencl {
    const struct adi_opencl_api *api;
    cl_device_id device;
    struct adi_opencl_lane *first;
    struct adi_opencl_lane *waiting; /* the place whose queue waits for `waited` */
    cl_event waited;                 /* retained; NULL: none */
    cl_event pause_event;            /* pauses the first lane's queue; NULL: it is not paused */
    struct adi_made_queue known;     /* of the first lane's queue */
};

/* CL_COMPLETE, more: it is on its way, less: it failed. */
cl_int adi_opencl_status(const struct adi_opencl *opencl, cl_event event);
/* Blocks until `event` is complete. ETIMEDOUT: it was not within ADI_WAIT_MS milliseconds (2000
 * unless the environment says otherwise). EIO: it ended in an error. */
int adi_opencl_settle(const struct adi_opencl *opencl, cl_event event, struct adi_error *error);
/* The same for the event that a queue of ours waits for. One that failed must be found here: what
 * waits for it never runs. */
int adi_opencl_drop_waited(struct adi_opencl *opencl, struct adi_error *error);
/* The same for all that has been queued in a place. */
int adi_opencl_drain(struct adi_opencl *opencl, struct adi_opencl_lane *lane,
                     struct adi_error *error);

/* Is it an address that clSVMAlloc gave out: one that the layer has seen; without it, one of a
 * context that is known, and then `bytes` is not? */
bool adi_opencl_is_shared(const struct adi_opencl *opencl, const void *buffer,
                          struct adi_opencl_seen *seen);
/* Without the layer, what is no cl_mem may be shared memory of any context. */
bool adi_opencl_can_identify(struct adi_device *device, const void *buffer, struct adi_error *why);

/* Can kernels be built for the device? ENOTSUP: no, and the sentence says why. */
int adi_opencl_builds(const struct adi_opencl_api *api, cl_device_id device,
                      struct adi_error *error);

/* The sum of the bytes, computed by a kernel, which is built at the first use. All that is queued
 * there has run already. ENOTSUP: no kernel can be built, and the sentence says why. */
int adi_opencl_sum(struct adi_opencl *opencl, struct adi_opencl_lane *lane, cl_mem buffer,
                   int64_t offset, int64_t bytes, uint64_t *sum, struct adi_error *error);

#endif /* ADI_OPENCL_INTERNAL_H */
