/* SPDX-License-Identifier: Apache-2.0
 *
 * A producer and a consumer, each with a queue of its own, done rightly or wrongly by the name of
 * the way. 0: what comes out is what went in; 1: it is not; 2: there is no such way.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "dpctl_abi.h"

#define N 64

static char in[N], out[N];
static DPCTLSyclDeviceRef devices[2];
static DPCTLSyclQueueRef first, second; /* in order, of the same device */
static DPCTLSyclQueueRef unordered;
static char *buffer, *further;

static void drop(DPCTLSyclEventRef event) {
    DPCTLEvent_Delete(event);
}

static void finish(DPCTLSyclEventRef event) {
    DPCTLEvent_Wait(event);
    drop(event);
}

static void fill(DPCTLSyclQueueRef queue, char *to) {
    drop(DPCTLQueue_Memcpy(queue, to, in, N));
}

/* Behind the event; NULL: behind nothing. */
static void read_after(DPCTLSyclQueueRef queue, const char *from, DPCTLSyclEventRef event) {
    if (event != NULL) drop(DPCTLQueue_SubmitBarrierForEvents(queue, &event, 1));
    finish(DPCTLQueue_Memcpy(queue, out, from, N));
}

static void right(void) {
    fill(first, buffer);
    DPCTLSyclEventRef event = DPCTLQueue_SubmitBarrier(first);
    read_after(second, buffer, event);
    drop(event);
}

/* A barrier stands for all that is in the queue, and holds back what comes later. */
static void right_unordered(void) {
    fill(unordered, further);
    fill(unordered, buffer);
    drop(DPCTLQueue_SubmitBarrier(unordered));
    drop(DPCTLQueue_Memset(unordered, further, 0, N));
    DPCTLQueue_Wait(unordered);
    read_after(second, buffer, NULL);
}

static void right_depends(void) {
    DPCTLSyclEventRef cleared = DPCTLQueue_Fill64(unordered, buffer, 0, N / 8), none = NULL;
    const DPCTLSyclEventRef events[] = {none, cleared};
    DPCTLSyclEventRef filled = DPCTLQueue_MemcpyWithEvents(unordered, buffer, in, N, events, 2);
    read_after(unordered, buffer, filled);
    drop(cleared);
    drop(filled);
}

/* Queues and events live as long as any reference to them. */
static void right_copies(void) {
    DPCTLSyclQueueRef one = DPCTLQueue_CreateForDevice(devices[0], NULL, DPCTL_IN_ORDER);
    DPCTLSyclQueueRef other = DPCTLQueue_Copy(one);
    drop(DPCTLQueue_Memset(one, buffer, 0, N));
    DPCTLQueue_Delete(one);
    fill(other, buffer);
    DPCTLSyclEventRef event = DPCTLQueue_SubmitBarrier(other), copy = DPCTLEvent_Copy(event);
    drop(event);
    DPCTLQueue_Delete(other);
    read_after(second, buffer, copy);
    drop(copy);
}

static void right_host(void) {
    char *host = (char *)DPCTLmalloc_host(N, first), *shared = (char *)DPCTLmalloc_shared(N, first);
    memcpy(host, in, N);
    drop(DPCTLQueue_Memcpy(first, shared, host, N));
    finish(DPCTLQueue_SubmitBarrier(first));
    memcpy(out, shared, N);
    DPCTLfree_with_queue((DPCTLSyclUSMRef)host, first);
    DPCTLfree_with_queue((DPCTLSyclUSMRef)shared, first);
}

static void no_wait(void) {
    fill(first, buffer);
    read_after(second, buffer, NULL);
    DPCTLQueue_Wait(first);
}

static void without_order(void) {
    drop(DPCTLQueue_Memset(unordered, buffer, 0, N));
    fill(unordered, buffer);
    DPCTLQueue_Wait(unordered);
}

static void last_event(void) {
    fill(unordered, buffer);
    finish(DPCTLQueue_Memset(unordered, further, 0, N));
    read_after(second, buffer, NULL);
    DPCTLQueue_Wait(unordered);
}

static void barrier_for_none(void) {
    fill(first, buffer);
    DPCTLSyclEventRef event = DPCTLEvent_Create();
    read_after(second, buffer, event);
    drop(event);
    DPCTLQueue_Wait(first);
}

