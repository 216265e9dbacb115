/* SPDX-License-Identifier: Apache-2.0
 *
 * The version that the simulated CUDA driver says it is of, and what there is to ask and to set
 * that a program does by it.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_version_suite(void);

/* ---- ADI_CUDA_VERSION ---- */

static const struct asked {
    const char *text;
    int version;
} versions[] = {
    {"12.4", 12040},
    {"11.2", 11020},
    {"12.9", 12090},
    {"13.0", 13000},
    {"", 13000},
    /* not understood, and left out */
    {"11.1", 13000},
    {"13.1", 13000},
    {"12", 13000},
    {"12.10", 13000},
    {"12.4 ", 13000},
    {"-12.4", 13000},
    {"new", 13000},
};

static const struct asked *playing;

static CUresult look_up(const char *name, int version, int *status) {
    void *out = NULL;
    CUresult code = cuGetProcAddress_v2(name, &out, version, 0, status);
    SIM_WANT(code != CUDA_SUCCESS || (out != NULL) == (*status == CU_GET_PROC_ADDRESS_SUCCESS));
    return code;
}

static void ask_version(void) {
    int version, status;
    SIM_WANT(setenv("ADI_CUDA_VERSION", playing->text, 1) == 0);
    SIM_WANT(freopen("/dev/null", "w", stderr) != NULL);
    CUDA_OK(cuDriverGetVersion(&version));
    SIM_WANT(version == playing->version);
    CUDA_OK(cuInit(0));
    CUDA_ANSWERS(look_up("cuMemAlloc", version + 10, &status), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(look_up("cuMemAlloc", version, &status));
    SIM_WANT(status == CU_GET_PROC_ADDRESS_SUCCESS);
    CUDA_OK(look_up("cuMemcpyBatchAsync", version, &status));
    SIM_WANT((status == CU_GET_PROC_ADDRESS_SUCCESS) == (version >= 12080));
    if (version < 12080) SIM_WANT(status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

START_TEST(the_version_is_what_was_asked_for)
{
    playing = &versions[_i];
    sim_goes_well(ask_version, 1);
}
END_TEST

static char said[] = "/tmp/adicuda.XXXXXX";

static void ask_for_no_version(void) {
    int version;
    SIM_WANT(setenv("ADI_CUDA_VERSION", "new", 1) == 0);
    SIM_WANT(freopen(said, "w", stderr) != NULL);
    CUDA_OK(cuDriverGetVersion(&version));
}

START_TEST(what_is_not_understood_is_said)
{
    char text[256] = "";
    int file = mkstemp(said);
    ck_assert_int_ge(file, 0);
    sim_goes_well(ask_for_no_version, 1);
    ck_assert_int_gt(read(file, text, sizeof text - 1), 0);
    close(file);
    unlink(said);
    ck_assert_str_eq(text, "adisim: ADI_CUDA_VERSION=new is not understood and left out\n");
}
END_TEST

/* ---- what has no state to speak of ---- */

static void set_flags(void) {
    CUcontext own;
    unsigned flags;
    int active;
    CUDA_OK(cuInit(0));
    CUDA_ANSWERS(cuCtxSetFlags(4), CUDA_ERROR_INVALID_CONTEXT);
    cuda_scene_begin();
    CUDA_OK(cuCtxSetFlags(4));
    CUDA_OK(cuCtxGetFlags(&flags));
    SIM_WANT(flags == 4);
    CUDA_OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    SIM_WANT(flags == 4 && active == 1);
    CUDA_OK(cuCtxCreate(&own, 1, 0));
    CUDA_OK(cuCtxSetFlags(2));
    CUDA_OK(cuCtxGetFlags(&flags));
    SIM_WANT(flags == 2);
    CUDA_ANSWERS(cuCtxSetFlags(3), CUDA_ERROR_INVALID_VALUE);
    CUDA_OK(cuCtxDestroy(own));
    CUDA_OK(cuCtxGetFlags(&flags));
    SIM_WANT(flags == 4); /* each has its own */
    CUDA_OK(cuCtxSetFlags(0));
    cuda_scene_end();
}

static void ask_granularity(void) {
    size_t least = 0, better = 0;
    CUmemAllocationProp wanted = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                  .location = {CU_MEM_LOCATION_TYPE_DEVICE, 1}};
    CUDA_OK(cuInit(0));
    CUDA_OK(cuMemGetAllocationGranularity(&least, &wanted, 0));
    CUDA_OK(cuMemGetAllocationGranularity(&better, &wanted, 1));
    SIM_WANT(least > 0 && (least & (least - 1)) == 0 && better % least == 0);
    CUDA_ANSWERS(cuMemGetAllocationGranularity(&least, &wanted, 2), CUDA_ERROR_INVALID_VALUE);
    wanted.location.id = 2;
    CUDA_ANSWERS(cuMemGetAllocationGranularity(&least, &wanted, 0), CUDA_ERROR_INVALID_VALUE);
    wanted.location = (CUmemLocation){CU_MEM_LOCATION_TYPE_HOST_NUMA, 0};
    CUDA_OK(cuMemGetAllocationGranularity(&least, &wanted, 0));
    wanted.location.id = 1;
    CUDA_ANSWERS(cuMemGetAllocationGranularity(&least, &wanted, 0), CUDA_ERROR_INVALID_VALUE);
    wanted = (CUmemAllocationProp){.location = {CU_MEM_LOCATION_TYPE_DEVICE, 1}};
    CUDA_ANSWERS(cuMemGetAllocationGranularity(&least, &wanted, 0), CUDA_ERROR_INVALID_VALUE);
}

START_TEST(contexts_have_flags_and_memory_a_granularity)
{
    sim_goes_well(set_flags, 1);
    sim_goes_well(ask_granularity, 1);
}
END_TEST

Suite *sim_cuda_version_suite(void) {
    Suite *suite = suite_create("sim_cuda_version");
    TCase *tests = tcase_create("version");
    tcase_add_loop_test(tests, the_version_is_what_was_asked_for, 0,
                        (int)(sizeof versions / sizeof *versions));
    tcase_add_test(tests, what_is_not_understood_is_said);
    tcase_add_test(tests, contexts_have_flags_and_memory_a_granularity);
    suite_add_tcase(suite, tests);
    return suite;
}
