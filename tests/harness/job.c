/* SPDX-License-Identifier: Apache-2.0
 *
 * The job of a worker: what is written is read, and what is no job is refused.
 */
#include "job.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

Suite *harness_job_suite(void);

static const size_t numbers[] = {7, 0, 12345};

static const struct adi_program program = {
    .steps = {{.operation = ADI_DO_export, .slot = 3}, {.operation = ADI_DO_release, .slot = 3}},
    .n = 2};

static const struct adi_job jobs[] = {
    {.mode = ADI_JOB_PROBE, .parent = 1, .seed = 2, .adapter = "/a/b.so", .device = "cuda:*"},
    {.mode = ADI_JOB_PROBE, .parent = 1, .numbers = numbers, .n_numbers = 1},
    {.mode = ADI_JOB_PLAY,
     .parent = 99,
     .seed = UINT64_MAX,
     .adapter = "/c.so",
     .type = 2,
     .id = INT64_MIN,
     .from_adapter = true,
     .program = &program,
     .step_ns = INT64_C(10000000000),
     .numbers = numbers,
     .n_numbers = 3},
};
#define JOBS ((int)(sizeof jobs / sizeof *jobs))

static bool same_text(const char *a, const char *b) {
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

START_TEST(what_is_written_is_read)
{
    const struct adi_job *wanted = &jobs[_i];
    struct adi_job seen;
    void *memory = NULL;
    int fd = -1;
    ck_assert_int_eq(adi_job_write(wanted, &fd, NULL), 0);
    ck_assert_int_eq(adi_job_read(fd, &seen, &memory, NULL), 0);
    ck_assert_int_eq(seen.mode, wanted->mode);
    ck_assert_int_eq(seen.parent, wanted->parent);
    ck_assert_uint_eq(seen.seed, wanted->seed);
    ck_assert_int_eq(seen.type, wanted->type);
    ck_assert_int_eq(seen.id, wanted->id);
    ck_assert_int_eq(seen.step_ns, wanted->step_ns);
    ck_assert_int_eq(seen.from_adapter, wanted->from_adapter);
    ck_assert(same_text(seen.adapter, wanted->adapter));
    ck_assert(same_text(seen.device, wanted->device));
    ck_assert((seen.program == NULL) == (wanted->program == NULL));
    if (wanted->program != NULL)
        ck_assert_mem_eq(seen.program, wanted->program, sizeof *wanted->program);
    ck_assert_uint_eq(seen.n_numbers, wanted->n_numbers);
    for (size_t i = 0; i < seen.n_numbers; i++)
        ck_assert_uint_eq(seen.numbers[i], wanted->numbers[i]);
    free(memory);
    close(fd);
}
END_TEST

static void expect_refusal(int fd) {
    struct adi_job seen;
    struct adi_error error = {""};
    void *memory = NULL;
    ck_assert_int_eq(adi_job_read(fd, &seen, &memory, &error), EINVAL);
    ck_assert_ptr_nonnull(strstr(error.text, "is no job"));
    ck_assert_ptr_null(memory);
}

START_TEST(a_job_of_another_length_is_refused)
{
    int fd = -1;
    ck_assert_int_eq(adi_job_write(&jobs[_i], &fd, NULL), 0);
    off_t bytes = lseek(fd, 0, SEEK_END);
    ck_assert_int_eq(ftruncate(fd, bytes + 1), 0);
    expect_refusal(fd);
    for (off_t left = bytes; left-- > 0;) {
        ck_assert_int_eq(ftruncate(fd, left), 0);
        expect_refusal(fd);
    }
    close(fd);
}
END_TEST

START_TEST(a_job_of_another_program_is_refused)
{
    int fd = -1;
    ck_assert_int_eq(adi_job_write(&jobs[_i], &fd, NULL), 0);
    ck_assert_int_eq(pwrite(fd, "x", 1, 0), 1);
    expect_refusal(fd);
    close(fd);
}
END_TEST

START_TEST(what_is_no_file_is_no_job)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    expect_refusal(ends[0]);
    expect_refusal(-1);
    close(ends[0]);
    close(ends[1]);
}
END_TEST

Suite *harness_job_suite(void) {
    Suite *suite = suite_create("harness_job");
    TCase *tests = tcase_create("job");
    tcase_add_loop_test(tests, what_is_written_is_read, 0, JOBS);
    tcase_add_loop_test(tests, a_job_of_another_length_is_refused, 0, JOBS);
    tcase_add_loop_test(tests, a_job_of_another_program_is_refused, 0, JOBS);
    tcase_add_test(tests, what_is_no_file_is_no_job);
    suite_add_tcase(suite, tests);
    return suite;
}
