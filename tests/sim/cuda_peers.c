/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies between the memories of two devices in the implicit NULL stream: none begins before all
 * that was issued to either device, and nothing that is issued to either later begins before it has
 * ended (CUDA Programming Guide, "Peer-to-Peer Memory Copy"). Each correct program has a twin with
 * a copy that is in no such order. Under every policy.
 */
#include <check.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_peers_suite(void);

#define BYTES CUDA_BYTES

static char host[BYTES];

/* Device 1, with memory and a stream that does not block. */
static struct {
    CUcontext context;
    CUdeviceptr memory;
    CUstream stream;
} there;

static void begin(void) {
    cuda_scene_begin();
    CUDA_OK(cuDevicePrimaryCtxRetain(&there.context, 1));
    CUDA_OK(cuCtxPushCurrent(there.context));
    CUDA_OK(cuMemAlloc(&there.memory, BYTES));
    CUDA_OK(cuStreamCreate(&there.stream, CU_STREAM_NON_BLOCKING));
    CUDA_OK(cuCtxPopCurrent(NULL));
}

static void end(void) {
    CUDA_OK(cuCtxPushCurrent(there.context));
    CUDA_OK(cuCtxSynchronize());
    CUDA_OK(cuMemFree(there.memory));
    CUDA_OK(cuStreamDestroy(there.stream));
    CUDA_OK(cuCtxPopCurrent(NULL));
    CUDA_OK(cuDevicePrimaryCtxRelease(1));
    cuda_scene_end();
}

/* The bytes as a stream of device 0 sees them that does not block and waits for nobody. */
static void expect(bool wrong, CUstream stream, char value) {
    CUDA_OK(cuMemcpyDtoHAsync(host, cuda.a, BYTES, stream));
    SIM_WANT(wrong || (host[0] == value && host[BYTES - 1] == value));
}

static void by_direction(bool wrong) {
    CUDA_OK(cuMemsetD8Async(there.memory, 5, BYTES, there.stream));
    if (wrong) CUDA_OK(cuMemcpyDtoDAsync(cuda.a, there.memory, BYTES, NULL));
    if (!wrong) CUDA_OK(cuMemcpyDtoD(cuda.a, there.memory, BYTES));
    expect(wrong, cuda.s, 5);
}

static void between_anything(bool wrong) {
    CUDA_OK(cuMemsetD8Async(there.memory, 6, BYTES, there.stream));
    if (wrong) CUDA_OK(cuMemcpyAsync(cuda.a, there.memory, BYTES, NULL));
    if (!wrong) CUDA_OK(cuMemcpy(cuda.a, there.memory, BYTES));
    expect(wrong, cuda.s, 6);
}

/* The one that is copied from is written again at once. */
static void before_what_comes_later(bool wrong) {
    CUDA_OK(cuMemsetD8Async(there.memory, 7, BYTES, there.stream));
    if (wrong)
        CUDA_OK(cuMemcpyPeerAsync(cuda.a, cuda.context, there.memory, there.context, BYTES,
                                  there.stream));
    if (!wrong) CUDA_OK(cuMemcpyDtoD(cuda.a, there.memory, BYTES));
    CUDA_OK(cuMemsetD8Async(there.memory, 8, BYTES, there.stream));
    expect(wrong, cuda.t, 7);
}

/* A stream that is made after the copy comes behind it, too. */
static void a_stream_made_later(bool wrong) {
    CUstream third;
    CUDA_OK(cuMemsetD8Async(there.memory, 3, BYTES, there.stream));
    if (wrong)
        CUDA_OK(cuMemcpyPeerAsync(cuda.a, cuda.context, there.memory, there.context, BYTES,
                                  there.stream));
    if (!wrong) CUDA_OK(cuMemcpyPeer(cuda.a, cuda.context, there.memory, there.context, BYTES));
    CUDA_OK(cuStreamCreate(&third, CU_STREAM_NON_BLOCKING));
    expect(wrong, third, 3);
    CUDA_OK(cuStreamDestroy(third));
}

