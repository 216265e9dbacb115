/* SPDX-License-Identifier: Apache-2.0
 *
 * What the OpenCL device costs beside plain calls of OpenCL on the same queue, and what the layer
 * costs a call. The layer is chosen when the loader is loaded, so each has a process of its own.
 */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "devices.h"
#include "export.h"
#include "move.h"
#include "opencl_part.h"

#define SMALL  ((int64_t)1 << 20)
#define LARGE  ((int64_t)64 << 20)
#define ALLOCS 200   /* in a round */
#define CALLS  20000 /* to the layer */

static const struct adi_bench_shape shape = {"1 column", 1, 1};

static struct adi_device device;
static const struct adi_opencl_api *cl;
static cl_context context;
static cl_command_queue queue;
static void *ours, *host;
static struct ArrowSchema schema;
static struct ArrowArray batch;

static int alloc_ours(void) {
    void *buffer;
    for (int i = 0; i < ALLOCS; i++) {
        ADI_TRY(device.ops->alloc(&device, SMALL, &buffer, NULL));
        device.ops->free(&device, buffer);
    }
    return 0;
}

static int alloc_plain(void) {
    cl_int code;
    for (int i = 0; i < ALLOCS; i++) {
        cl_mem buffer = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, (size_t)SMALL, NULL, &code);
        if (code != CL_SUCCESS) return code;
        cl->clReleaseMemObject(buffer);
    }
    return 0;
}

static void keep(struct ArrowArray *array) {
    array->release = NULL;
}

/* The end of the copies is waited for, since one round must not pay for another's. */
static int export_ours(void) {
    for (int i = 0; i < ALLOCS; i++) {
        struct ArrowArray in = batch;
        struct ArrowDeviceArray out;
        in.release = keep;
        ADI_TRY(adi_produce(&device, &schema, &in, &out, NULL));
        ADI_TRY(device.ops->wait_host(&device, out.sync_event, NULL));
        adi_device_array_release(&out);
    }
    return 0;
}

/* The same batch, whose column has no bitmap, is one buffer of a few values. */
static int export_plain(void) {
    const struct ArrowArray *column = batch.children[0];
    size_t bytes = (size_t)column->length * sizeof(int32_t);
    for (int i = 0; i < ALLOCS; i++) {
        cl_int code;
        cl_event event;
        void *to = &event;
        cl_mem values = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &code);
        if (code != CL_SUCCESS) return code;
        cl_mem copy = cl->clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes,
                                         (void *)(uintptr_t)column->buffers[1], &code);
        if (code != CL_SUCCESS) return code;
        cl->clEnqueueCopyBuffer(queue, copy, values, 0, 0, bytes, 0, NULL, NULL);
        cl->clReleaseMemObject(copy);
        code = cl->clEnqueueMarkerWithWaitList(queue, 0, NULL, &event);
        if (code != CL_SUCCESS) return code;
        cl->clFlush(queue);
        ADI_TRY(device.ops->wait_host(&device, to, NULL));
        cl->clReleaseEvent(event);
        cl->clReleaseMemObject(values);
    }
    return 0;
}

static int in_ours(void) {
    return device.ops->write(&device, ours, 0, host, LARGE, NULL);
}

static int in_plain(void) {
    return cl->clEnqueueWriteBuffer(queue, ours, CL_TRUE, 0, (size_t)LARGE, host, 0, NULL, NULL);
}

static int out_ours(void) {
    return device.ops->read(&device, ours, 0, host, LARGE, NULL);
}

static int out_plain(void) {
    return cl->clEnqueueReadBuffer(queue, ours, CL_TRUE, 0, (size_t)LARGE, host, 0, NULL, NULL);
}

static int begin(struct adi_error *error) {
    ADI_TRY(adi_device_opencl.open(0, &device, error));
    cl = adi_opencl_api(error);
    context = (cl_context)(uintptr_t)device.ops->native(&device, "opencl.context");
    queue = (cl_command_queue)(uintptr_t)device.ops->native(&device, "opencl.queue");
    host = calloc(1, (size_t)LARGE);
    if (host == NULL || adi_bench_make(&shape, &schema, &batch) != 0)
        return adi_error_set(error, 1, "out of memory");
    memset(host, 1, (size_t)LARGE);
    return device.ops->alloc(&device, LARGE, &ours, error);
}

static int measure(void) {
    static const struct adi_bench_way ways[] = {
        {"200 x alloc + free 1 MiB", alloc_ours, alloc_plain},
        {"200 x export + release", export_ours, export_plain},
        {"64 MiB in", in_ours, in_plain},
        {"64 MiB out", out_ours, out_plain},
    };
    struct adi_error error;
    if (begin(&error) != 0)
        printf("  %-8s left out: %s\n", "opencl", error.text);
    else
        adi_bench_ways("opencl", ways, sizeof ways / sizeof *ways);
    return EXIT_SUCCESS;
}

/* ---- the layer ---- */

static double ns_a_call(void) {
    struct timespec before, after;
    cl_context found;
    clock_gettime(CLOCK_MONOTONIC, &before);
    for (int i = 0; i < CALLS; i++)
        cl->clGetMemObjectInfo(ours, CL_MEM_CONTEXT, sizeof found, &found, NULL);
    clock_gettime(CLOCK_MONOTONIC, &after);
    return (1e9 * (double)(after.tv_sec - before.tv_sec) +
            (double)(after.tv_nsec - before.tv_nsec)) /
           CALLS;
}

static int measure_call(const char *name) {
    struct adi_error error;
    if (begin(&error) != 0) {
        printf("  left out: %s\n", error.text);
        return EXIT_FAILURE;
    }
    double best = ns_a_call();
    for (int i = 0; i < 15; i++) {
        double now = ns_a_call();
        if (now < best) best = now;
    }
    printf("  %-20s%8.0f ns\n", name, best);
    return EXIT_SUCCESS;
}

static int call_plain(void) {
    return measure_call("without it");
}

static int call_layered(void) {
    char program[PATH_MAX] = "", path[PATH_MAX + 32];
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) return EXIT_FAILURE;
    snprintf(path, sizeof path, "%s/../../" ADI_OPENCL_LAYER, dirname(program));
    setenv("OPENCL_LAYERS", path, 1);
    return measure_call("with it");
}

static void in_child(int (*run)(void)) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int code = run();
        fflush(stdout);
        _exit(code);
    }
    waitpid(child, NULL, 0);
}

void adi_bench_opencl(void) {
    in_child(measure);
}

void adi_bench_opencl_layer(void) {
    printf("\nwhat the OpenCL layer costs a call (clGetMemObjectInfo)\n");
    in_child(call_plain);
    in_child(call_layered);
}
