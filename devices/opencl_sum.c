/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device reads is not what the host reads: the checksum is computed where the buffer is.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opencl_internal.h"

#define PARTS 64 /* work items, each with a sum of its own */

static const char source[] =
    "kernel void sum(global const uchar *bytes, ulong from, ulong count, global ulong *sums) {\n"
    "    ulong sum = 0;\n"
    "    for (ulong i = get_global_id(0); i < count; i += get_global_size(0))\n"
    "        sum += bytes[from + i];\n"
    "    sums[get_global_id(0)] = sum;\n"
    "}\n";

static bool is_on_path(const char *program) {
    const char *path = getenv("PATH");
    char file[4096];
    for (size_t length; path != NULL && *path != '\0'; path += length + (path[length] == ':')) {
        length = strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/%s", (int)length, path, program);
        if (access(file, X_OK) == 0) return true;
    }
    return false;
}

/* POCL ends the process where it cannot link a kernel. */
static int may_compile(const struct adi_opencl_api *api, cl_device_id device,
                       struct adi_error *error) {
    cl_platform_id platform = NULL;
    cl_bool compiles = CL_TRUE;
    char name[64] = "";
    api->clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiles, &compiles, NULL);
    if (!compiles)
        return adi_error_set(error, ENOTSUP, "no kernel can be built: the device has no compiler");
    api->clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    api->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
    if (strcmp(name, "Portable Computing Language") != 0 || is_on_path("ld")) return 0;
    return adi_error_set(error, ENOTSUP,
                         "no kernel can be built: POCL needs ld on the PATH; install binutils");
}

/* The first line of what the compiler said. */
static int say_build_log(const struct adi_opencl_api *api, cl_device_id device, cl_program program,
                         int failed, struct adi_error *error) {
    char log[2048] = "";
    struct adi_error why;
    adi_opencl_check("clBuildProgram", failed, &why);
    api->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    log[sizeof log - 1] = '\0';
    int length = (int)strcspn(log, "\n");
    return adi_error_set(error, ENOTSUP, "no kernel can be built: %s%s%.*s", why.text,
                         length > 0 ? ": " : "", length, log);
}

static int compile(const struct adi_opencl_api *api, cl_device_id device, cl_context context,
                   cl_kernel *out, struct adi_error *error) {
    const char *text = source;
    cl_int code;
    ADI_TRY(may_compile(api, device, error));
    cl_program program = api->clCreateProgramWithSource(context, 1, &text, NULL, &code);
    ADI_TRY(adi_opencl_check("clCreateProgramWithSource", code, error));
    int failed = 0;
    code = api->clBuildProgram(program, 1, &device, "", NULL, NULL);
    if (code != CL_SUCCESS) failed = say_build_log(api, device, program, code, error);
    if (failed == 0) {
        *out = api->clCreateKernel(program, "sum", &code);
        failed = adi_opencl_check("clCreateKernel", code, error);
    }
    api->clReleaseProgram(program);
    return failed;
}

int adi_opencl_builds(const struct adi_opencl_api *api, cl_device_id device,
                      struct adi_error *error) {
    cl_kernel kernel;
    cl_int code;
    ADI_TRY(may_compile(api, device, error));
    cl_context context = api->clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    ADI_TRY(adi_opencl_check("clCreateContext", code, error));
    int failed = compile(api, device, context, &kernel, error);
    if (failed == 0) api->clReleaseKernel(kernel);
    api->clReleaseContext(context);
    return failed;
}

static int launch(struct adi_opencl *opencl, struct adi_opencl_lane *lane, cl_mem buffer,
                  const cl_ulong range[2], cl_mem sums, struct adi_error *error) {
    const struct adi_opencl_api *api = opencl->api;
    const struct {
        size_t size;
        const void *value;
    } arguments[] = {{sizeof buffer, &buffer},
                     {sizeof range[0], &range[0]},
                     {sizeof range[1], &range[1]},
                     {sizeof sums, &sums}};
    for (cl_uint i = 0; i < sizeof arguments / sizeof *arguments; i++)
        ADI_TRY(adi_opencl_check(
            "clSetKernelArg",
            api->clSetKernelArg(lane->kernel, i, arguments[i].size, arguments[i].value), error));
    lane->busy = true;
    ADI_TRY(adi_opencl_check("clEnqueueNDRangeKernel",
                             api->clEnqueueNDRangeKernel(lane->queue, lane->kernel, 1, NULL,
                                                         &(size_t){PARTS}, NULL, 0, NULL, NULL),
                             error));
    return adi_opencl_drain(opencl, lane, error);
}

int adi_opencl_sum(struct adi_opencl *opencl, struct adi_opencl_lane *lane, cl_mem buffer,
                   int64_t offset, int64_t bytes, uint64_t *sum, struct adi_error *error) {
    const struct adi_opencl_api *api = opencl->api;
    cl_ulong parts[PARTS], range[2] = {(cl_ulong)offset, (cl_ulong)bytes};
    cl_int code;
    if (lane->kernel == NULL)
        ADI_TRY(compile(api, opencl->device, lane->context, &lane->kernel, error));
    cl_mem sums = api->clCreateBuffer(lane->context, CL_MEM_WRITE_ONLY, sizeof parts, NULL, &code);
    ADI_TRY(adi_opencl_check("clCreateBuffer", code, error));
    int failed = launch(opencl, lane, buffer, range, sums, error);
    if (failed == 0)
        failed = adi_opencl_check("clEnqueueReadBuffer",
                                  api->clEnqueueReadBuffer(lane->queue, sums, CL_TRUE, 0,
                                                           sizeof parts, parts, 0, NULL, NULL),
                                  error);
    api->clReleaseMemObject(sums);
    if (failed != 0) return failed;
    *sum = 0;
    for (int i = 0; i < PARTS; i++) *sum += parts[i];
    return 0;
}
