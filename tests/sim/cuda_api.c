/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulated CUDA driver as an interface: names, devices, contexts, failures by request.
 */
#include <check.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_api_suite(void);

/* ---- by name ---- */

typedef void (*function)(void);

static function named(const char *name, int version, uint64_t flags, int *status) {
    void *out;
    function address;
    CUDA_OK(cuGetProcAddress_v2(name, &out, version, flags, status));
    memcpy(&address, &out, sizeof address);
    return address;
}

static void look_up(void) {
    int status;
    void *out;
    SIM_WANT(named("cuMemAlloc", 12000, 0, &status) == (function)cuMemAlloc_v2 && status == 0);
    SIM_WANT(named("cuMemcpyHtoDAsync", 12000, 1, NULL) == (function)cuMemcpyHtoDAsync_v2);
    SIM_WANT(named("cuMemcpyHtoDAsync", 12000, 2, NULL) == (function)cuMemcpyHtoDAsync_v2_ptsz);
    SIM_WANT(named("cuMemcpyDtoH", 12000, 2, NULL) == (function)cuMemcpyDtoH_v2_ptds);
    SIM_WANT(named("cuCtxCreate", 11000, 0, NULL) == (function)cuCtxCreate_v2);
    SIM_WANT(named("cuCtxCreate", 11040, 0, NULL) == (function)cuCtxCreate_v3);
    SIM_WANT(named("cuGetProcAddress", 11030, 0, NULL) == (function)cuGetProcAddress);
    SIM_WANT(named("cuGetProcAddress", 13000, 0, NULL) == (function)cuGetProcAddress_v2);
    SIM_WANT(named("cuMemAllocAsync", 10000, 0, &status) == NULL && status == 2);
    SIM_WANT(named("cuNone", 12000, 0, &status) == NULL && status == 1);
    SIM_WANT(named("cuModuleLoadData", 12000, 0, &status) != NULL && status == 0);
    SIM_WANT(named("cuCtxGetDevice", 12000, 0, NULL) == (function)cuCtxGetDevice);
    SIM_WANT(named("cuCtxGetDevice", 13000, 0, NULL) != (function)cuCtxGetDevice);
    CUDA_ANSWERS(cuGetProcAddress("cuNone", &out, 12000, 0), CUDA_ERROR_NOT_FOUND);
    CUDA_OK(cuGetProcAddress("cuInit", &out, 12000, 0));
    CUDA_ANSWERS(cuGetProcAddress_v2("cuInit", &out, 12000, 3, NULL), CUDA_ERROR_INVALID_VALUE);
}

START_TEST(functions_are_found_by_name_and_version)
{ sim_goes_well(look_up, 1); }
END_TEST

static void call_what_is_not_served(void) {
    int status;
    const void *table = &status;
    CUuuid id = {{0}};
    CUDA_OK(cuInit(0));
    function launch = named("cuLaunchKernel", 12000, 0, &status);
    CUDA_ANSWERS(((CUresult(*)(void))launch)(), CUDA_ERROR_NOT_SUPPORTED);
    CUDA_ANSWERS(((CUresult(*)(void))named("cuModuleLoadData", 12000, 0, NULL))(),
                 CUDA_ERROR_NOT_SUPPORTED);
    CUDA_ANSWERS(cuGetExportTable(&table, &id), CUDA_ERROR_NOT_FOUND);
    SIM_WANT(table == NULL);
}

START_TEST(what_is_not_served_says_so_in_the_log)
{
    sim_expect(call_what_is_not_served,
               "\"remark\":\"cuLaunchKernel\",\"text\":\"kernels do not run",
               "\"remark\":\"cuModuleLoadData\",\"text\":\"kernels do not run",
               "\"remark\":\"cuGetExportTable\"");
}
END_TEST

