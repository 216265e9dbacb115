/* SPDX-License-Identifier: Apache-2.0
 *
 * While the last workers of a device are busy the next device begins; what is reported is the same
 * as if it had begun in its turn.
 */
#include <check.h>
#include <string.h>

#include "judged.h"
#include "slow.h"

Suite *harness_run_ahead_suite(void);

#define DEVICES "@(cpu|ext_dev)"

/* One job: no worker is ever idle while another is busy. */
static struct adi_report *judge_with(const char *name, const char *cases, int jobs) {
    const struct adi_run_options options = {
        .device = DEVICES, .case_name = cases, .jobs = jobs, .seed = 1};
    return judge(name == NULL ? NULL : adapter_path("tests/mutants", name), &options);
}

static void expect_the_same(const char *name, const char *cases) {
    struct adi_report *ahead = judge_with(name, cases, 4), *in_turn = judge_with(name, cases, 1);
    ck_assert_uint_gt(ahead->n_results, 0);
    ck_assert_uint_eq(ahead->n_results, in_turn->n_results);
    for (size_t i = 0; i < ahead->n_results; i++) {
        const struct adi_result *a = &ahead->results[i], *b = &in_turn->results[i];
        ck_assert_str_eq(a->device, b->device);
        ck_assert_str_eq(a->case_name, b->case_name);
        ck_assert_str_eq(a->message, b->message);
        ck_assert_ptr_eq(a->rule, b->rule);
        ck_assert_int_eq(a->verdict, b->verdict);
        ck_assert_int_eq(a->confirmed, b->confirmed);
    }
    adi_report_free(ahead);
    adi_report_free(in_turn);
}

START_TEST(each_row_is_the_same)
{ expect_the_same(NULL, "int32/*/*"); }
END_TEST

START_TEST(each_finding_is_the_same)
{
    expect_the_same("export_leaks", "int32/*/@(export|consume)");
    expect_the_same("consume_leaks", "int32/many/@(export|consume)");
}
END_TEST

/* The next device has begun when the only case of this one is found to hang. */
START_TEST(what_hangs_last_is_no_violation_on_the_next_device)
{
    const struct adi_run_options options = {.device = DEVICES,
                                            .case_name = "int32/nulls/export",
                                            .jobs = 2,
                                            .seed = 1,
                                            .timeout = IS_SANITIZED ? 1.5 : 0.5};
    struct adi_report *report = judge(adapter_path("tests/hostile", "hangs_everywhere"), &options);
    size_t hangs = 0, excused = 0;
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *row = &report->results[i];
        if (strcmp(row->device, "cpu:-1") == 0)
            hangs += row->verdict == ADI_TIMEOUT;
        else if (strcmp(row->case_name, options.case_name) == 0)
            excused += row->verdict == ADI_SKIP;
        if (strcmp(row->device, "cpu:-1") != 0) ck_assert_int_ne(row->verdict, ADI_TIMEOUT);
    }
    ck_assert_uint_eq(hangs, 1);
    ck_assert_uint_eq(excused, 2);
    adi_report_free(report);
}
END_TEST

Suite *harness_run_ahead_suite(void) {
    Suite *suite = suite_create("harness_run_ahead");
    TCase *ahead = tcase_create("run_ahead");
    tcase_set_timeout(ahead, 120);
    tcase_add_test(ahead, each_row_is_the_same);
    tcase_add_test(ahead, each_finding_is_the_same);
    tcase_add_test(ahead, what_hangs_last_is_no_violation_on_the_next_device);
    suite_add_tcase(suite, ahead);
    return suite;
}
