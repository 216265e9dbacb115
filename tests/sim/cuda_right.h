/* SPDX-License-Identifier: Apache-2.0
 *
 * What is right in each argument of a function that is served, by its type and its name, as they
 * are in functions.def.
 */
#ifndef TESTS_SIM_CUDA_RIGHT_H
#define TESTS_SIM_CUDA_RIGHT_H

#include "sim/cuda_scene.h"
#include "sim/garbage.h"

enum cuda_kind {
    CONTEXT = GARBAGE_FEW + 1,
    STREAM_HANDLE,
    EVENT,
    MADE,         /* of the driver's own */
    GRAPH_OBJECT, /* likewise; other codes */
    POOL_HANDLE,
    MEMORY,
    DEVICE,
    SIZE,
    FUNCTION,
    NEEDED,   /* where a result goes */
    OPTIONAL, /* it may be NULL */
};

extern const struct garbage_parameter cuda_parameters[];

/* What the scene has not, and where results go. */
extern struct cuda_right {
    char out[256];
    CUmemoryPool pool;
    CUmodule module;
    CUlinkState link;
    CUgraph graph;
    CUgraphNode node;
    CUgraphExec exec;
    CUuserObject user;
} cuda_right;

/* Makes anew what of it is not there. */
void cuda_right_make(void);

#endif /* TESTS_SIM_CUDA_RIGHT_H */
