/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of misuses share.
 */
#ifndef TESTS_SIM_CUDA_MISUSE_INTERNAL_H
#define TESTS_SIM_CUDA_MISUSE_INTERNAL_H

#include <stdint.h>

#include "sim/cuda_misuse.h"

/* What must go well for the misuse to be one; else the process ends with status 1. */
#define MUST(call) cuda_must(call, #call)
void cuda_must(CUresult code, const char *call);

#define BYTES 256

/* The primary context of device 0, current; a non-blocking stream, an event, BYTES of memory on the
 * device and of the program. */
extern struct cuda_subject {
    CUcontext context;
    CUstream stream;
    CUevent event;
    CUdeviceptr memory;
    char host[BYTES];
} on;

void cuda_misuse_begin(void);
/* The same, and no context is current. */
void cuda_misuse_begin_and_pop(void);

#define ANSWER(play, answer, source, where) CUresult play(void);
#include "sim/cuda_answers.def"
#undef ANSWER

#endif /* TESTS_SIM_CUDA_MISUSE_INTERNAL_H */