/* All contexts of both devices are in that order, also one that the call does not name. Within a
 * device a copy is in that of its stream alone. */
static void another_context_of_the_device(bool wrong) {
    CUcontext own;
    CUstream stream;
    CUDA_OK(cuCtxCreate(&own, 0, wrong ? 0 : 1));
    CUDA_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CUDA_OK(cuMemsetD8Async(wrong ? cuda.b : there.memory, 4, BYTES, stream));
    CUDA_OK(cuCtxPopCurrent(NULL));
    CUDA_OK(cuMemcpyDtoD(cuda.a, wrong ? cuda.b : there.memory, BYTES));
    expect(wrong, cuda.s, 4);
    CUDA_OK(cuCtxPushCurrent(own));
    CUDA_OK(cuStreamDestroy(stream));
    CUDA_OK(cuCtxDestroy(own));
}

/* The default stream of a thread is not the NULL stream: a copy there is in the order of that one.
 */
static void the_stream_of_the_thread(bool wrong) {
    CUDA_OK(cuMemsetD8Async(there.memory, 2, BYTES, there.stream));
    if (!wrong) CUDA_OK(cuStreamSynchronize(there.stream));
    CUDA_OK(cuMemcpyDtoD_v2_ptds(cuda.a, there.memory, BYTES));
    expect(wrong, CU_STREAM_PER_THREAD, 2);
}

/* What is left of a stream that was destroyed counts, and the host has waited for none of it. */
static void behind_a_destroyed_stream(bool wrong) {
    CUstream third;
    CUDA_OK(cuCtxPushCurrent(there.context));
    CUDA_OK(cuStreamCreate(&third, CU_STREAM_NON_BLOCKING));
    CUDA_OK(cuMemsetD8Async(there.memory, 9, BYTES, third));
    CUDA_OK(cuStreamDestroy(third));
    CUDA_OK(cuCtxPopCurrent(NULL));
    CUDA_OK(cuMemcpyDtoD(cuda.a, there.memory, BYTES));
    if (wrong) CUDA_OK(cuMemcpyDtoD(cuda.managed, cuda.a, BYTES));
    if (wrong) host[0] = *cuda_at(cuda.managed, 0);
    expect(wrong, cuda.s, 9);
}

static const struct sim_pair pairs[] = {
    {by_direction, "race"},
    {between_anything, "race"},
    {before_what_comes_later, "race"},
    {a_stream_made_later, "race"},
    {another_context_of_the_device, "race"},
    {the_stream_of_the_thread, "race"},
    {behind_a_destroyed_stream, "touched-before-wait"},
};

#define PAIRS (sizeof pairs / sizeof *pairs)

START_TEST(a_copy_between_devices_is_alone_on_both_and_its_twin_is_not)
{ sim_tells_apart(&pairs[_i], begin, end, SIM_AT_LEAST_ONCE); }
END_TEST

/* The host has waited for nothing: what the copy writes is not there for it yet. */
static void touch_behind_a_copy(void) {
    begin();
    CUDA_OK(cuMemcpyDtoD(cuda.a, there.memory, BYTES));
    CUDA_OK(cuMemcpyDtoHAsync(cuda.pinned, cuda.a, BYTES, cuda.s));
    host[0] = cuda.pinned[0];
    end();
}

START_TEST(the_host_waits_for_no_copy_between_devices)
{ sim_is_named(touch_behind_a_copy, "touched-before-wait", 1); }
END_TEST

/* ---- fills: of memory that the context has been given access to ---- */

