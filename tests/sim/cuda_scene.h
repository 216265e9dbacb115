/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs on the simulated CUDA driver: what most of them begin and end with.
 */
#ifndef TESTS_SIM_CUDA_SCENE_H
#define TESTS_SIM_CUDA_SCENE_H

#include "cuda_abi.h"
#include "sim/played.h"

#define CUDA_BYTES 4096

/* The primary context of device 0, current; two non-blocking streams, an event, and memory of each
 * kind (device memory twice). */
extern struct cuda_scene {
    CUcontext context;
    CUstream s, t;
    CUevent e;
    CUdeviceptr a, b, managed;
    char *pinned;
} cuda;

#define CUDA_OK(call)          CUDA_ANSWERS(call, CUDA_SUCCESS)
#define CUDA_ANSWERS(call, as) sim_want((call) == (as), #call, __FILE__, __LINE__)

void cuda_scene_begin(void);
/* Waits for everything and gives it back. */
void cuda_scene_end(void);

static inline volatile char *cuda_at(CUdeviceptr pointer, size_t offset) {
    return (volatile char *)(uintptr_t)pointer + offset;
}

#endif /* TESTS_SIM_CUDA_SCENE_H */
