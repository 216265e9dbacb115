/* SPDX-License-Identifier: Apache-2.0
 *
 * What CUDA has of its own.
 */
#include "cuda_facade.h"

driver_code cuda_compute_capability(int *major, int *minor, int device) {
    enum {
        MAJOR = 75,
        MINOR = 76,
    };
    driver_code code = driver_device_attribute(major, MAJOR, device);
    return code == DRIVER_SUCCESS ? driver_device_attribute(minor, MINOR, device) : code;
}

driver_code cuda_context_create_v3(driver_context *context, void *affinity, int n, unsigned flags,
                                   int device) {
    if (affinity != NULL || n != 0) return driver_unserved();
    return driver_context_create(context, flags, device);
}

driver_code cuda_context_create_v4(driver_context *context, void *parameters, unsigned flags,
                                   int device) {
    if (parameters != NULL) return driver_unserved();
    return driver_context_create(context, flags, device);
}

/* Nobody listens. */
driver_code cuda_profiler(void) {
    return DRIVER_SUCCESS;
}
