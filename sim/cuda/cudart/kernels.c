/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program with kernels calls besides, by its compiler's hand: it starts, moves its data, and
 * is refused its kernels.
 */
#include "runtime.h"

typedef struct {
    unsigned x, y, z;
} dim3;

/* ---- the registration of kernels and variables, before main and after it ---- */

CUDART_PUBLIC void **__cudaRegisterFatBinary(void *binary);
CUDART_PUBLIC void __cudaRegisterFatBinaryEnd(void **handle);
CUDART_PUBLIC void __cudaUnregisterFatBinary(void **handle);
CUDART_PUBLIC void __cudaRegisterFunction(void **handle, const char *function, char *stub,
                                          const char *name, int limit, void *thread, void *block,
                                          void *block_size, void *grid_size, int *warp);
CUDART_PUBLIC void __cudaRegisterVar(void **handle, char *variable, char *address, const char *name,
                                     int external, size_t bytes, int constant, int global);
CUDART_PUBLIC char __cudaInitModule(void **handle);

void **__cudaRegisterFatBinary(void *binary) {
    static void *handle;
    handle = binary;
    return &handle;
}

void __cudaRegisterFatBinaryEnd(void **handle) {
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle) {
    (void)handle;
}

void __cudaRegisterFunction(void **handle, const char *function, char *stub, const char *name,
                            int limit, void *thread, void *block, void *block_size, void *grid_size,
                            int *warp) {
    (void)handle, (void)function, (void)stub, (void)name, (void)limit, (void)thread, (void)block;
    (void)block_size, (void)grid_size, (void)warp;
}

void __cudaRegisterVar(void **handle, char *variable, char *address, const char *name, int external,
                       size_t bytes, int constant, int global) {
    (void)handle, (void)variable, (void)address, (void)name, (void)external, (void)bytes;
    (void)constant, (void)global;
}

char __cudaInitModule(void **handle) {
    (void)handle;
    return 1;
}

/* ---- launches: `<<<...>>>` is a push, and the kernel's stub, which pops and launches ---- */

CUDART_PUBLIC unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                                   cudaStream_t stream);
CUDART_PUBLIC cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                                     cudaStream_t *stream);
CUDART_PUBLIC cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block,
                                           void **arguments, size_t shared, cudaStream_t stream);
CUDART_PUBLIC cudaError_t cudaLaunchKernel_ptsz(const void *function, dim3 grid, dim3 block,
                                                void **arguments, size_t shared,
                                                cudaStream_t stream);

static _Thread_local struct {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
} pushed;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
    pushed.grid = grid;
    pushed.block = block;
    pushed.shared = shared;
    pushed.stream = stream;
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                       cudaStream_t *stream) {
    if (grid == NULL || block == NULL || shared == NULL || stream == NULL)
        return runtime_note(cudaErrorInvalidValue);
    *grid = pushed.grid;
    *block = pushed.block;
    *shared = pushed.shared;
    *stream = pushed.stream;
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream) {
    (void)function, (void)grid, (void)block, (void)arguments, (void)shared, (void)stream;
    return runtime_refuse("cudaLaunchKernel", "kernels do not run on the simulation: "
                                              "cudaErrorNotSupported");
}

cudaError_t cudaLaunchKernel_ptsz(const void *function, dim3 grid, dim3 block, void **arguments,
                                  size_t shared, cudaStream_t stream) {
    return cudaLaunchKernel(function, grid, block, arguments, shared, stream);
}
