/* SPDX-License-Identifier: Apache-2.0
 *
 * What the simulated CUDA driver knows of pointers and streams.
 */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_known_suite(void);

static uint64_t of_pointer(int attribute, CUdeviceptr pointer) {
    uint64_t value = 0;
    CUDA_OK(cuPointerGetAttribute(&value, attribute, pointer));
    return value;
}

/* Into how many bytes it writes. */
static size_t width_of(int attribute, CUdeviceptr pointer) {
    unsigned char value[16];
    size_t width = sizeof value;
    memset(value, 0xaa, sizeof value);
    CUDA_OK(cuPointerGetAttribute(value, attribute, pointer));
    while (width > 0 && value[width - 1] == 0xaa) width--;
    return width;
}

/* Whoever asks for a "boolean" into a byte loses what lies beside it, as with NVIDIA's driver. */
static void ask_for_booleans(void) {
    cuda_scene_begin();
    SIM_WANT(width_of(CU_POINTER_ATTRIBUTE_IS_MANAGED, cuda.a) == 4);
    SIM_WANT(width_of(CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, cuda.a) == 4);
    SIM_WANT(width_of(CU_POINTER_ATTRIBUTE_MAPPED, cuda.a) == 4);
    SIM_WANT(width_of(CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, cuda.a) == 4);
    SIM_WANT(width_of(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, cuda.a) == 4);
    SIM_WANT(width_of(CU_POINTER_ATTRIBUTE_RANGE_SIZE, cuda.a) == 8);
    SIM_WANT(of_pointer(CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, cuda.a) == 1);
    SIM_WANT(of_pointer(CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, (uintptr_t)cuda.pinned) == 0);
    cuda_scene_end();
}

static void ask_pointers(void) {
    CUdeviceptr start, pinned;
    size_t bytes;
    uint64_t none;
    cuda_scene_begin();
    pinned = (uintptr_t)cuda.pinned;
    SIM_WANT(of_pointer(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, cuda.a + 5) == CU_MEMORYTYPE_DEVICE);
    SIM_WANT(of_pointer(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pinned) == CU_MEMORYTYPE_HOST);
    SIM_WANT(of_pointer(CU_POINTER_ATTRIBUTE_IS_MANAGED, cuda.managed) == 1);
    SIM_WANT(of_pointer(CU_POINTER_ATTRIBUTE_IS_MANAGED, cuda.a) == 0);
    SIM_WANT(of_pointer(CU_POINTER_ATTRIBUTE_CONTEXT, cuda.a) == (uintptr_t)cuda.context);
    SIM_WANT(of_pointer(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, pinned) == pinned);
    SIM_WANT(of_pointer(CU_POINTER_ATTRIBUTE_HOST_POINTER, pinned + 1) == pinned + 1);
    SIM_WANT(of_pointer(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, cuda.a) == 0);
    SIM_WANT(of_pointer(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, cuda.a + 9) == cuda.a);
    SIM_WANT(of_pointer(CU_POINTER_ATTRIBUTE_RANGE_SIZE, cuda.a) == CUDA_BYTES);
    CUDA_ANSWERS(cuPointerGetAttribute(&none, CU_POINTER_ATTRIBUTE_HOST_POINTER, cuda.a),
                 CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuMemGetAddressRange(&start, &bytes, cuda.b + 100));
    SIM_WANT(start == cuda.b && bytes == CUDA_BYTES);
    cuda_scene_end();
}

static void ask_registered_memory(void) {
    static char own[64];
    CUdeviceptr pointer = (uintptr_t)own + 8;
    int type;
    cuda_scene_begin();
    CUDA_OK(cuMemHostRegister(own, sizeof own, 0));
    SIM_WANT(of_pointer(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer) == CU_MEMORYTYPE_HOST);
    SIM_WANT(of_pointer(CU_POINTER_ATTRIBUTE_CONTEXT, pointer) == (uintptr_t)cuda.context);
    SIM_WANT(of_pointer(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, pointer) == pointer);
    SIM_WANT(of_pointer(CU_POINTER_ATTRIBUTE_HOST_POINTER, pointer) == pointer);
    SIM_WANT(of_pointer(CU_POINTER_ATTRIBUTE_RANGE_SIZE, pointer) == sizeof own);
    CUDA_OK(cuMemHostUnregister(own));
    CUDA_ANSWERS(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer),
                 CUDA_ERROR_INVALID_VALUE);
    cuda_scene_end();
}

