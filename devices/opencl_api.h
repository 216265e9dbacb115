/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/: the functions of libOpenCL.so.1, found at run time and never linked, and
 * what every user of them needs.
 */
#ifndef ADI_OPENCL_API_H
#define ADI_OPENCL_API_H

#include "device.h"
#include "opencl_layer.h"

/* clang-format off */
#define ADI_OPENCL_FUNCTIONS(F)                                                                    \
    F(clGetPlatformIDs) F(clGetPlatformInfo) F(clGetDeviceIDs) F(clGetDeviceInfo)                  \
    F(clCreateContext) F(clRetainContext) F(clReleaseContext) F(clGetContextInfo)                  \
    F(clCreateCommandQueue) F(clReleaseCommandQueue) F(clFlush) F(clCreateBuffer)                  \
    F(clReleaseMemObject) F(clGetMemObjectInfo) F(clEnqueueReadBuffer) F(clEnqueueCopyBuffer)      \
    F(clEnqueueMarkerWithWaitList) F(clEnqueueBarrierWithWaitList) F(clCreateUserEvent)            \
    F(clSetUserEventStatus) F(clGetEventInfo) F(clSetEventCallback) F(clRetainEvent)               \
    F(clReleaseEvent) F(clCreateProgramWithSource) F(clBuildProgram) F(clGetProgramBuildInfo)      \
    F(clReleaseProgram) F(clCreateKernel) F(clSetKernelArg) F(clEnqueueNDRangeKernel)              \
    F(clReleaseKernel) F(clEnqueueSVMMemcpy) F(clEnqueueWriteBuffer)
/* clang-format on */

struct adi_opencl_api {
#define FUNCTION(name) __typeof__(&name) name;
    ADI_OPENCL_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

/* Loads the loader at the first call, never to be unloaded. Asks POCL for two devices and one
 * thread, unless the user has set POCL_DEVICES or POCL_MAX_PTHREAD_COUNT. NULL: it is not there,
 * and `why` says what to do about it. Any thread. */
const struct adi_opencl_api *adi_opencl_api(struct adi_error *why);

/* Every device of every platform in the order of the loader: the index is the Arrow device_id. */
struct adi_opencl_devices {
    cl_device_id ids[ADI_DEVICE_IDS];
    int count;        /* 0: none, and `why` has said why */
    char runtime[32]; /* the name of the platform; "several" if there are devices of several */
};
void adi_opencl_find(struct adi_opencl_devices *out, struct adi_error *why);

/* 0 for CL_SUCCESS; else an errno value, with "<call>: <name of the code>" in `error`. */
int adi_opencl_check(const char *call, cl_int code, struct adi_error *error);

/* The layer, if it is in this process; else NULL. Any thread. */
const struct adi_opencl_layer *adi_opencl_layer(void);

/* Is `handle` a live object of that kind? Never crashes. What the layer knows is certain. Else it
 * is taken for one if it has the looks: every object begins with the address of its runtime's table
 * of functions (cl_khr_icd), which does not tell a cl_mem from a cl_event. */
bool adi_opencl_is(cl_device_id device, const void *handle, enum adi_opencl_kind kind);

#endif /* ADI_OPENCL_API_H */
