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

/* ---- kernels ---- */

driver_code cuda_module_load(driver_module *module, const void *image, unsigned n, int *options,
                             void **option_values) {
    (void)n, (void)options, (void)option_values;
    return driver_module_load(module, image);
}

driver_code cuda_library_load(driver_module *library, const void *image, int *options,
                              void **option_values, unsigned n, int *library_options,
                              void **library_values, unsigned n_library) {
    (void)options, (void)option_values, (void)n;
    (void)library_options, (void)library_values, (void)n_library;
    return driver_library_load(library, image);
}

driver_code cuda_link_create(unsigned n, int *options, void **option_values, driver_link *link) {
    (void)n, (void)options, (void)option_values;
    return driver_link_create(link);
}

driver_code cuda_link_add(driver_link link, int input, void *image, size_t room, const char *name,
                          unsigned n, int *options, void **option_values) {
    (void)name, (void)n, (void)options, (void)option_values;
    return driver_link_add(link, input, image, room);
}

/* That there is such a device is asked of the count alone. */
static driver_code check_device(int device) {
    return device >= 0 && device < driver_visible() ? DRIVER_SUCCESS : DRIVER_INVALID_DEVICE;
}

driver_code cuda_kernel_attribute(int *value, int attribute, driver_kernel kernel, int device) {
    driver_code code = driver_kernel_attribute(value, attribute, kernel);
    return code == DRIVER_SUCCESS ? check_device(device) : code;
}

driver_code cuda_kernel_set_attribute(int attribute, int value, driver_kernel kernel, int device) {
    driver_code code = driver_kernel_touch(kernel);
    if (code == DRIVER_SUCCESS) code = check_device(device);
    return code == DRIVER_SUCCESS ? driver_kernel_set_attribute(kernel, attribute, value) : code;
}

driver_code cuda_kernel_cache(driver_kernel kernel, int config, int device) {
    (void)config;
    driver_code code = driver_kernel_touch(kernel);
    return code == DRIVER_SUCCESS ? check_device(device) : code;
}

driver_code cuda_kernel_touch(driver_kernel kernel, int config) {
    (void)config;
    return driver_kernel_touch(kernel);
}
