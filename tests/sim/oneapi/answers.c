/* SPDX-License-Identifier: Apache-2.0
 *
 * What the runtime answers, as dpctl's headers have it. 0: all of it; else the line of the first
 * answer that is another one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpctl_abi.h"

#define WANT(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static DPCTLSyclDeviceRef device, other;

static void devices(void) {
    static const struct {
        int identifier;
        size_t n;
    } counts[] = {{DPCTL_ALL | DPCTL_ALL_BACKENDS, 2}, {DPCTL_GPU, 2}, {DPCTL_LEVEL_ZERO, 2},
                  {DPCTL_GPU | DPCTL_LEVEL_ZERO, 2},   {DPCTL_CPU, 0}, {DPCTL_OPENCL, 0},
                  {DPCTL_GPU | DPCTL_OPENCL, 0},       {0, 0}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        DPCTLDeviceVectorRef all = DPCTLDeviceMgr_GetDevices(counts[i].identifier);
        WANT(DPCTLDeviceVector_Size(all) == counts[i].n);
        WANT(DPCTLDeviceMgr_GetNumDevices(counts[i].identifier) == counts[i].n);
        WANT(DPCTLDeviceVector_GetAt(all, counts[i].n) == NULL);
        DPCTLDeviceVector_Delete(all);
    }
    DPCTLDeviceVectorRef all = DPCTLDeviceMgr_GetDevices(DPCTL_GPU);
    device = DPCTLDeviceVector_GetAt(all, 0);
    other = DPCTLDeviceVector_GetAt(all, 1);
    DPCTLDeviceVector_Delete(all);
    DPCTLSyclDeviceRef copy = DPCTLDevice_Copy(device);
    WANT(copy != device && DPCTLDevice_AreEq(copy, device) && !DPCTLDevice_AreEq(copy, other));
    WANT(DPCTLDevice_Hash(copy) == DPCTLDevice_Hash(device));
    DPCTLDevice_Delete(copy);
    WANT(DPCTLDevice_IsGPU(device) && !DPCTLDevice_IsCPU(device));
    WANT(DPCTLDevice_GetBackend(device) == DPCTL_LEVEL_ZERO);
    WANT(DPCTLDeviceMgr_GetPositionInDevices(other, DPCTL_GPU) == 1);
    WANT(DPCTLDevice_HasAspect(device, DPCTL_ASPECT_USM_DEVICE));
    WANT(!DPCTLDevice_HasAspect(device, DPCTL_ASPECT_PROFILING));
    WANT(!DPCTLDevice_HasAspect(device, -1) && !DPCTLDevice_HasAspect(device, 4711));
    WANT(!DPCTLDevice_CanAccessPeer(device, other, 0));
    const char *name = DPCTLDevice_GetName(device);
    WANT(strcmp(name, "simulated oneAPI device") == 0);
    DPCTLCString_Delete(name);
}

static void selectors(void) {
    static const struct {
        const char *filter;
        int device; /* -1: of none; -2: it is no filter */
    } filters[] = {{"gpu", 0},
                   {"gpu:1", 1},
                   {"level_zero", 0},
                   {"1", 1},
                   {"LEVEL_ZERO:GPU:1", 1},
                   {"*:gpu:0", 0},
                   {"level_zero:1", 1},
                   {"cpu,gpu:1", 1},
                   {"gpu:1,gpu:0", 0},
                   {"gpu:2", -1},
                   {"cpu", -1},
                   {"opencl:gpu:0", -1},
                   {"", -2},
                   {"gpu:", -2},
                   {"gpu:level_zero", -2},
                   {"gpus", -2},
                   {"gpu:1:0", -2},
                   {"gpu,,", -2}};
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        DPCTLSyclDeviceSelectorRef selector = DPCTLFilterSelector_Create(filters[i].filter);
        WANT((selector == NULL) == (filters[i].device == -2));
        DPCTLSyclDeviceRef found = DPCTLDevice_CreateFromSelector(selector);
        WANT((found == NULL) == (filters[i].device < 0));
        if (found != NULL) WANT(DPCTLDevice_AreEq(found, filters[i].device == 0 ? device : other));
        DPCTLDevice_Delete(found);
        DPCTLDeviceSelector_Delete(selector);
    }
    WANT(DPCTLFilterSelector_Create(NULL) == NULL);
}