static void name_errors(void) {
    static const int codes[] = {
#define ERROR(name, number, string) number,
#include "errors.def"
#undef ERROR
    };
    const char *text;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        CUDA_OK(cuGetErrorName((CUresult)codes[i], &text));
        SIM_WANT(strncmp(text, "CUDA_", 5) == 0);
        CUDA_OK(cuGetErrorString((CUresult)codes[i], &text));
        SIM_WANT(strlen(text) > 5);
    }
    CUDA_OK(cuGetErrorName((CUresult)908, &text));
    SIM_WANT(strcmp(text, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD") == 0);
    CUDA_OK(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &text));
    SIM_WANT(strcmp(text, "CUDA_ERROR_OUT_OF_MEMORY") == 0);
    CUDA_OK(cuGetErrorString(CUDA_ERROR_INVALID_HANDLE, &text));
    SIM_WANT(strcmp(text, "invalid resource handle") == 0);
    CUDA_ANSWERS(cuGetErrorName((CUresult)12345, &text), CUDA_ERROR_INVALID_VALUE);
    SIM_WANT(text == NULL);
    CUDA_ANSWERS(cuGetErrorString(CUDA_SUCCESS, NULL), CUDA_ERROR_INVALID_VALUE);
}

START_TEST(errors_have_names_and_strings)
{ sim_goes_well(name_errors, 1); }
END_TEST

/* ---- devices ---- */

static void ask_devices(void) {
    int value, minor, count;
    size_t total, available;
    char name[64], id[16];
    CUuuid one, two;
    CUdevice device;
    CUcontext context;
    CUDA_OK(cuInit(0));
    CUDA_OK(cuDriverGetVersion(&value));
    SIM_WANT(value == 13000);
    CUDA_OK(cuDeviceGetCount(&count));
    SIM_WANT(count == 2);
    CUDA_OK(cuDeviceComputeCapability(&value, &minor, 1));
    SIM_WANT(value == 9 && minor == 0);
    CUDA_OK(cuDeviceGetAttribute(&value, 75, 0));
    CUDA_OK(cuDeviceGetAttribute(&minor, 76, 0));
    SIM_WANT(value == 9 && minor == 0);
    CUDA_OK(cuDeviceGetName(name, sizeof name, 1));
    SIM_WANT(strstr(name, "simulated") != NULL);
    CUDA_OK(cuDeviceGetName(name, 5, 1));
    SIM_WANT(strlen(name) == 4);
    CUDA_OK(cuDeviceGetUuid(&one, 0));
    CUDA_OK(cuDeviceGetUuid_v2(&two, 1));
    SIM_WANT(memcmp(&one, &two, sizeof one) != 0);
    CUDA_OK(cuDeviceGetPCIBusId(id, sizeof id, 1));
    CUDA_OK(cuDeviceGetByPCIBusId(&device, id));
    SIM_WANT(device == 1);
    CUDA_OK(cuDeviceCanAccessPeer(&value, 0, 1));
    CUDA_OK(cuDeviceCanAccessPeer(&minor, 1, 1));
    SIM_WANT(value == 1 && minor == 0);
    CUDA_OK(cuDeviceGetP2PAttribute(&value, 2, 0, 1));
    SIM_WANT(value == 1);
    CUDA_OK(cuDeviceTotalMem(&total, 0));
    CUDA_OK(cuDevicePrimaryCtxRetain(&context, 0));
    CUDA_OK(cuCtxPushCurrent(context));
    CUDA_OK(cuMemGetInfo(&available, &total));
    SIM_WANT(total == 8388608 && available == total);
    CUDA_OK(cuDevicePrimaryCtxRelease(0));
}

START_TEST(there_are_two_devices)
{
    sim_play_with("ADI_SIM_MEMORY", "8388608");
    sim_goes_well(ask_devices, 1);
}
END_TEST

/* ---- contexts ---- */

static CUcontext current(void) {
    CUcontext context;
    CUDA_OK(cuCtxGetCurrent(&context));
    return context;
}

