/* SPDX-License-Identifier: Apache-2.0
 *
 * The exported functions, and what the runtime remembers: the last error and the device of each
 * thread, and which primary contexts it has retained.
 */
#include <errno.h>
#include <stdatomic.h>

#include "runtime.h"
#include "sim.h"

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

/* Makes the primary context of the thread's device current, unless a context is. */
static cudaError_t ready(void) {
    CUcontext context;
    CUresult code = cuInit(0);
    if (code == CUDA_SUCCESS) code = cuCtxGetCurrent(&context);
    if (code != CUDA_SUCCESS) return (cudaError_t)code;
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
    CUresult code = cuInit(0);
    if (code == CUDA_SUCCESS) code = cuCtxGetCurrent(&context);
    *device = device_of_thread;
    if (code == CUDA_SUCCESS && context != NULL) code = cuCtxGetDevice(device);
    return runtime_note((cudaError_t)code);
}

cudaError_t runtime_cudaGetDeviceCount(int *count) {
    CUresult code = cuInit(0);
    if (code == CUDA_SUCCESS) code = cuDeviceGetCount(count);
    return runtime_note((cudaError_t)code);
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
    if (error == cudaErrorInvalidMemcpyDirection) return "invalid copy direction for memcpy";
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

cudaError_t runtime_cudaDriverGetVersion(int *version) {
    return runtime_note((cudaError_t)cuDriverGetVersion(version));
}

/* ---- the functions ---- */

/* One call of the program: what the driver is called for is part of it. */
static cudaError_t enter(const char *name, bool surely) {
    int code = adi_sim_begin_alone(name, surely);
    if (code != 0)
        return code == ENOTCONN ? cudaErrorInitializationError
               : code == EPERM  ? cudaErrorNotPermitted
                                : cudaErrorUnknown;
    cudaError_t error = ready();
    if (error != cudaSuccess) adi_sim_end();
    return error;
}

#define FAILS  false
#define SURELY true

#define AROUND(name, begin, call)                                                                  \
    cudaError_t error = enter(name, begin);                                                        \
    if (error != cudaSuccess) return runtime_note(error);                                          \
    error = call;                                                                                  \
    adi_sim_end();                                                                                 \
    return runtime_note(error);

#define CALL(name, begin, parameters, ...)                                                         \
    cudaError_t name parameters {                                                                  \
        AROUND(#name, begin, runtime_##name(__VA_ARGS__))                                          \
    }
#define STREAM(name, suffix, begin, parameters, ...)                                               \
    cudaError_t name parameters{AROUND(                                                            \
        #name, begin, runtime_##name(false, __VA_ARGS__))} cudaError_t name##suffix parameters {   \
        AROUND(#name, begin, runtime_##name(true, __VA_ARGS__))                                    \
    }
#define PLAIN(type, name, parameters, ...)                                                         \
    type name parameters {                                                                         \
        return runtime_##name(__VA_ARGS__);                                                        \
    }
#include "runtime.def"
#undef CALL
#undef STREAM
#undef PLAIN

/* ---- what is not served, whatever the arguments are ---- */

cudaError_t runtime_refuse(const char *name, const char *why) {
    if (adi_sim_begin_surely(name) == 0) {
        adi_sim_remark(name, why);
        adi_sim_end();
    }
    return runtime_note(cudaErrorNotSupported);
}

#define UNSERVED(name)                                                                             \
    CUDART_PUBLIC cudaError_t name(void);                                                          \
    cudaError_t name(void) {                                                                       \
        return runtime_refuse(#name, "not simulated: cudaErrorNotSupported");                      \
    }
#define UNSERVED_ON(name, suffix) UNSERVED(name) UNSERVED(name##suffix)
#include "unserved.def"
