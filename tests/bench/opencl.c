/* SPDX-License-Identifier: Apache-2.0
 *
 * What the OpenCL device costs beside plain calls of OpenCL on the same queue, and what the layer
 * costs a call. The layer is chosen when the loader is loaded, so each has a process of its own.
 */
#include <dlfcn.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "devices.h"
#include "opencl_internal.h"
#include "ways.h"

#define CALLS  20000 /* to the layer, in a round */
#define ROUNDS 31

static const struct adi_opencl_api *cl;
static cl_context context;
static cl_command_queue queue;
static cl_int (*wait_for_events)(cl_uint, const cl_event *);

static int alloc_plain(void) {
    cl_int code;
    cl_mem buffer =
        cl->clCreateBuffer(context, CL_MEM_READ_WRITE, (size_t)ADI_BENCH_SMALL, NULL, &code);
    if (code == CL_SUCCESS) cl->clReleaseMemObject(buffer);
    return code;
}

/* The bytes of the host may be gone when the queue gets there. */
static int export_plain(void) {
    const struct adi_bench_on *on = &adi_bench_on;
    struct ArrowDeviceArray out;
    cl_int code;
    cl_event event;
    cl_mem values = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, on->bytes, NULL, &code);
    if (code != CL_SUCCESS) return code;
    cl_mem copy = cl->clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, on->bytes,
                                     (void *)(uintptr_t)on->values, &code);
    if (code != CL_SUCCESS) return code;
    cl->clEnqueueCopyBuffer(queue, copy, values, 0, 0, on->bytes, 0, NULL, NULL);
    cl->clReleaseMemObject(copy);
    code = cl->clEnqueueMarkerWithWaitList(queue, 0, NULL, &event);
    if (code != CL_SUCCESS) return code;
    cl->clFlush(queue);
    ADI_TRY(adi_bench_hand_out(values, &event, &out));
    code = wait_for_events(1, &event);
    out.array.release(&out.array);
    cl->clReleaseEvent(event);
    cl->clReleaseMemObject(values);
    return code;
}

/* What is large has been written when the call returns. */
static int in_ours(void) {
    struct adi_device *device = &adi_bench_on.device;
    return device->ops->write(device, adi_bench_on.buffer, 0, adi_bench_on.host, ADI_BENCH_LARGE,
                              NULL);
}

static int in_plain(void) {
    return cl->clEnqueueWriteBuffer(queue, adi_bench_on.buffer, CL_TRUE, 0, (size_t)ADI_BENCH_LARGE,
                                    adi_bench_on.host, 0, NULL, NULL);
}

static int out_plain(void) {
    return cl->clEnqueueReadBuffer(queue, adi_bench_on.buffer, CL_TRUE, 0, (size_t)ADI_BENCH_LARGE,
                                   adi_bench_on.host, 0, NULL, NULL);
}

static int begin(struct adi_error *error) {
    struct adi_device *device = &adi_bench_on.device;
    ADI_TRY(adi_bench_open(&adi_device_opencl, error));
    cl = adi_opencl_api(error);
    context = (cl_context)(uintptr_t)device->ops->native_handle(device, "opencl.context");
    queue = (cl_command_queue)(uintptr_t)device->ops->native_handle(device, "opencl.queue");
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NOLOAD);
    *(void **)(void *)&wait_for_events = dlsym(library, "clWaitForEvents");
    return wait_for_events != NULL ? 0 : adi_error_set(error, ENOSYS, "no clWaitForEvents");
}

static void measure(void) {
    static const struct adi_bench_way ways[] = {
        {"alloc + free 1 MiB", 1000, adi_bench_alloc, alloc_plain},
        {"export + release", 20, adi_bench_export, export_plain},
        {"64 MiB in", 1, in_ours, in_plain},
        {"64 MiB out", 1, adi_bench_out, out_plain},
    };
    struct adi_error error;
    if (begin(&error) != 0)
        printf("  %-8s left out: %s\n", "opencl", error.text);
    else
        adi_bench_ways("opencl", ways, sizeof ways / sizeof *ways);
}

/* ---- the layer ---- */

static double ns_a_call(void) {
    cl_context found;
    double since = adi_bench_seconds();
    for (int i = 0; i < CALLS; i++)
        cl->clGetMemObjectInfo(adi_bench_on.buffer, CL_MEM_CONTEXT, sizeof found, &found, NULL);
    return 1e9 * (adi_bench_seconds() - since) / CALLS;
}

static void measure_call(const char *name, const char *layer) {
    double rounds[ROUNDS];
    struct adi_error error;
    int code = begin(&error);
    if (code == 0 && layer != NULL && dlopen(layer, RTLD_NOW | RTLD_NOLOAD) == NULL)
        code = adi_error_set(&error, ENOENT, "the loader did not take %.300s in", layer);
    if (code != 0) {
        printf("  left out: %s: %s\n", name, error.text);
        return;
    }
    for (int i = 0; i < ROUNDS; i++) rounds[i] = ns_a_call();
    printf("  %-20s%8.0f ns\n", name, adi_bench_median(rounds, ROUNDS));
}

static void call_plain(void) {
    measure_call("without it", NULL);
}

static void call_layered(void) {
    char program[PATH_MAX] = "", path[PATH_MAX + 32];
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) return;
    snprintf(path, sizeof path, "%s/../../" ADI_OPENCL_LAYER, dirname(program));
    setenv("OPENCL_LAYERS", path, 1);
    measure_call("with it", path);
}

void adi_bench_opencl(void) {
    adi_bench_apart(measure);
}

void adi_bench_opencl_layer(void) {
    printf("\nwhat the OpenCL layer costs a call (clGetMemObjectInfo), the median of %d rounds\n",
           ROUNDS);
    adi_bench_apart(call_plain);
    adi_bench_apart(call_layered);
}
