/* SPDX-License-Identifier: Apache-2.0
 *
 * All in which the runtimes of two major versions differ: each has this file of its own.
 */
#include "runtime.h"

cudaError_t runtime_cudaRuntimeGetVersion(int *version) {
    if (version == NULL) return runtime_note(cudaErrorInvalidValue);
    *version = 1000 * CUDART_MAJOR;
    return cudaSuccess;
}
