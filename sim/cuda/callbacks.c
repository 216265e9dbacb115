/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions and callbacks. When a device is lost those of cuLaunchHostFunc stay away, and
 * callbacks are called all the same, with the error.
 */
#include "driver.h"

CUresult cuda_cuLaunchHostFunc(bool per_thread, CUstream stream, CUhostFn function, void *data) {
    adi_sim_queue queue;
    if (function == NULL) return CUDA_ERROR_INVALID_VALUE;
    CUresult code = cuda_queue(per_thread, stream, NULL, &queue);
    return code == CUDA_SUCCESS ? cuda_error(adi_sim_host(queue, function, data)) : code;
}

/* Its function, its stream, and its data. */
static void call_back(const uintptr_t *data, int code) {
    ((CUstreamCallback)data[0])((CUstream)data[1], cuda_error(code), (void *)data[2]);
}

CUresult cuda_cuStreamAddCallback(bool per_thread, CUstream stream, CUstreamCallback function,
                                  void *data, unsigned flags) {
    const uintptr_t words[ADI_SIM_CALLBACK_WORDS] = {(uintptr_t)function, (uintptr_t)stream,
                                                     (uintptr_t)data};
    adi_sim_queue queue;
    if (function == NULL || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    CUresult code = cuda_queue(per_thread, stream, NULL, &queue);
    return code == CUDA_SUCCESS ? cuda_error(adi_sim_callback(queue, call_back, words)) : code;
}
