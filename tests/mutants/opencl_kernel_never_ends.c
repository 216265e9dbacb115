/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-never-completes, producer: a kernel that never ends stands before the event.
 */
#include "opencl/opencl.h"

static const char source[] =
    "kernel void spin(global volatile int *go_on) { while (*go_on == 0); }";

static int launch(struct adi_device *device, struct adi_error *error) {
    const int zero = 0;
    const char *text = source;
    cl_context context = base_context(device);
    cl_program program = base_api->clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    cl_int code = base_api->clBuildProgram(program, 0, NULL, "", NULL, NULL);
    ADI_TRY(adi_opencl_check("clBuildProgram", code, error));
    cl_kernel kernel = base_api->clCreateKernel(program, "spin", &code);
    cl_mem go_on = base_api->clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                            sizeof zero, (void *)(uintptr_t)&zero, &code);
    base_api->clSetKernelArg(kernel, 0, sizeof go_on, &go_on);
    code = base_api->clEnqueueNDRangeKernel(base_queue(device), kernel, 1, NULL, &(size_t){1}, NULL,
                                            0, NULL, NULL);
    return adi_opencl_check("clEnqueueNDRangeKernel", code, error);
}

static int behind_it(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(launch(device, error));
    return adi_device_opencl.event(device, sync_event, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = behind_it;
}
