/* SPDX-License-Identifier: Apache-2.0
 *
 *   peers right | default | peer | async
 *
 * A copy from one device to the other by the CUDA runtime, between work on streams that do not
 * block: with the direction, with whatever it is, and by the numbers of the devices. The last one
 * is in the order of its stream alone, which the simulation has to see.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cudart_abi.h"

#define BYTES 4096

static void must(cudaError_t code, const char *call) {
    if (code == cudaSuccess) return;
    fprintf(stderr, "peers: %s: %s\n", call, cudaGetErrorString(code));
    exit(2);
}

#define MUST(call) must(call, #call)

static void make(int device, void **memory, cudaStream_t *stream) {
    MUST(cudaSetDevice(device));
    MUST(cudaMalloc(memory, BYTES));
    MUST(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
}

int main(int argc, char **argv) {
    const char *way = argc == 2 ? argv[1] : "right";
    cudaStream_t there, here;
    void *from, *to, *pinned;
    make(1, &from, &there);
    make(0, &to, &here);
    MUST(cudaMallocHost(&pinned, BYTES));
    MUST(cudaMemsetAsync(from, 5, BYTES, there));
    if (strcmp(way, "right") == 0) MUST(cudaMemcpy(to, from, BYTES, cudaMemcpyDeviceToDevice));
    if (strcmp(way, "default") == 0) MUST(cudaMemcpy(to, from, BYTES, cudaMemcpyDefault));
    if (strcmp(way, "peer") == 0) MUST(cudaMemcpyPeer(to, 0, from, 1, BYTES));
    if (strcmp(way, "async") == 0) MUST(cudaMemcpyAsync(to, from, BYTES, cudaMemcpyDefault, NULL));
    MUST(cudaMemcpyAsync(pinned, to, BYTES, cudaMemcpyDeviceToHost, here));
    MUST(cudaStreamSynchronize(here));
    if (strcmp(way, "async") != 0 && ((char *)pinned)[BYTES - 1] != 5) return 3;
    MUST(cudaStreamSynchronize(there));
    MUST(cudaFree(from));
    MUST(cudaFree(to));
    MUST(cudaFreeHost(pinned));
    MUST(cudaStreamDestroy(there));
    MUST(cudaStreamDestroy(here));
    return 0;
}