static void nothing(void) {
    WANT(DPCTLQueue_CreateForDevice(NULL, NULL, 0) == NULL);
    WANT(DPCTLQueue_Create(NULL, device, NULL, 0) == NULL);
    WANT(DPCTLQueue_SubmitBarrier(NULL) == NULL && DPCTLEvent_Copy(NULL) == NULL);
    WANT(DPCTLEvent_GetWaitList(NULL) == NULL);
    DPCTLDeviceVectorRef none = DPCTLDeviceVector_Create();
    WANT(DPCTLContext_CreateFromDevices(none, NULL, 0) == NULL);
    DPCTLDeviceVector_Delete(none);
    WANT(DPCTLEvent_GetCommandExecutionStatus(NULL) == DPCTL_UNKNOWN_STATUS);
    WANT(DPCTLmalloc_device(8, NULL) == NULL);
    WANT(!DPCTLDevice_AreEq(NULL, device) && !DPCTLQueue_AreEq(NULL, NULL));
    DPCTLEvent_Wait(NULL);
    DPCTLEvent_Delete(NULL);
    DPCTLQueue_Wait(NULL);
    DPCTLQueue_Delete(NULL);
    DPCTLDevice_Delete(NULL);
    DPCTLDeviceVector_Delete(NULL);
    DPCTLfree_with_queue(NULL, NULL);
}

static void contexts(void) {
    DPCTLSyclContextRef cached = DPCTLDeviceMgr_GetCachedContext(device);
    DPCTLSyclQueueRef queue = DPCTLQueue_CreateForDevice(other, NULL, 0);
    DPCTLSyclContextRef of_queue = DPCTLQueue_GetContext(queue);
    DPCTLSyclContextRef own = DPCTLContext_Create(device, NULL, 0);
    WANT(DPCTLContext_AreEq(cached, of_queue) && !DPCTLContext_AreEq(cached, own));
    WANT(DPCTLContext_DeviceCount(cached) == 2 && DPCTLContext_DeviceCount(own) == 1);
    WANT(DPCTLQueue_Create(own, other, NULL, 0) == NULL); /* the device is not in it */
    DPCTLSyclDeviceRef back = DPCTLQueue_GetDevice(queue);
    WANT(DPCTLDevice_AreEq(back, other));
    DPCTLDevice_Delete(back);
    DPCTLContext_Delete(own);
    DPCTLContext_Delete(of_queue);
    DPCTLQueue_Delete(queue);
    DPCTLContext_Delete(cached);
}

static void memory(void) {
    DPCTLSyclQueueRef queue = DPCTLQueue_CreateForDevice(device, NULL, DPCTL_IN_ORDER);
    DPCTLSyclContextRef context = DPCTLQueue_GetContext(queue);
    DPCTLSyclUSMRef made[] = {DPCTLmalloc_device(100, queue), DPCTLmalloc_shared(100, queue),
                              DPCTLaligned_alloc_host(64, 100, queue)};
    static const int types[] = {DPCTL_USM_DEVICE, DPCTL_USM_SHARED, DPCTL_USM_HOST};
    char own[8];
    for (int i = 0; i < 3; i++) {
        DPCTLSyclUSMRef inside = (DPCTLSyclUSMRef)((char *)made[i] + 99);
        WANT((int)DPCTLUSM_GetPointerType(inside, context) == types[i]);
        DPCTLSyclDeviceRef where = DPCTLUSM_GetPointerDevice(inside, context);
        WANT(DPCTLDevice_AreEq(where, device));
        DPCTLDevice_Delete(where);
    }
    WANT(DPCTLUSM_GetPointerType((DPCTLSyclUSMRef)own, context) == DPCTL_USM_UNKNOWN);
    DPCTLSyclContextRef apart = DPCTLContext_Create(device, NULL, 0);
    WANT(DPCTLUSM_GetPointerType(made[0], apart) == DPCTL_USM_UNKNOWN);
    WANT(DPCTLUSM_GetPointerDevice(made[0], apart) == NULL);
    DPCTLContext_Delete(apart);
    WANT(DPCTLmalloc_device(0, queue) == NULL);
    WANT(DPCTLaligned_alloc_device(3, 8, queue) == NULL);
    for (int i = 0; i < 2; i++) DPCTLfree_with_queue(made[i], queue);
    DPCTLfree_with_context(made[2], context);
    DPCTLContext_Delete(context);
    DPCTLQueue_Delete(queue);
}