static void host_read(void) {
    volatile char *shared = (char *)DPCTLmalloc_shared(N, first);
    fill(first, (char *)(uintptr_t)shared);
    (void)shared[0];
    DPCTLQueue_Wait(first);
    DPCTLfree_with_queue((DPCTLSyclUSMRef)(uintptr_t)shared, first);
}

static void device_read(void) {
    (void)*(volatile char *)buffer;
}

static void kept_event(void) {
    fill(first, buffer);
    DPCTLEvent_Wait(DPCTLQueue_SubmitBarrier(first));
}

static void kept_queue(void) {
    DPCTLQueue_CreateForDevice(devices[0], NULL, 0);
}

static void kept_device(void) {
    DPCTLQueue_GetDevice(first);
}

static void kept_memory(void) {
    DPCTLmalloc_device(N, first);
}

static void freed_early(void) {
    char *memory = (char *)DPCTLmalloc_device(N, first);
    fill(first, memory);
    DPCTLfree_with_queue((DPCTLSyclUSMRef)memory, first);
    DPCTLQueue_Wait(first);
}

static void freed_twice(void) {
    DPCTLSyclUSMRef memory = DPCTLmalloc_device(N, first);
    DPCTLfree_with_queue(memory, first);
    DPCTLfree_with_queue(memory, first);
}

static void deleted_twice(void) {
    DPCTLSyclEventRef event = DPCTLQueue_SubmitBarrier(first);
    drop(event);
    drop(event);
}

static void device_twice(void) {
    DPCTLSyclDeviceRef device = DPCTLDevice_Copy(devices[0]);
    DPCTLDevice_Delete(device);
    DPCTLDevice_Delete(device);
}

static void queue_twice(void) {
    DPCTLSyclQueueRef queue = DPCTLQueue_CreateForDevice(devices[0], NULL, 0);
    DPCTLQueue_Delete(queue);
    DPCTLQueue_Delete(queue);
}

static void queue_after_end(void) {
    DPCTLSyclQueueRef queue = DPCTLQueue_CreateForDevice(devices[0], NULL, 0);
    DPCTLQueue_Delete(queue);
    DPCTLQueue_Wait(queue);
}

static void queue_as_event(void) {
    DPCTLEvent_Wait((DPCTLSyclEventRef)first);
}

static void other_device(void) {
    DPCTLSyclQueueRef queue = DPCTLQueue_CreateForDevice(devices[1], NULL, DPCTL_IN_ORDER);
    if (DPCTLQueue_Memset(queue, buffer, 0, N) != NULL) exit(3);
    DPCTLQueue_Delete(queue);
}

static void other_context(void) {
    DPCTLSyclContextRef context = DPCTLContext_Create(devices[0], NULL, 0);
    DPCTLSyclQueueRef queue = DPCTLQueue_Create(context, devices[0], NULL, DPCTL_IN_ORDER);
    if (DPCTLQueue_Memcpy(queue, buffer, in, N) != NULL) exit(3);
    DPCTLContext_Delete(context);
    DPCTLQueue_Delete(queue);
}

/* Memory of another context is not read, filled, advised or freed, either. */
static void other_context_else(void) {
    DPCTLSyclContextRef context = DPCTLContext_Create(devices[0], NULL, 0);
    DPCTLSyclContextRef own = DPCTLQueue_GetContext(first);
    DPCTLSyclQueueRef queue = DPCTLQueue_Create(context, devices[0], NULL, DPCTL_IN_ORDER);
    if (DPCTLQueue_Memcpy(queue, out, buffer, N) != NULL) exit(3);
    if (DPCTLQueue_Memset(queue, buffer, 0, N) != NULL) exit(3);
    if (DPCTLQueue_Fill64(queue, buffer, 0, N / 8) != NULL) exit(3);
    if (DPCTLQueue_MemAdvise(queue, buffer, N, 0) != NULL) exit(3);
    DPCTLfree_with_context((DPCTLSyclUSMRef)buffer, context);
    if (DPCTLUSM_GetPointerType((DPCTLSyclUSMRef)buffer, own) != DPCTL_USM_DEVICE) exit(3);
    DPCTLContext_Delete(own);
    DPCTLContext_Delete(context);
    DPCTLQueue_Delete(queue);
}

static void advice_too_long(void) {
    if (DPCTLQueue_MemAdvise(first, buffer, N + 1, 0) != NULL) exit(3);
}

