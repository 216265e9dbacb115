/* SPDX-License-Identifier: Apache-2.0
 *
 *   measure_cuda     what the simulated CUDA driver costs; part of `make bench`
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench/timing.h"
#include "cuda_abi.h"
#include "sim.h"

#define COPY_BYTES ((size_t)64 << 20)
#define ROUNDS     15
#define BATCH      1000

static void must(CUresult code, const char *call) {
    if (code == CUDA_SUCCESS) return;
    fprintf(stderr, "measure_cuda: %s answers %d\n", call, (int)code);
    exit(EXIT_FAILURE);
}

#define MUST(call) must(call, #call)

static void *plain(void) {
    char *bytes = malloc(COPY_BYTES);
    if (bytes == NULL) exit(EXIT_FAILURE);
    return memset(bytes, 1, COPY_BYTES);
}

static CUdeviceptr device(size_t bytes) {
    CUdeviceptr made;
    MUST(cuMemAlloc(&made, bytes));
    return made;
}

/* In turns with memcpy, so that a machine that slows down does so for both. */
static void copies(void) {
    void *host = plain(), *other = plain(), *pinned;
    MUST(cuMemAllocHost(&pinned, COPY_BYTES));
    CUdeviceptr a = device(COPY_BYTES), b = device(COPY_BYTES), at_pinned = (uintptr_t)pinned;
    const struct {
        const char *name;
        CUdeviceptr to, from;
    } ways[] = {{"cuMemcpyHtoD, pageable", a, (uintptr_t)host},
                {"cuMemcpyDtoH, pageable", (uintptr_t)host, a},
                {"cuMemcpyHtoD, pinned", a, at_pinned},
                {"cuMemcpyDtoH, pinned", at_pinned, a},
                {"cuMemcpyDtoD", b, a}};
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        double ours[ROUNDS], theirs[ROUNDS];
        for (size_t i = 0; i < ROUNDS; i++) {
            double start = now_ns();
            memcpy(other, host, COPY_BYTES);
            double middle = now_ns();
            MUST(cuMemcpy(ways[way].to, ways[way].from, COPY_BYTES));
            MUST(cuCtxSynchronize());
            ours[i] = now_ns() - middle;
            theirs[i] = middle - start;
        }
        double simulated = median(ours, ROUNDS), real = median(theirs, ROUNDS);
        printf("CUDA: copy of 64 MiB, %-24s %6.2f GB/s  memcpy %6.2f GB/s  %.2f of it\n",
               ways[way].name, (double)COPY_BYTES / simulated, (double)COPY_BYTES / real,
               real / simulated);
    }
}

static void commands(void) {
    double values[ROUNDS];
    CUstream stream;
    CUdeviceptr a = device(BATCH * 512);
    MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    for (size_t round = 0; round < ROUNDS; round++) {
        double start = now_ns();
        for (size_t i = 0; i < BATCH; i++) MUST(cuMemsetD32Async(a + i * 512, 1, 16, stream));
        MUST(cuStreamSynchronize(stream));
        values[round] = (now_ns() - start) / BATCH;
    }
    printf("CUDA: a command, queued, checked and run        %6.2f us\n",
           median(values, ROUNDS) / 1e3);
}

static void allocations(void) {
    double values[ROUNDS];
    for (size_t round = 0; round < ROUNDS; round++) {
        double start = now_ns();
        for (size_t i = 0; i < BATCH; i++) MUST(cuMemFree(device(4096)));
        values[round] = (now_ns() - start) / BATCH;
    }
    printf("CUDA: cuMemAlloc and cuMemFree of 4096 bytes    %6.2f us\n",
           median(values, ROUNDS) / 1e3);
}

static char host[9];
static CUdeviceptr small;
static CUstream queue;
static CUevent event;

static void copy_in(void) {
    MUST(cuMemcpyHtoDAsync(small, host, sizeof host, queue));
}

static void copy_out(void) {
    MUST(cuMemcpyDtoH(host, small, sizeof host));
}

static void set(void) {
    MUST(cuMemsetD8Async(small, 1, sizeof host, queue));
}

static void record(void) {
    MUST(cuEventRecord(event, queue));
}

static void await(void) {
    MUST(cuStreamWaitEvent(queue, event, 0));
}

static void synchronize(void) {
    MUST(cuStreamSynchronize(queue));
}

static void ask(void) {
    int type;
    MUST(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, small));
}

/* What is queued is run in between, and not counted: it is a call's own cost. */
static void calls(void) {
    static const struct {
        const char *name;
        void (*call)(void);
    } all[] = {{"cuMemcpyHtoDAsync of 9 bytes", copy_in},
               {"cuMemcpyDtoH of 9 bytes", copy_out},
               {"cuMemsetD8Async of 9 bytes", set},
               {"cuEventRecord", record},
               {"cuStreamWaitEvent", await},
               {"cuStreamSynchronize", synchronize},
               {"cuPointerGetAttribute", ask}};
    small = device(sizeof host);
    MUST(cuStreamCreate(&queue, CU_STREAM_NON_BLOCKING));
    MUST(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    record();
    for (size_t one = 0; one < sizeof all / sizeof *all; one++) {
        double values[ROUNDS];
        uint64_t before = 0, locks = 0;
        for (size_t round = 0; round < ROUNDS; round++) {
            before = adi_sim_locks();
            double start = now_ns();
            for (size_t i = 0; i < BATCH; i++) all[one].call();
            values[round] = (now_ns() - start) / BATCH;
            locks = adi_sim_locks() - before;
            MUST(cuCtxSynchronize());
        }
        printf("CUDA: %-30s %4.1f locks a call %10.0f ns\n", all[one].name, (double)locks / BATCH,
               median(values, ROUNDS));
    }
}

int main(void) {
    CUcontext context;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&context, 0));
    MUST(cuCtxPushCurrent(context));
    copies();
    commands();
    allocations();
    calls();
    MUST(cuDevicePrimaryCtxRelease(0));
    return EXIT_SUCCESS;
}
