/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA_VISIBLE_DEVICES, as the simulated CUDA driver reads it.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_visible_suite(void);

/* What the list lets a program see: the last byte of each device's UUID, which is the engine's
 * index; NULL: nothing. */
static const struct list {
    const char *text, *seen;
} lists[] = {
    {"0", "0"},
    {"1", "1"},
    {"0,1", "01"},
    {"1,0", "10"},
    {"1,-1,0", "1"},
    {"0,2,1", "0"},
    {"1,none,0", "1"},
    {"1,,0", "1"},
    {"1x,0", "10"},
    {" 1 ,0", "10"},
    {"GPU-61646963-6865-636b-2d73-696d2d303001,0", "10"},
    {"GPU-61646963-6865-636b-2d73-696d2d303000", "0"},
    {"0,GPU-61646963-6865", "0"},                         /* both begin so */
    {"0,GPU-61646963-6865-636b-2d73-696d2d3030010", "0"}, /* none does */
    {"1,MIG-GPU-61646963-6865-636b-2d73-696d2d303000/1/2", "1"},
    {"", NULL},
    {"-1", NULL},
    {"2", NULL},
    {"none", NULL},
    {"0,0", NULL},
    {"1,GPU-61646963-6865-636b-2d73-696d2d303001", NULL},
};

static const struct list *playing;

static void look(void) {
    int count;
    CUuuid id;
    SIM_WANT(setenv("CUDA_VISIBLE_DEVICES", playing->text, 1) == 0);
    if (playing->seen == NULL) {
        CUDA_ANSWERS(cuInit(0), CUDA_ERROR_NO_DEVICE);
        CUDA_ANSWERS(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
        return;
    }
    CUDA_OK(cuInit(0));
    CUDA_OK(cuDeviceGetCount(&count));
    SIM_WANT(count == (int)strlen(playing->seen));
    for (int i = 0; i < count; i++) {
        CUDA_OK(cuDeviceGetUuid(&id, i));
        SIM_WANT(id.bytes[15] == playing->seen[i] - '0');
    }
    CUDA_ANSWERS(cuDeviceGetUuid(&id, count), CUDA_ERROR_INVALID_DEVICE);
}

START_TEST(a_list_says_which_devices_there_are)
{
    playing = &lists[_i];
    sim_goes_well(look, 1);
}
END_TEST

/* All that is said of a device is said of the place that it has in the list. */
static void use_in_the_other_order(void) {
    char id[16], name[64];
    CUdevice device;
    CUcontext other;
    CUstream stream;
    CUevent event;
    CUdeviceptr memory;
    int ordinal, bus;
    SIM_WANT(setenv("CUDA_VISIBLE_DEVICES", "1,0", 1) == 0);
    cuda_scene_begin();
    CUDA_OK(cuDeviceGetPCIBusId(id, sizeof id, 0));
    CUDA_OK(cuDeviceGetByPCIBusId(&device, id));
    CUDA_OK(cuDeviceGetAttribute(&bus, 33, 0));
    CUDA_OK(cuDeviceGetName(name, sizeof name, 0));
    SIM_WANT(device == 0 && bus == 2 && strcmp(id, "0000:02:00.0") == 0);
    SIM_WANT(strcmp(name, "adicheck simulated CUDA device 1") == 0);
    CUDA_OK(cuDevicePrimaryCtxRetain(&other, 1));
    CUDA_OK(cuCtxPushCurrent(other));
    CUDA_OK(cuCtxGetDevice(&device));
    CUDA_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CUDA_OK(cuStreamGetDevice(stream, &ordinal));
    SIM_WANT(device == 1 && ordinal == 1);
    CUDA_OK(cuMemAlloc(&memory, 64));
    CUDA_OK(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, memory));
    SIM_WANT(ordinal == 1);
    CUDA_OK(cuEventCreate(&event, 0));
    CUDA_OK(cuEventRecord(event, stream));
    CUDA_ANSWERS(cuEventRecord(cuda.e, cuda.s), CUDA_SUCCESS);
    CUDA_OK(cuMemcpyPeer(memory, other, cuda.a, cuda.context, 64));
    CUDA_OK(cuMemsetD8Async(memory, 1, 64, stream)); /* ordered behind it on either device */
    CUDA_OK(cuStreamSynchronize(stream));
    CUDA_OK(cuEventDestroy(event));
    CUDA_OK(cuStreamDestroy(stream));
    CUDA_OK(cuMemFree(memory));
    CUDA_OK(cuCtxPopCurrent(NULL));
    CUDA_OK(cuDevicePrimaryCtxRelease(1));
    cuda_scene_end();
}

static void one_that_is_not_listed(void) {
    CUdevice device = 7;
    CUcontext context;
    SIM_WANT(setenv("CUDA_VISIBLE_DEVICES", "1", 1) == 0);
    CUDA_OK(cuInit(0));
    CUDA_OK(cuDeviceGetByPCIBusId(&device, "0000:02:00.0"));
    SIM_WANT(device == 0);
    CUDA_ANSWERS(cuDeviceGetByPCIBusId(&device, "0000:01:00.0"), CUDA_ERROR_INVALID_DEVICE);
    CUDA_ANSWERS(cuDevicePrimaryCtxRetain(&context, 1), CUDA_ERROR_INVALID_DEVICE);
    CUDA_ANSWERS(cuCtxCreate(&context, 0, 1), CUDA_ERROR_INVALID_DEVICE);
}

START_TEST(a_device_is_its_place_in_the_list)
{
    sim_goes_well(use_in_the_other_order, sim_ways());
    sim_goes_well(one_that_is_not_listed, 1);
}
END_TEST

Suite *sim_cuda_visible_suite(void) {
    Suite *suite = suite_create("sim_cuda_visible");
    TCase *tests = tcase_create("visible");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, a_list_says_which_devices_there_are, 0,
                        (int)(sizeof lists / sizeof *lists));
    tcase_add_test(tests, a_device_is_its_place_in_the_list);
    suite_add_tcase(suite, tests);
    return suite;
}