static void stack_contexts(void) {
    CUcontext first, second, popped;
    CUdevice device;
    unsigned flags;
    int active;
    CUDA_OK(cuInit(0));
    SIM_WANT(current() == NULL);
    CUDA_OK(cuDevicePrimaryCtxSetFlags(0, 4));
    CUDA_OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    SIM_WANT(flags == 4 && active == 0);
    CUDA_OK(cuDevicePrimaryCtxRetain(&first, 0));
    CUDA_OK(cuDevicePrimaryCtxRetain(&second, 1));
    CUDA_OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    SIM_WANT(first != second && active == 1);
    CUDA_OK(cuCtxSetCurrent(first));
    CUDA_OK(cuCtxPushCurrent(second));
    CUDA_OK(cuCtxGetDevice(&device));
    SIM_WANT(current() == second && device == 1);
    CUDA_OK(cuCtxSetCurrent(first)); /* in place of the topmost */
    CUDA_OK(cuCtxGetFlags(&flags));
    SIM_WANT(flags == 4);
    CUDA_OK(cuCtxPopCurrent(&popped));
    SIM_WANT(popped == first && current() == first);
    CUDA_OK(cuCtxSetCurrent(NULL));
    SIM_WANT(current() == NULL);
    CUDA_ANSWERS(cuCtxPopCurrent(&popped), CUDA_ERROR_INVALID_CONTEXT);
    for (int i = 0; i < 64; i++) CUDA_OK(cuCtxPushCurrent(first));
    CUDA_ANSWERS(cuCtxPushCurrent(first), CUDA_ERROR_OUT_OF_MEMORY);
    CUDA_OK(cuDevicePrimaryCtxRelease(0));
    CUDA_ANSWERS(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
    CUDA_ANSWERS(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
    CUDA_OK(cuDevicePrimaryCtxReset(1));
    CUDA_OK(cuCtxSetCurrent(second));
    CUDA_OK(cuCtxSynchronize());
    CUDA_OK(cuDevicePrimaryCtxRelease(1));
}

START_TEST(each_thread_has_a_stack_of_contexts)
{ sim_goes_well(stack_contexts, 1); }
END_TEST

/* However many there have been: 62 beside the primary ones at a time. */
static void make_many_contexts(void) {
    CUcontext contexts[62], one;
    CUDA_OK(cuInit(0));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 62; i++) {
            CUDA_OK(cuCtxCreate(&contexts[i], 0, i % 2));
            CUDA_OK(cuCtxPopCurrent(&one));
        }
        CUDA_ANSWERS(cuCtxCreate(&one, 0, 0), CUDA_ERROR_OUT_OF_MEMORY);
        for (int i = 0; i < 62; i++) CUDA_OK(cuCtxDestroy(contexts[i]));
    }
}

START_TEST(contexts_come_and_go)
{ sim_goes_well(make_many_contexts, 1); }
END_TEST