static void queues(void) {
    DPCTLSyclQueueRef queue = DPCTLQueue_CreateForDevice(device, NULL, DPCTL_IN_ORDER);
    DPCTLSyclQueueRef copy = DPCTLQueue_Copy(queue);
    DPCTLSyclQueueRef loose = DPCTLQueue_CreateForDevice(device, NULL, DPCTL_ENABLE_PROFILING);
    WANT(copy != queue && DPCTLQueue_AreEq(copy, queue) && !DPCTLQueue_AreEq(copy, loose));
    WANT(DPCTLQueue_IsInOrder(copy) && !DPCTLQueue_IsInOrder(loose));
    WANT(!DPCTLQueue_HasEnableProfiling(copy) && DPCTLQueue_HasEnableProfiling(loose));
    DPCTLQueue_Delete(queue);
    WANT(DPCTLQueue_Hash(copy) != 0);
    DPCTLQueue_Delete(copy);
    DPCTLQueue_Delete(loose);
}

static void fills(void) {
    static const uint64_t wide[] = {0x0102030405060708, 0x1112131415161718};
    uint64_t out[8], value[2] = {wide[0], wide[1]};
    DPCTLSyclQueueRef queue = DPCTLQueue_CreateForDevice(device, NULL, DPCTL_IN_ORDER);
    uint64_t *host = (uint64_t *)DPCTLmalloc_host(sizeof out, queue);
    DPCTLSyclEventRef events[] = {DPCTLQueue_Fill8(queue, host, 1, 64),
                                  DPCTLQueue_Fill16(queue, host, 0x203, 4),
                                  DPCTLQueue_Fill32(queue, host + 1, 0x405, 2),
                                  DPCTLQueue_Fill64(queue, host + 2, wide[0], 2),
                                  DPCTLQueue_Fill128(queue, host + 4, value, 1),
                                  DPCTLQueue_Prefetch(queue, host, 8),
                                  DPCTLQueue_MemAdvise(queue, host, 8, 0)};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        WANT(events[i] != NULL);
        DPCTLEvent_Wait(events[i]);
        WANT(DPCTLEvent_GetCommandExecutionStatus(events[i]) == DPCTL_COMPLETE);
        DPCTLEvent_Delete(events[i]);
    }
    WANT(DPCTLQueue_Fill64(queue, host, 0, SIZE_MAX / 8 + 2) == NULL);
    WANT(host[0] == 0x0203020302030203 && host[1] == 0x0000040500000405);
    WANT(host[2] == wide[0] && host[3] == wide[0] && host[4] == wide[0] && host[5] == wide[1]);
    WANT(host[6] == 0x0101010101010101);
    DPCTLfree_with_queue((DPCTLSyclUSMRef)host, queue);
    DPCTLQueue_Delete(queue);
}

static void events(void) {
    DPCTLSyclEventRef none = DPCTLEvent_Create();
    WANT(DPCTLEvent_GetCommandExecutionStatus(none) == DPCTL_COMPLETE);
    DPCTLEventVectorRef list = DPCTLEvent_GetWaitList(none);
    WANT(DPCTLEventVector_Size(list) == 0);
    DPCTLEventVector_Delete(list);
    list = DPCTLEventVector_CreateFromArray(1, &none);
    DPCTLSyclEventRef copy = DPCTLEventVector_GetAt(list, 0);
    WANT(copy != NULL && copy != none);
    DPCTLEventVector_Delete(list);
    DPCTLEvent_Delete(copy);
    DPCTLEvent_Delete(none);
}

int main(void) {
    devices();
    selectors();
    nothing();
    contexts();
    memory();
    queues();
    fills();
    events();
    DPCTLDevice_Delete(device);
    DPCTLDevice_Delete(other);
    return 0;
}
