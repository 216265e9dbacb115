/* SPDX-License-Identifier: Apache-2.0
 *
 * Within the driver: kernels, which nobody here can run.
 */
#ifndef SIM_DRIVER_KERNELS_H
#define SIM_DRIVER_KERNELS_H

#include "driver_objects.h"
#include "ptx.h"

struct driver_kernel_of {
    struct driver_object object;
    struct driver_module_of *module;
    char *name;
    struct ptx_parameter *parameters;
    size_t n;
    int dynamic_shared, carveout;
};

struct driver_module_of {
    struct driver_object object; /* a library is of no context, and for all */
    struct driver_kernel_of **kernels;
    size_t n;
};

/* DRIVER_NOT_SUPPORTED, with a remark, unless kernels are opaque. */
driver_code driver_kernels_served(void);
/* The text at `text`, whose end is its first 0, or `most` bytes; NULL: it is not there, or there is
 * no memory. The caller frees it. */
char *driver_text_of(const void *text, size_t most);

/* A launch as its parameters have it. */
struct driver_launched {
    driver_kernel kernel; /* its handle: it may end before the launch */
    void **pointers;      /* all that may be one; the owner frees them */
    size_t n;
};

/* Takes the parameters apart, either way that they may be given. */
driver_code driver_launch_prepare(driver_kernel kernel, const unsigned grid[3],
                                  const unsigned block[3], unsigned shared, void **parameters,
                                  void **extra, struct driver_launched *out);
driver_code driver_launch_on(adi_sim_queue queue, const struct driver_launched *launch);

#endif /* SIM_DRIVER_KERNELS_H */