static void too_long(void) {
    if (DPCTLQueue_Memset(first, buffer, 0, N + 1) != NULL) exit(3);
}

static void host_early(void) {
    char early[N];
    fill(first, buffer);
    DPCTLSyclEventRef event = DPCTLQueue_Memcpy(first, out, buffer, N);
    memcpy(early, out, N);
    finish(event);
    memcpy(out, early, N);
}

static void source_gone(void) {
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    DPCTLSyclEventRef event = DPCTLQueue_Memcpy(first, buffer, page, N);
    munmap(page, 4096);
    finish(event);
}

uintptr_t DPCTLQueue_SubmitRange(void);

/* References that are NULL, or to something else, and memory that is aligned too well. */
static void odd(void) {
    DPCTLEvent_Wait(NULL);
    DPCTLQueue_Wait(NULL);
    if (DPCTLDevice_IsGPU(NULL)) exit(3);
    DPCTLSyclContextRef context = DPCTLQueue_GetContext(first);
    if (DPCTLDevice_IsGPU((DPCTLSyclDeviceRef)(void *)context)) exit(3);
    DPCTLContext_Delete(context);
    if (DPCTLaligned_alloc_device(512, N, first) != NULL) exit(3);
}

static void unserved(void) {
    if (DPCTLQueue_SubmitRange() != 0) exit(3);
}

static const struct {
    const char *name;
    void (*play)(void);
    int gives; /* it looks at what comes out */
} ways[] = {{"right", right, 1},
            {"right-unordered", right_unordered, 1},
            {"right-depends", right_depends, 1},
            {"right-copies", right_copies, 1},
            {"right-host", right_host, 1},
            {"no-wait", no_wait, 0},
            {"unordered", without_order, 0},
            {"last-event", last_event, 0},
            {"barrier-for-none", barrier_for_none, 0},
            {"host-read", host_read, 0},
            {"device-read", device_read, 0},
            {"kept-event", kept_event, 0},
            {"kept-queue", kept_queue, 0},
            {"kept-device", kept_device, 0},
            {"kept-memory", kept_memory, 0},
            {"freed-early", freed_early, 0},
            {"freed-twice", freed_twice, 0},
            {"deleted-twice", deleted_twice, 0},
            {"device-twice", device_twice, 0},
            {"queue-twice", queue_twice, 0},
            {"queue-after-end", queue_after_end, 0},
            {"queue-as-event", queue_as_event, 0},
            {"other-device", other_device, 0},
            {"other-context", other_context, 0},
            {"other-context-else", other_context_else, 0},
            {"advice-too-long", advice_too_long, 0},
            {"too-long", too_long, 0},
            {"host-early", host_early, 1},
            {"source-gone", source_gone, 0},
            {"odd", odd, 0},
            {"unserved", unserved, 0}};

static int play(const char *name) {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (strcmp(ways[i].name, name) != 0) continue;
        ways[i].play();
        return ways[i].gives && memcmp(in, out, N) != 0;
    }
    return 2;
}

int main(int argc, char **argv) {
    for (int i = 0; i < N; i++) in[i] = (char)(i + 1);
    DPCTLDeviceVectorRef all = DPCTLDeviceMgr_GetDevices(DPCTL_GPU);
    for (size_t i = 0; i < 2; i++) devices[i] = DPCTLDeviceVector_GetAt(all, i);
    DPCTLDeviceVector_Delete(all);
    first = DPCTLQueue_CreateForDevice(devices[0], NULL, DPCTL_IN_ORDER);
    second = DPCTLQueue_CreateForDevice(devices[0], NULL, DPCTL_IN_ORDER);
    unordered = DPCTLQueue_CreateForDevice(devices[0], NULL, 0);
    buffer = (char *)DPCTLmalloc_device(N, first);
    further = (char *)DPCTLmalloc_device(N, first);
    int code = argc == 2 ? play(argv[1]) : 2;
    DPCTLfree_with_queue((DPCTLSyclUSMRef)buffer, first);
    DPCTLfree_with_queue((DPCTLSyclUSMRef)further, first);
    DPCTLQueue_Delete(first);
    DPCTLQueue_Delete(second);
    DPCTLQueue_Delete(unordered);
    for (size_t i = 0; i < 2; i++) DPCTLDevice_Delete(devices[i]);
    return code;
}
