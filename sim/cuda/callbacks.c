/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions and callbacks. When a device is lost those of cuLaunchHostFunc stay away, and
 * callbacks are called all the same, with the error.
 */
#include <stdlib.h>

#include "driver.h"

struct callback {
    CUstreamCallback function;
    CUstream stream;
    void *data;
};

CUresult cuda_cuLaunchHostFunc(bool per_thread, CUstream stream, CUhostFn function, void *data) {
    adi_sim_queue queue;
    if (function == NULL) return CUDA_ERROR_INVALID_VALUE;
    CUresult code = cuda_queue(per_thread, stream, NULL, &queue);
    return code == CUDA_SUCCESS ? cuda_error(adi_sim_host(queue, function, data)) : code;
}

static void call_back(void *data, int code) {
    struct callback callback = *(struct callback *)data;
    free(data);
    callback.function(callback.stream, cuda_error(code), callback.data);
}

CUresult cuda_cuStreamAddCallback(bool per_thread, CUstream stream, CUstreamCallback function,
                                  void *data, unsigned flags) {
    adi_sim_queue queue;
    if (function == NULL || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    CUresult code = cuda_queue(per_thread, stream, NULL, &queue);
    if (code != CUDA_SUCCESS) return code;
    struct callback *callback = malloc(sizeof *callback);
    if (callback == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
    *callback = (struct callback){function, stream, data};
    int error = adi_sim_callback(queue, call_back, callback);
    if (error != 0) free(callback);
    return cuda_error(error);
}
