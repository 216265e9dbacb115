/* SPDX-License-Identifier: Apache-2.0
 *
 * What is not simulated is there under all of its names, is refused, and says so: in the log, and
 * without one on standard error.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/cuda_scene.h"

Suite *sim_cuda_unserved_suite(void);

static const struct sim_way lazy = {"lazy", 1};

typedef CUresult (*refused)(void);

#define REFUSED(name)                      CU_PUBLIC CUresult name(void);
#define UNSERVED(base, version)            REFUSED(base##version)
#define UNSERVED_ON(base, version, suffix) REFUSED(base##version) REFUSED(base##version##suffix)
#include "unserved.def"
#undef UNSERVED
#undef UNSERVED_ON

static const struct row {
    const char *base, *name;
    refused call;
    bool per_thread;
} rows[] = {
#define UNSERVED(base, version) {#base, #base #version, base##version, false},
#define UNSERVED_ON(base, version, suffix)                                                         \
    {#base, #base #version, base##version, false},                                                 \
        {#base, #base #version #suffix, base##version##suffix, true},
#include "unserved.def"
};

#define ROWS (sizeof rows / sizeof *rows)

static void call_all(void) {
    CUDA_OK(cuInit(0));
    for (size_t i = 0; i < ROWS; i++) CUDA_ANSWERS(rows[i].call(), CUDA_ERROR_NOT_SUPPORTED);
}

START_TEST(each_is_refused_by_its_name_in_the_log)
{
    char *log = sim_play(call_all, lazy, 0), line[128];
    for (size_t i = 0; i < ROWS; i++) {
        snprintf(line, sizeof line, "\"in\":\"%s\",\"remark\":\"%s\",\"text\":\"", rows[i].name,
                 rows[i].name);
        ck_assert_msg(sim_count_text(log, line) == 1, "%s is not named once", rows[i].name);
    }
    ck_assert_uint_eq(sim_count_text(log, ": CUDA_ERROR_NOT_SUPPORTED\""), ROWS);
    free(log);
}
END_TEST

static char said[] = "/tmp/adicuda.XXXXXX";

static void call_all_without_a_log(void) {
    SIM_WANT(adi_sim_set("ADI_SIM_LOG", "") == 0);
    SIM_WANT(freopen(said, "w", stderr) != NULL);
    call_all();
    call_all();
}

START_TEST(without_a_log_each_is_named_once_on_standard_error)
{
    char line[128];
    int file = mkstemp(said);
    ck_assert_int_ge(file, 0);
    free(sim_play(call_all_without_a_log, lazy, 0));
    char *text = calloc(1, 1 << 20);
    ck_assert_ptr_nonnull(text);
    ck_assert_int_gt(read(file, text, (1 << 20) - 1), 0);
    close(file);
    unlink(said);
    for (size_t i = 0; i < ROWS; i++) {
        snprintf(line, sizeof line, "adisim: %s: ", rows[i].name);
        ck_assert_msg(sim_count_text(text, line) == 1, "%s is not named once", rows[i].name);
    }
    free(text);
}
END_TEST

/* The newest of a base, or what that has for the default stream of the thread. */
static bool is_newest(refused call, const char *base, bool per_thread) {
    refused newest = NULL;
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i].base, base) == 0 && (per_thread || !rows[i].per_thread))
            newest = rows[i].call;
    return call == newest;
}

static void look_all_up(void) {
    for (size_t i = 0; i < ROWS; i++)
        for (uint64_t flags = CU_GET_PROC_ADDRESS_LEGACY_STREAM;
             flags <= CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM; flags++) {
            void *out = NULL;
            refused call;
            int status = -1;
            CUDA_OK(cuGetProcAddress_v2(rows[i].base, &out, 13000, flags, &status));
            memcpy(&call, &out, sizeof call);
            SIM_WANT(status == CU_GET_PROC_ADDRESS_SUCCESS);
            SIM_WANT(is_newest(call, rows[i].base,
                               flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM));
        }
}

START_TEST(each_is_found_by_its_plain_name)
{ free(sim_play(look_all_up, lazy, 0)); }
END_TEST

/* What programs were seen to ask for; that lists are complete, nothing can test. */
START_TEST(versions_and_plain_names_and_forms_for_the_thread_are_there)
{
    static const char *const names[] = {
        "cuMemcpy3DAsync_v2_ptsz",
        "cuStreamSetAttribute_ptsz",
        "cuMemPrefetchBatchAsync_ptsz",
        "cuMemcpy3D",
        "cuMemcpy3D_v2_ptds",
        "cuStreamWriteValue32",
        "cuStreamWriteValue32_v2",
        "cuStreamWaitValue64_ptsz",
        "cuGraphAddChildGraphNode",
        "cuStreamGetAttribute_ptsz",
        "cuGLInit",
        "cuEGLStreamConsumerConnect",
    };
    for (size_t i = 0, r; i < sizeof names / sizeof *names; i++) {
        for (r = 0; r < ROWS && strcmp(rows[r].name, names[i]) != 0; r++) continue;
        ck_assert_msg(r < ROWS, "no %s", names[i]);
    }
}
END_TEST

/* What one process gives and the next takes. */
static CUipcMemHandle *handle;

static void give_memory(void) {
    cuda_scene_begin();
    CUDA_OK(cuIpcGetMemHandle(handle, cuda.a));
    cuda_scene_end();
}

static void take_memory(void) {
    CUdeviceptr memory;
    cuda_scene_begin();
    CUDA_ANSWERS(cuIpcOpenMemHandle(&memory, *handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
                 CUDA_ERROR_NOT_SUPPORTED);
    cuda_scene_end();
}

START_TEST(memory_of_another_process_is_refused_in_the_log)
{
    int access = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_ANONYMOUS;
    handle = mmap(NULL, sizeof *handle, access, flags, -1, 0);
    ck_assert_ptr_ne(handle, MAP_FAILED);
    free(sim_play(give_memory, lazy, 0));
    sim_expect(take_memory, "\"remark\":\"cuIpcOpenMemHandle_v2\",\"text\":\"not simulated", NULL,
               NULL);
    munmap(handle, sizeof *handle);
}
END_TEST

Suite *sim_cuda_unserved_suite(void) {
    Suite *suite = suite_create("sim_cuda_unserved");
    TCase *tests = tcase_create("unserved");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, each_is_refused_by_its_name_in_the_log);
    tcase_add_test(tests, without_a_log_each_is_named_once_on_standard_error);
    tcase_add_test(tests, each_is_found_by_its_plain_name);
    tcase_add_test(tests, versions_and_plain_names_and_forms_for_the_thread_are_there);
    tcase_add_test(tests, memory_of_another_process_is_refused_in_the_log);
    suite_add_tcase(suite, tests);
    return suite;
}
