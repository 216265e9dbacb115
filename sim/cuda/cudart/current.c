/* SPDX-License-Identifier: Apache-2.0
 *
 * What the runtime remembers: the last error and the device of each thread, and which primary
 * contexts it has retained.
 */
#include <stdatomic.h>

#include "runtime.h"

#define DEVICES 64

static _Thread_local cudaError_t last_error;
static _Thread_local int device_of_thread;

static atomic_bool retained[DEVICES];

cudaError_t runtime_note(cudaError_t error) {
    if (error != cudaSuccess && error != cudaErrorNotReady) last_error = error;
    return error;
}

/* ---- contexts ---- */

/* Retained once, and never given back. */
cudaError_t runtime_primary(int device, CUcontext *context) {
    if (device < 0 || device >= DEVICES) return cudaErrorInvalidDevice;
    CUresult code = cuDevicePrimaryCtxRetain(context, device);
    if (code == CUDA_SUCCESS && atomic_exchange(&retained[device], true))
        cuDevicePrimaryCtxRelease_v2(device);
    return (cudaError_t)code;
}

static cudaError_t make_current(int device) {
    CUcontext context;
    cudaError_t code = runtime_primary(device, &context);
    return code == cudaSuccess ? (cudaError_t)cuCtxSetCurrent(context) : code;
}

/* A driver of an older major version does not do; ADI_CUDA_VERSION may make it one. */
static cudaError_t start(void) {
    int driver;
    SIM_TRY((cudaError_t)cuDriverGetVersion(&driver));
    return driver / 1000 < runtime_major ? cudaErrorInsufficientDriver : (cudaError_t)cuInit(0);
}

cudaError_t runtime_ready(void) {
    CUcontext context;
    SIM_TRY(start());
    SIM_TRY((cudaError_t)cuCtxGetCurrent(&context));
    return context == NULL ? make_current(device_of_thread) : cudaSuccess;
}

cudaError_t runtime_cudaSetDevice(int device) {
    int count;
    cudaError_t code = runtime_cudaGetDeviceCount(&count);
    if (code == cudaSuccess && (device < 0 || device >= count)) code = cudaErrorInvalidDevice;
    if (code == cudaSuccess) code = make_current(device);
    if (code == cudaSuccess) device_of_thread = device;
    return runtime_note(code);
}

cudaError_t runtime_cudaGetDevice(int *device) {
    CUcontext context;
    if (device == NULL) return runtime_note(cudaErrorInvalidValue);
    cudaError_t code = start();
    if (code == cudaSuccess) code = (cudaError_t)cuCtxGetCurrent(&context);
    *device = device_of_thread;
    if (code == cudaSuccess && context != NULL) code = (cudaError_t)cuCtxGetDevice(device);
    return runtime_note(code);
}

cudaError_t runtime_cudaGetDeviceCount(int *count) {
    cudaError_t code = start();
    if (code == cudaSuccess) code = (cudaError_t)cuDeviceGetCount(count);
    return runtime_note(code);
}

cudaError_t runtime_cudaDeviceReset(void) {
    int device;
    cudaError_t code = runtime_cudaGetDevice(&device);
    if (code == cudaSuccess) code = (cudaError_t)cuDevicePrimaryCtxReset_v2(device);
    return runtime_note(code);
}

cudaError_t runtime_cudaThreadExit(void) {
    return runtime_cudaDeviceReset();
}

/* ---- errors and versions ---- */

const char *runtime_cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define CASE(name, number)                                                                         \
    case name:                                                                                     \
        return #name;
        CUDART_ERRORS(CASE)
#undef CASE
    }
    return "unrecognized error code";
}

const char *runtime_cudaGetErrorString(cudaError_t error) {
    const char *text;
    if (error == cudaErrorInvalidPitchValue) return "invalid pitch argument";
    if (error == cudaErrorInvalidMemcpyDirection) return "invalid copy direction for memcpy";
    if (error == cudaErrorInsufficientDriver)
        return "CUDA driver version is insufficient for CUDA runtime version";
    return cuGetErrorString((CUresult)error, &text) == CUDA_SUCCESS ? text
                                                                    : "unrecognized error code";
}

cudaError_t runtime_cudaGetLastError(void) {
    cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

cudaError_t runtime_cudaPeekAtLastError(void) {
    return last_error;
}

cudaError_t runtime_cudaRuntimeGetVersion(int *version) {
    if (version == NULL) return runtime_note(cudaErrorInvalidValue);
    *version = 1000 * runtime_major;
    return cudaSuccess;
}

cudaError_t runtime_cudaDriverGetVersion(int *version) {
    return runtime_note((cudaError_t)cuDriverGetVersion(version));
}