static void fill_a_peers(bool wrong) {
    if (!wrong) CUDA_OK(cuCtxEnablePeerAccess(there.context, 0));
    CUresult code = cuMemsetD8Async(there.memory, 5, BYTES, cuda.s);
    SIM_WANT((code != CUDA_SUCCESS) == wrong);
    CUDA_OK(cuMemcpyDtoHAsync(host, there.memory, BYTES, cuda.s));
    SIM_WANT(wrong || host[BYTES - 1] == 5);
    if (!wrong) CUDA_OK(cuCtxDisablePeerAccess(there.context));
}

static void fill_what_is_no_peers_any_more(bool wrong) {
    CUDA_OK(cuCtxEnablePeerAccess(there.context, 0));
    if (wrong) CUDA_OK(cuCtxDisablePeerAccess(there.context));
    SIM_WANT((cuMemsetD32(there.memory, 5, BYTES / 4) != CUDA_SUCCESS) == wrong);
    if (!wrong) CUDA_OK(cuCtxDisablePeerAccess(there.context));
}

/* That of a pool is given to whole devices. */
static void fill_a_pools(bool wrong) {
    CUmemPoolProps of_device_0 = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                  .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUmemAccessDesc other = {{CU_MEM_LOCATION_TYPE_DEVICE, 1},
                             wrong ? CU_MEM_ACCESS_FLAGS_PROT_NONE
                                   : CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemoryPool pool;
    CUdeviceptr memory;
    CUDA_OK(cuMemPoolCreate(&pool, &of_device_0));
    CUDA_OK(cuMemPoolSetAccess(pool, &other, 1));
    CUDA_OK(cuCtxPushCurrent(there.context));
    CUDA_OK(cuMemAllocFromPoolAsync(&memory, BYTES, pool, there.stream));
    SIM_WANT((cuMemsetD8Async(memory, 1, BYTES, there.stream) != CUDA_SUCCESS) == wrong);
    CUDA_OK(cuMemFreeAsync(memory, there.stream));
    CUDA_OK(cuStreamSynchronize(there.stream));
    CUDA_OK(cuCtxPopCurrent(NULL));
    CUDA_OK(cuMemPoolDestroy(pool));
}

static const struct sim_pair fills[] = {
    {fill_a_peers, "foreign-device"},
    {fill_what_is_no_peers_any_more, "foreign-device"},
    {fill_a_pools, "foreign-device"},
};

START_TEST(a_fill_is_of_memory_that_was_given_access_to)
{ sim_tells_apart(&fills[_i], begin, end, 1); }
END_TEST

/* Where a device is lost, who copies to it is told so. */
static void copy_to_a_lost_device(void) {
    begin();
    CUDA_OK(cuMemsetD8Async(there.memory, 1, BYTES, there.stream));
    CUDA_ANSWERS(cuStreamSynchronize(there.stream), CUDA_ERROR_LAUNCH_FAILED);
    CUDA_ANSWERS(cuMemcpyDtoD(there.memory, cuda.a, BYTES), CUDA_ERROR_LAUNCH_FAILED);
    CUDA_OK(cuMemFree(there.memory));
    CUDA_OK(cuDevicePrimaryCtxRelease(1));
    cuda_scene_end();
}

START_TEST(a_copy_to_a_lost_device_says_so)
{
    sim_play_with("ADI_SIM_LOSE", "1");
    sim_goes_well(copy_to_a_lost_device, sim_ways());
}
END_TEST

Suite *sim_cuda_peers_suite(void) {
    Suite *suite = suite_create("sim_cuda_peers");
    TCase *tests = tcase_create("peers");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, a_copy_between_devices_is_alone_on_both_and_its_twin_is_not, 0,
                        (int)PAIRS);
    tcase_add_loop_test(tests, a_fill_is_of_memory_that_was_given_access_to, 0,
                        (int)(sizeof fills / sizeof *fills));
    tcase_add_test(tests, the_host_waits_for_no_copy_between_devices);
    tcase_add_test(tests, a_copy_to_a_lost_device_says_so);
    suite_add_tcase(suite, tests);
    return suite;
}
