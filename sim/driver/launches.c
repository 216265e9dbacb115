/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches as opaque commands: each word of the parameters that may be a pointer is taken for one.
 */
#include <stdlib.h>
#include <string.h>

#include "captures.h"

#define THREADS 1024 /* of a block */
#define WORD    8

/* The list `extra` of a launch. */
enum {
    EXTRA_END = 0,
    EXTRA_BUFFER = 1,
    EXTRA_BYTES = 2,
};

static bool is_shape(const unsigned grid[3], const unsigned block[3]) {
    unsigned long long threads = 1;
    for (size_t i = 0; i < 3; i++) {
        if (grid[i] == 0 || block[i] == 0 || block[i] > THREADS) return false;
        threads *= block[i];
    }
    return threads <= THREADS;
}

/* Where all parameters lie as one; NULL: `extra` does not say. */
static const char *buffer_of(void **extra, size_t *bytes) {
    const char *buffer = NULL;
    *bytes = 0;
    for (; (uintptr_t)*extra != EXTRA_END; extra += 2) {
        if ((uintptr_t)extra[0] == EXTRA_BUFFER) buffer = extra[1];
        if ((uintptr_t)extra[0] == EXTRA_BYTES) *bytes = *(const size_t *)extra[1];
    }
    return buffer;
}

/* The words of a parameter that are where a pointer would be. */
static void take_words(const struct ptx_parameter *parameter, const char *at,
                       struct driver_launched *out) {
    size_t first = (WORD - parameter->offset % WORD) % WORD;
    for (size_t i = first; i + WORD <= parameter->bytes; i += WORD)
        memcpy(&out->pointers[out->n++], at + i, WORD);
}

static size_t end_of(const struct ptx_parameter *parameter) {
    return parameter->offset + parameter->bytes;
}

static driver_code take_parameters(const struct driver_kernel_of *kernel, void **parameters,
                                   void **extra, struct driver_launched *out) {
    size_t bytes = SIZE_MAX, n = kernel->n;
    const char *buffer = parameters == NULL ? buffer_of(extra, &bytes) : NULL;
    if (parameters == NULL && buffer == NULL) return DRIVER_INVALID_VALUE;
    if (parameters == NULL && bytes < end_of(&kernel->parameters[n - 1]))
        return DRIVER_INVALID_VALUE;
    for (size_t i = 0; i < n; i++) {
        const struct ptx_parameter *parameter = &kernel->parameters[i];
        const char *at = parameters != NULL ? parameters[i] : buffer + parameter->offset;
        if (!adi_sim_readable(at, parameter->bytes)) return DRIVER_INVALID_VALUE;
        take_words(parameter, at, out);
    }
    return DRIVER_SUCCESS;
}

driver_code driver_launch_prepare(driver_kernel handle, const unsigned grid[3],
                                  const unsigned block[3], unsigned shared, void **parameters,
                                  void **extra, struct driver_launched *out) {
    const struct driver_kernel_of *kernel = driver_object_find(DRIVER_KERNEL, handle);
    *out = (struct driver_launched){.kernel = handle};
    if (kernel == NULL) return DRIVER_INVALID_HANDLE;
    if (!is_shape(grid, block) || shared > (unsigned)kernel->dynamic_shared)
        return DRIVER_INVALID_VALUE;
    if (parameters != NULL && extra != NULL) return DRIVER_INVALID_VALUE;
    if (kernel->n == 0) return DRIVER_SUCCESS;
    if (parameters == NULL && extra == NULL) return DRIVER_INVALID_VALUE;
    out->pointers = malloc((end_of(&kernel->parameters[kernel->n - 1]) / WORD + 1) * WORD);
    if (out->pointers == NULL) return DRIVER_OUT_OF_MEMORY;
    driver_code code = take_parameters(kernel, parameters, extra, out);
    if (code == DRIVER_SUCCESS) return code;
    free(out->pointers);
    out->pointers = NULL;
    return code;
}

static void say_once(void) {
    static bool said;
    if (!said) driver_remark("kernels are opaque: none computes anything, so look at no results");
    said = true;
}

/* A function of a module is of the module's context. */
driver_code driver_launch_on(adi_sim_queue queue, const struct driver_launched *launch) {
    adi_sim_context context;
    say_once();
    SIM_TRY(driver_error(adi_sim_queue_info(queue, NULL, &context)));
    const struct driver_kernel_of *kernel = driver_object_find(DRIVER_KERNEL, launch->kernel);
    if (kernel == NULL) return DRIVER_INVALID_HANDLE;
    adi_sim_context own = kernel->module->object.context;
    if (own != NULL && own != context) return DRIVER_INVALID_HANDLE;
    return driver_error(adi_sim_opaque(queue, launch->pointers, launch->n));
}

driver_code driver_launch_with(bool per_thread, const driver_launch_kind *kind,
                               driver_kernel kernel, void **parameters, void **extra) {
    struct driver_launched launch;
    struct driver_branch *branch;
    adi_sim_queue queue;
    SIM_TRY(driver_kernels_served());
    if (kind == NULL || (kind->n_attributes > 0 && kind->attributes == NULL))
        return DRIVER_INVALID_VALUE;
    SIM_TRY(driver_capture_of(per_thread, kind->stream, &branch));
    if (branch == NULL) SIM_TRY(driver_queue(per_thread, kind->stream, NULL, &queue));
    SIM_TRY(driver_launch_prepare(kernel, kind->grid, kind->block, kind->shared, parameters, extra,
                                  &launch));
    struct driver_work work = {.type = DRIVER_GRAPH_NODE_TYPE_KERNEL, .launch = launch};
    if (branch != NULL) return driver_capture_work(branch, &work);
    driver_code code = driver_launch_on(queue, &launch);
    free(launch.pointers);
    return code;
}

driver_code driver_launch(bool per_thread, driver_kernel kernel, unsigned grid_x, unsigned grid_y,
                          unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                          unsigned shared, driver_stream stream, void **parameters, void **extra) {
    const driver_launch_kind kind = {.grid = {grid_x, grid_y, grid_z},
                                     .block = {block_x, block_y, block_z},
                                     .shared = shared,
                                     .stream = stream};
    return driver_launch_with(per_thread, &kind, kernel, parameters, extra);
}