/* What the driver says of a pointer is what it does with it. */
static void ask_whether_it_is_shared(void) {
    CUdeviceptr of_pool;
    CUipcMemHandle handle;
    cuda_scene_begin();
    CUDA_OK(cuMemAllocAsync(&of_pool, 64, cuda.s));
    CUDA_OK(cuStreamSynchronize(cuda.s));
    const CUdeviceptr pointers[] = {cuda.a, cuda.managed, (uintptr_t)cuda.pinned, of_pool};
    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++) {
        int capable = 2;
        CUDA_OK(cuPointerGetAttribute(&capable, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE,
                                      pointers[i]));
        SIM_WANT(capable == (i == 0));
        CUDA_ANSWERS(cuIpcGetMemHandle(&handle, pointers[i]),
                     capable ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
    }
    CUDA_OK(cuMemFree(of_pool));
    cuda_scene_end();
}

START_TEST(pointers_are_known)
{
    sim_goes_well(ask_pointers, 1);
    sim_goes_well(ask_for_booleans, 1);
    sim_goes_well(ask_registered_memory, 1);
    sim_goes_well(ask_whether_it_is_shared, 1);
}
END_TEST

static void ask_streams(void) {
    CUstream stream;
    CUcontext context;
    CUdevice device;
    int least, greatest, priority, capturing;
    unsigned flags;
    cuda_scene_begin();
    CUDA_OK(cuCtxGetStreamPriorityRange(&least, &greatest));
    SIM_WANT(least == 0 && greatest == -5);
    CUDA_OK(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -100));
    CUDA_OK(cuStreamGetPriority(stream, &priority));
    CUDA_OK(cuStreamGetFlags(stream, &flags));
    SIM_WANT(priority == greatest && flags == CU_STREAM_NON_BLOCKING);
    CUDA_OK(cuStreamGetCtx(stream, &context));
    CUDA_OK(cuStreamGetDevice(stream, &device));
    CUDA_OK(cuStreamIsCapturing(stream, &capturing));
    SIM_WANT(context == cuda.context && device == 0 && capturing == 0);
    CUDA_OK(cuStreamGetFlags(NULL, &flags));
    CUDA_OK(cuStreamGetCtx_ptsz(NULL, &context));
    SIM_WANT(flags == 0 && context == cuda.context);
    CUDA_OK(cuStreamDestroy(stream));
    cuda_scene_end();
}

static void *ask_of_thread(void *id) {
    CUDA_OK(cuCtxSetCurrent(cuda.context));
    CUDA_OK(cuStreamGetId_ptsz(NULL, id));
    return NULL;
}

/* Whatever a stream is called, its number is its own, and never another's. */
static void number_streams(void) {
    unsigned long long ids[6], again;
    CUstream stream;
    pthread_t thread;
    cuda_scene_begin();
    CUDA_OK(cuStreamGetId(NULL, &ids[0]));
    CUDA_OK(cuStreamGetId(CU_STREAM_PER_THREAD, &ids[1]));
    CUDA_OK(cuStreamGetId(cuda.s, &ids[2]));
    SIM_WANT(pthread_create(&thread, NULL, ask_of_thread, &ids[3]) == 0);
    SIM_WANT(pthread_join(thread, NULL) == 0);
    for (int i = 4; i < 6; i++) {
        CUDA_OK(cuStreamCreate(&stream, 0));
        CUDA_OK(cuStreamGetId(stream, &ids[i]));
        CUDA_OK(cuStreamDestroy(stream));
    }
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < i; k++) SIM_WANT(ids[i] != ids[k]);
    CUDA_OK(cuStreamGetId_ptsz(CU_STREAM_LEGACY, &again));
    SIM_WANT(again == ids[0]);
    CUDA_OK(cuStreamGetId_ptsz(NULL, &again));
    SIM_WANT(again == ids[1]);
    CUDA_ANSWERS(cuStreamGetId(cuda.s, NULL), CUDA_ERROR_INVALID_VALUE);
    cuda_scene_end();
}

START_TEST(streams_are_known)
{
    sim_goes_well(ask_streams, 1);
    sim_goes_well(number_streams, 1);
}
END_TEST

Suite *sim_cuda_known_suite(void) {
    Suite *suite = suite_create("sim_cuda_known");
    TCase *tests = tcase_create("known");
    tcase_add_test(tests, pointers_are_known);
    tcase_add_test(tests, streams_are_known);
    suite_add_tcase(suite, tests);
    return suite;
}
