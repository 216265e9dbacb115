/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/: libcuda.so.1, the real one or the simulation's, and as much of its interface
 * as is used. Nothing of NVIDIA's is needed to compile this.
 */
#ifndef ADI_CUDA_API_H
#define ADI_CUDA_API_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

typedef struct adi_cu_context_of *adi_cu_context;
typedef struct adi_cu_stream_of *adi_cu_stream;
typedef struct adi_cu_event_of *adi_cu_event;
typedef unsigned long long adi_cu_pointer;

enum {
    ADI_CU_SUCCESS = 0,
    ADI_CU_INVALID_VALUE = 1,
    ADI_CU_OUT_OF_MEMORY = 2,
    ADI_CU_NO_DEVICE = 100,
    ADI_CU_INVALID_CONTEXT = 201,
    ADI_CU_INVALID_HANDLE = 400,
    ADI_CU_NOT_READY = 600,
    ADI_CU_CONTEXT_IS_DESTROYED = 709,

    ADI_CU_NON_BLOCKING = 1,   /* cuStreamCreate */
    ADI_CU_DISABLE_TIMING = 2, /* cuEventCreate */
    ADI_CU_ATTACH_GLOBAL = 1,  /* cuMemAllocManaged */

    /* cuPointerGetAttribute */
    ADI_CU_CONTEXT = 1,
    ADI_CU_MEMORY_TYPE = 2,
    ADI_CU_DEVICE_POINTER = 3,
    ADI_CU_HOST_POINTER = 4,
    ADI_CU_IS_MANAGED = 8,
    ADI_CU_DEVICE_ORDINAL = 9,
    ADI_CU_RANGE_START = 11,
    ADI_CU_RANGE_SIZE = 12,

    ADI_CU_ON_HOST = 1, /* a memory type */
};

struct adi_cuda_api {
#define CALL(name, symbol, parameters) int(*name) parameters;
#include "cuda_api.def"
#undef CALL
    void *library;       /* of dlopen */
    char path[PATH_MAX]; /* where it is */
    bool is_simulated;
    int count; /* of devices; > 0 */
};

/* The library, loaded at the first call; static. NULL: none, and why. $ADI_CUDA: `real`, `sim`,
 * `off`, or a path; without it the real one where the machine has such a device, else the
 * simulation's. Any thread. */
const struct adi_cuda_api *adi_cuda_api(struct adi_error *error);

/* 0 of success, else an errno value with the name of the error. */
int adi_cuda_check(int result, const char *call, struct adi_error *error);
/* Of a call whose symbol is `cu` and its name. */
#define CU_CALL(api, error, name, ...) adi_cuda_check((api)->name(__VA_ARGS__), "cu" #name, error)

#endif /* ADI_CUDA_API_H */
