/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/: libamdhip64.so, the real one or the simulation's, and as much of its
 * interface as is used. Nothing of AMD's is needed to compile this.
 */
#ifndef ADI_ROCM_API_H
#define ADI_ROCM_API_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "error.h"

typedef struct adi_hip_stream_of *adi_hip_stream;
typedef struct adi_hip_event_of *adi_hip_event;

enum {
    ADI_HIP_SUCCESS = 0,
    ADI_HIP_INVALID_VALUE = 1,
    ADI_HIP_OUT_OF_MEMORY = 2,
    ADI_HIP_NO_DEVICE = 100,
    ADI_HIP_INVALID_DEVICE = 101,
    ADI_HIP_INVALID_HANDLE = 400,
    ADI_HIP_NOT_READY = 600,
    ADI_HIP_CONTEXT_IS_DESTROYED = 709,

    ADI_HIP_PER_THREAD = 2, /* the last of the streams that are no handles */

    ADI_HIP_NON_BLOCKING = 1,   /* hipStreamCreateWithFlags */
    ADI_HIP_DISABLE_TIMING = 2, /* hipEventCreateWithFlags */
    ADI_HIP_DEFAULT = 4,        /* hipMemcpyAsync: the pointers tell the direction */
};

/* hipPointerAttribute_t. */
struct adi_hip_attributes {
    int type; /* its numbers changed with 6.0 */
    int device;
    void *device_pointer, *host_pointer;
    int is_managed;
    unsigned flags;
};

struct adi_rocm_api {
#define CALL(name, parameters) int(*name) parameters;
#include "rocm_api.def"
#undef CALL
    const char *(*GetErrorName)(int error);
    void *library;       /* of dlopen */
    char path[PATH_MAX]; /* where it is */
    bool is_simulated;
    int count;              /* of devices; > 0 */
    int on_host, on_device; /* memory types */
};

/* The library, loaded at the first call; static. NULL: none, and why. $ADI_ROCM: `real`, `sim`,
 * `off`, or a path; without it the real one where the machine has such a device, else the
 * simulation's. Any thread. */
const struct adi_rocm_api *adi_rocm_api(struct adi_error *error);

/* 0 of success, else an errno value with the name of the error. */
int adi_rocm_check(int result, const char *call, struct adi_error *error);
#define HIP_CALL(api, error, name, ...) adi_rocm_check((api)->name(__VA_ARGS__), "hip" #name, error)

#endif /* ADI_ROCM_API_H */
