/* SPDX-License-Identifier: Apache-2.0
 *
 * Within the runtime, which is a user of the driver like any other: `runtime_NAME` does what the
 * exported function NAME of runtime.def does. One of a device finds its context current.
 */
#ifndef SIM_CUDA_RUNTIME_H
#define SIM_CUDA_RUNTIME_H

#include <stdbool.h>

#include "cuda_abi.h"
#include "cudart_abi.h"
#include "try.h"

#define RUNTIME_REST(...)                  __VA_ARGS__
#define CALL(name, begin, parameters, ...) cudaError_t runtime_##name parameters;
#define STREAM(name, suffix, begin, parameters, ...)                                               \
    cudaError_t runtime_##name(bool per_thread, RUNTIME_REST parameters);
#define PLAIN(type, name, parameters, ...) type runtime_##name parameters;
#include "runtime.def"

/* ---- version.c ---- */

extern const int runtime_major;

/* ---- current.c ---- */

/* What cudaGetLastError will say; returns it. That something is not ready is no error. */
cudaError_t runtime_note(cudaError_t error);
/* Makes the primary context of the thread's device current, unless a context is. */
cudaError_t runtime_ready(void);
/* The primary context of a device, which the runtime retains for good. */
cudaError_t runtime_primary(int device, CUcontext *context);
/* Says in the log of a function that is not served why it is not; cudaErrorNotSupported. */
cudaError_t runtime_refuse(const char *name, const char *why);

/* The driver's function for this default stream. */
#define ON(per_thread, name, suffix) ((per_thread) ? name##suffix : name)

#endif /* SIM_CUDA_RUNTIME_H */