/* With a context ends that others may reach it. */
static void reach_contexts_again(void) {
    CUcontext other, own;
    cuda_scene_begin();
    CUDA_OK(cuDevicePrimaryCtxRetain(&other, 1));
    CUDA_OK(cuCtxEnablePeerAccess(other, 0));
    CUDA_OK(cuDevicePrimaryCtxRelease(1));
    CUDA_OK(cuDevicePrimaryCtxRetain(&other, 1));
    CUDA_OK(cuCtxEnablePeerAccess(other, 0));
    CUDA_ANSWERS(cuCtxEnablePeerAccess(other, 0), CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    CUDA_OK(cuDevicePrimaryCtxReset(1));
    CUDA_OK(cuCtxEnablePeerAccess(other, 0));
    CUDA_OK(cuCtxDisablePeerAccess(other));
    CUDA_ANSWERS(cuCtxDisablePeerAccess(other), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    CUDA_OK(cuDevicePrimaryCtxRelease(1));
    for (int i = 0; i < 2 * 62; i++) { /* in each place twice */
        CUDA_OK(cuCtxCreate(&own, 0, 1));
        CUDA_OK(cuCtxPopCurrent(NULL));
        CUDA_OK(cuCtxEnablePeerAccess(own, 0));
        CUDA_OK(cuCtxDestroy(own));
    }
    cuda_scene_end();
}

START_TEST(peers_end_with_their_contexts)
{ sim_goes_well(reach_contexts_again, 1); }
END_TEST

/* ---- failures by request ---- */

static void fail_to_allocate(void) {
    CUdeviceptr memory;
    cuda_scene_begin();
    CUDA_ANSWERS(cuMemAlloc(&memory, 8), CUDA_ERROR_UNKNOWN);
    CUDA_OK(cuMemAlloc(&memory, 8));
    CUDA_OK(cuMemFree(memory));
    cuda_scene_end();
}

static void lose_the_device(void) {
    cuda_scene_begin();
    CUDA_OK(cuMemsetD8Async(cuda.a, 1, 8, cuda.s));
    CUDA_ANSWERS(cuStreamSynchronize(cuda.s), CUDA_ERROR_LAUNCH_FAILED);
    CUDA_ANSWERS(cuMemsetD8Async(cuda.a, 1, 8, cuda.s), CUDA_ERROR_LAUNCH_FAILED);
    CUDA_OK(cuDevicePrimaryCtxRelease(0));
}

static sem_t told;
static CUresult statuses[2];

/* Late, so that who does not wait for it sees that it was not called. */
static void note_status(CUstream stream, CUresult status, void *data) {
    (void)stream;
    usleep(20000);
    *(CUresult *)data = status;
    sem_post(&told);
}

static void never(void *unused) {
    (void)unused;
    SIM_WANT(false);
}

static void queue_callbacks(void) {
    cuda_scene_begin();
    sem_init(&told, 0, 0);
    CUDA_OK(cuMemsetD8Async(cuda.a, 1, 8, cuda.s));
    CUDA_OK(cuLaunchHostFunc(cuda.s, never, NULL));
    CUDA_OK(cuStreamAddCallback(cuda.t, note_status, &statuses[1], 0));
    CUDA_OK(cuStreamAddCallback(cuda.s, note_status, &statuses[0], 0));
}

static void want_both_told(void) {
    for (int i = 0; i < 2; i++) SIM_WANT(statuses[i] == CUDA_ERROR_LAUNCH_FAILED);
    SIM_WANT(sem_trywait(&told) == 0 && sem_trywait(&told) == 0 && sem_trywait(&told) != 0);
}

/* Callbacks are told of it, each once, when it happens; that of a stream that is waited for before
 * the wait ends. */
static void lose_the_device_with_callbacks(void) {
    queue_callbacks();
    CUDA_ANSWERS(cuStreamSynchronize(cuda.s), CUDA_ERROR_LAUNCH_FAILED);
    SIM_WANT(statuses[0] == CUDA_ERROR_LAUNCH_FAILED);
    CUDA_ANSWERS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
    want_both_told();
    CUDA_ANSWERS(cuStreamAddCallback(cuda.s, note_status, NULL, 0), CUDA_ERROR_LAUNCH_FAILED);
    CUDA_OK(cuDevicePrimaryCtxRelease(0));
    SIM_WANT(sem_trywait(&told) != 0);
}

static void lose_the_device_and_poll(void) {
    queue_callbacks();
    CUDA_ANSWERS(cuStreamQuery(cuda.s), CUDA_ERROR_LAUNCH_FAILED);
    for (int i = 0; i < 2; i++) sem_wait(&told);
    CUDA_OK(cuDevicePrimaryCtxRelease(0));
    SIM_WANT(sem_trywait(&told) != 0);
}

static void lose_the_device_and_wait_for_all(void) {
    queue_callbacks();
    CUDA_ANSWERS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
    want_both_told();
    CUDA_OK(cuDevicePrimaryCtxRelease(0));
}

/* By an event, behind which nothing is called any more. */
static void lose_the_device_and_wait_for_an_event(void) {
    cuda_scene_begin();
    sem_init(&told, 0, 0);
    CUDA_OK(cuMemsetD8Async(cuda.a, 1, 8, cuda.s));
    CUDA_OK(cuStreamAddCallback(cuda.s, note_status, &statuses[0], 0));
    CUDA_OK(cuEventRecord(cuda.e, cuda.s));
    CUDA_ANSWERS(cuEventSynchronize(cuda.e), CUDA_ERROR_LAUNCH_FAILED);
    SIM_WANT(sem_trywait(&told) == 0 && statuses[0] == CUDA_ERROR_LAUNCH_FAILED);
    CUDA_OK(cuDevicePrimaryCtxRelease(0));
}

/* No call is answered with it: the engine comes upon it by itself (lazy), or in a call that goes
 * well (eager). */
static void lose_the_device_without_a_call(void) {
    queue_callbacks();
    for (int i = 0; i < 2; i++) sem_wait(&told);
    for (int i = 0; i < 2; i++) SIM_WANT(statuses[i] == CUDA_ERROR_LAUNCH_FAILED);
    CUDA_OK(cuDevicePrimaryCtxRelease(0));
}

static void lose_the_device_behind_a_callback(void) {
    cuda_scene_begin();
    sem_init(&told, 0, 0);
    CUDA_OK(cuStreamAddCallback(cuda.s, note_status, &statuses[0], 0));
    CUDA_OK(cuMemsetD8Async(cuda.a, 1, 8, cuda.t));
    sem_wait(&told);
    CUDA_OK(cuDevicePrimaryCtxRelease(0));
}

static void lose_the_device_at_the_end(void) {
    queue_callbacks();
    CUDA_OK(cuDevicePrimaryCtxRelease(0));
    want_both_told();
}

static void run_out_of_memory(void) {
    CUdeviceptr memory;
    cuda_scene_begin();
    CUDA_ANSWERS(cuMemAlloc(&memory, 1 << 20), CUDA_ERROR_OUT_OF_MEMORY);
    cuda_scene_end();
}

START_TEST(calls_fail_by_request)
{
    sim_play_with("ADI_SIM_FAIL", "cuMemAlloc_v2:3");
    sim_goes_well(fail_to_allocate, 1);
    sim_play_with("ADI_SIM_FAIL", "");
    sim_play_with("ADI_SIM_LOSE", "1");
    sim_goes_well(lose_the_device, 1);
    sim_goes_well(lose_the_device_with_callbacks, 1);
    sim_goes_well(lose_the_device_and_poll, 1);
    sim_goes_well(lose_the_device_and_wait_for_all, 1);
    sim_goes_well(lose_the_device_and_wait_for_an_event, 1);
    sim_goes_well(lose_the_device_without_a_call, 1);
    sim_goes_well(lose_the_device_at_the_end, 1);
    free(sim_play(lose_the_device_behind_a_callback, (struct sim_way){"eager", 1}, 0));
    sim_play_with("ADI_SIM_LOSE", "");
    sim_play_with("ADI_SIM_MEMORY", "65536");
    sim_goes_well(run_out_of_memory, 1);
}
END_TEST

Suite *sim_cuda_api_suite(void) {
    Suite *suite = suite_create("sim_cuda_api");
    TCase *tests = tcase_create("api");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, functions_are_found_by_name_and_version);
    tcase_add_test(tests, what_is_not_served_says_so_in_the_log);
    tcase_add_test(tests, errors_have_names_and_strings);
    tcase_add_test(tests, there_are_two_devices);
    tcase_add_test(tests, each_thread_has_a_stack_of_contexts);
    tcase_add_test(tests, contexts_come_and_go);
    tcase_add_test(tests, peers_end_with_their_contexts);
    tcase_add_test(tests, calls_fail_by_request);
    suite_add_tcase(suite, tests);
    return suite;
}
