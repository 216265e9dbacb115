/* SPDX-License-Identifier: Apache-2.0
 *
 * A program with a kernel, as a compiler for CUDA would have made it: it registers what it has
 * before `main`, launches, and asks for the error. It returns 0 if the answers are the runtime's.
 */
#include "cudart_abi.h"

typedef struct {
    unsigned x, y, z;
} dim3;

void **__cudaRegisterFatBinary(void *binary);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *function, char *stub, const char *name,
                            int limit, void *thread, void *block, void *block_size, void *grid_size,
                            int *warp);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                       cudaStream_t *stream);
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream);

static char stub, binary;
static void **handle;

__attribute__((constructor)) static void begin(void) {
    handle = __cudaRegisterFatBinary(&binary);
    __cudaRegisterFunction(handle, &stub, &stub, "kernel", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(handle);
}

__attribute__((destructor)) static void end(void) {
    __cudaUnregisterFatBinary(handle);
}

/* What `kernel<<<2, 3, 4>>>(values)` becomes. */
static cudaError_t launch(void *values) {
    void *arguments[] = {&values};
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    if (__cudaPushCallConfiguration((dim3){2, 1, 1}, (dim3){3, 1, 1}, 4, NULL) != 0)
        return cudaErrorUnknown;
    cudaError_t code = __cudaPopCallConfiguration(&grid, &block, &shared, &stream);
    if (code != cudaSuccess || grid.x != 2 || block.x != 3 || shared != 4) return cudaErrorUnknown;
    return cudaLaunchKernel(&stub, grid, block, arguments, shared, stream);
}

static int is_nowhere_popped_to(void) {
    dim3 grid, block;
    size_t shared;
    return __cudaPopCallConfiguration(&grid, &block, &shared, NULL) == cudaErrorInvalidValue &&
           __cudaPopCallConfiguration(NULL, NULL, NULL, NULL) == cudaErrorInvalidValue &&
           cudaGetLastError() == cudaErrorInvalidValue;
}

int main(void) {
    void *values;
    if (!is_nowhere_popped_to()) return 4;
    if (cudaMalloc(&values, 64) != cudaSuccess) return 1;
    cudaError_t launched = launch(values), last = cudaGetLastError();
    if (cudaFree(values) != cudaSuccess) return 2;
    return launched == cudaErrorNotSupported && last == launched ? 0 : 3;
}
