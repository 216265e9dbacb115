/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices that an adapter brings (tests/adapters/vendor.c) are probed, opened and judged as ours
 * are; what goes wrong with a device costs that device, and blames the implementation only for what
 * is its own.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "judged.h"

Suite *harness_vendor_suite(void);

#define EXPORT  "struct/nulls/export"
#define CONSUME "struct/nulls/consume"
#define RELAY   "struct/nulls/relay"

static struct adi_run_options options;

static void set_up(void) {
    unsetenv("ADI_TEST_VENDOR");
    setenv("ADI_CUDA", "off", 1);   /* ours would come first */
    setenv("ADI_WEBGPU", "off", 1); /* is not there, as the adapter's is not */
    options = (struct adi_run_options){.case_name = "struct/nulls/*", .jobs = 2, .seed = 1};
}

static struct adi_report *judge_vendor(const char *goes_wrong) {
    if (goes_wrong != NULL) setenv("ADI_TEST_VENDOR", goes_wrong, 1);
    return judge(adapter_path("tests/adapters", "vendor"), &options);
}

/* The adapter's come behind ours. */
static const struct adi_report_device *device_of(const struct adi_report *report,
                                                 const char *name) {
    for (size_t i = report->n_devices; i-- > 0;)
        if (strcmp(report->devices[i].name, name) == 0) return &report->devices[i];
    ck_abort_msg("no device %s in the report", name);
    return NULL;
}

static void expect_only(const struct adi_report *report, const char *rule, const char *case_name) {
    size_t found = 0;
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *row = &report->results[i];
        if (row->verdict != ADI_FAIL) continue;
        ck_assert_msg(strcmp(row->rule->id, rule) == 0, "%s: %s, wanted %s", row->case_name,
                      row->rule->id, rule);
        found += strcmp(row->case_name, case_name) == 0;
    }
    ck_assert_uint_eq(found, 2); /* on either device */
    ck_assert_int_eq(adi_report_exit(report), 1);
}

START_TEST(each_device_that_an_adapter_brings_is_judged)
{
    static const char *const devices[] = {"cuda:0", "cuda:1"};
    static const char *const cases[] = {EXPORT, CONSUME, RELAY};
    struct adi_report *report = judge_vendor(NULL);
    for (int d = 0; d < 2; d++) {
        const struct adi_report_device *device = device_of(report, devices[d]);
        ck_assert(device->available);
        ck_assert_str_eq(device->runtime, "vendor");
        for (int c = 0; c < 3; c++) {
            bool passed = false;
            for (size_t i = 0; i < report->n_results; i++) {
                const struct adi_result *row = &report->results[i];
                passed |= strcmp(row->device, devices[d]) == 0 &&
                          strcmp(row->case_name, cases[c]) == 0 && row->verdict == ADI_PASS;
            }
            ck_assert_msg(passed, "%s does not pass on %s", cases[c], devices[d]);
        }
    }
    ck_assert_int_eq(adi_report_exit(report), 0);
    adi_report_free(report);
}
END_TEST

START_TEST(what_is_only_about_the_cpu_is_skipped_with_a_reason)
{
    options.case_name = "int32/many/consume-*";
    struct adi_report *report = judge_vendor(NULL);
    const struct adi_result *id = row_of(report, "int32/many/consume-cpu-id-0");
    ck_assert_int_eq(id->verdict, ADI_SKIP);
    ck_assert_ptr_nonnull(strstr(id->message, "ids of the CPU"));
    const struct adi_result *type = row_of(report, "int32/many/consume-device-2");
    ck_assert_int_eq(type->verdict, ADI_SKIP);
    ck_assert_ptr_nonnull(strstr(type->message, "the implementation takes this device type"));
    ck_assert_int_eq(row_of(report, "int32/many/consume-device-8")->verdict, ADI_PASS);
    ck_assert_int_eq(adi_report_exit(report), 0);
    adi_report_free(report);
}
END_TEST

START_TEST(a_device_that_is_absent_says_why)
{
    struct adi_report *report = judge_vendor(NULL);
    const struct adi_report_device *absent = device_of(report, "webgpu");
    ck_assert(!absent->available);
    ck_assert_str_eq(absent->runtime, "vendor");
    ck_assert_str_eq(absent->why, "there is no driver");
    adi_report_free(report);
}
END_TEST

START_TEST(a_glob_leaves_the_other_devices_alone)
{
    options.device = "cuda:1";
    struct adi_report *report = judge_vendor(NULL);
    for (size_t i = 0; i < report->n_results; i++)
        ck_assert_str_eq(report->results[i].device, "cuda:1");
    for (size_t i = 0; i < report->n_devices; i++)
        ck_assert_str_ne(report->devices[i].name, "webgpu");
    adi_report_free(report);
}
END_TEST

START_TEST(a_runtime_that_ends_the_process_is_left_out)
{
    struct adi_report *report = judge_vendor("probe");
    const struct adi_report_device *absent = device_of(report, "webgpu");
    ck_assert(!absent->available);
    ck_assert_msg(strstr(absent->why, "looking for it: ") != NULL, "%s", absent->why);
    ck_assert(device_of(report, "cuda:1")->available);
    ck_assert_int_eq(row_of(report, EXPORT)->verdict, ADI_PASS);
    ck_assert_int_eq(adi_report_exit(report), 0);
    adi_report_free(report);
}
END_TEST

/* Somebody else ended it. */
START_TEST(a_runtime_that_ends_the_process_once_is_asked_again)
{
    static const char path[] = "/tmp/adicheck-test-probe";
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fclose(file);
    setenv("ADI_TEST_FILE", path, 1);
    struct adi_report *report = judge_vendor("probe, once");
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_str_eq(device_of(report, "webgpu")->why, "there is no driver");
    ck_assert_int_eq(adi_report_exit(report), 0);
    adi_report_free(report);
}
END_TEST

START_TEST(a_device_that_cannot_be_opened_leaves_it_undecided)
{
    struct adi_report *report = judge_vendor("open");
    bool said = false;
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *row = &report->results[i];
        ck_assert_int_eq(row->verdict, ADI_ERROR);
        said |= strstr(row->message, "is busy") != NULL;
    }
    ck_assert(said);
    ck_assert_int_eq(adi_report_exit(report), 2);
    adi_report_free(report);
}
END_TEST

static size_t count_unobservable(const struct adi_report *report, const char *device) {
    size_t n = 0;
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *row = &report->results[i];
        if (strcmp(row->device, device) != 0 || row->case_name[0] != '\0') continue;
        n += row->verdict == ADI_SKIP && strncmp(row->rule->id, "sync/", 5) == 0 &&
             strstr(row->message, "an implementation has one queue there") != NULL;
    }
    return n;
}

/* The vendor's first device has one queue, the second says nothing of the kind. */
START_TEST(what_a_device_cannot_show_is_skipped_with_a_reason)
{
    static const struct {
        const char *case_name;
        size_t rows;
    } played[] = {{"int32/many/@(export|consume)@(|-*)", 2},
                  {"int32/many/export-held", 1},
                  {"int32/many/consume-pending", 1},
                  {"int32/many/@(export|consume)", 0}};
    for (size_t i = 0; i < sizeof played / sizeof *played; i++) {
        options.case_name = played[i].case_name;
        struct adi_report *report = judge_vendor("one queue");
        ck_assert_uint_eq(count_unobservable(report, "cuda:0"), played[i].rows);
        ck_assert_uint_eq(count_unobservable(report, "cuda:1"), 0);
        ck_assert_int_eq(adi_report_exit(report), i == 1 || i == 2 ? 2 : 0);
        adi_report_free(report);
    }
    options.case_name = played[0].case_name;
    options.rule = "sync/event-too-early";
    struct adi_report *report = judge_vendor("one queue");
    ck_assert_uint_eq(count_unobservable(report, "cuda:0"), 1);
    adi_report_free(report);
}
END_TEST

START_TEST(nobody_is_judged_by_buffers_that_cannot_be_told)
{
    static const char *const unidentified[] = {"export",         "relay",         "export-moved",
                                               "program-export", "program-relay", "relay-chain"};
    char name[64];
    options.case_name = "struct/many/*";
    options.device = "cuda:1";
    struct adi_report *report = judge_vendor("untold");
    for (size_t i = 0; i < sizeof unidentified / sizeof *unidentified; i++) {
        snprintf(name, sizeof name, "struct/many/%s", unidentified[i]);
        const struct adi_result *row = row_of(report, name);
        ck_assert_msg(row != NULL && row->verdict == ADI_SKIP, "%s", name);
        ck_assert_str_eq(row->message, "not judged: nobody knows what this is");
    }
    ck_assert_int_eq(row_of(report, "struct/many/consume")->verdict, ADI_PASS);
    ck_assert_int_eq(adi_report_exit(report), 0);
    adi_report_free(report);
}
END_TEST

START_TEST(an_array_of_another_type_is_found)
{
    struct adi_report *report = judge_vendor("type");
    expect_only(report, "device/type-differs", EXPORT);
    adi_report_free(report);
}
END_TEST

START_TEST(an_array_of_another_device_is_found)
{
    struct adi_report *report = judge_vendor("id");
    expect_only(report, "device/id-differs", EXPORT);
    adi_report_free(report);
}
END_TEST

START_TEST(memory_that_an_implementation_says_it_holds_is_judged)
{
    options.device = "cuda:0";
    options.case_name = EXPORT;
    struct adi_report *report = judge_vendor("memory");
    const struct adi_result *row = finding_of(report, EXPORT);
    ck_assert_str_eq(row->rule->id, "life/memory-leaked");
    adi_report_free(report);
}
END_TEST

START_TEST(an_unsound_copy_is_found)
{
    static const struct {
        const char *goes_wrong, *message;
    } rows[] = {{"copy", "the host copy is unsound: "}, {"copy's type", "the copy's type: "}};
    options.case_name = "int32/nulls/consume";
    options.device = "cuda:0";
    struct adi_report *report = judge_vendor(rows[_i].goes_wrong);
    bool said = false;
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *row = &report->results[i];
        said |= row->verdict == ADI_FAIL && strcmp(row->rule->id, "array/misread") == 0 &&
                strstr(row->message, rows[_i].message) != NULL;
    }
    ck_assert(said);
    adi_report_free(report);
}
END_TEST

START_TEST(a_relay_to_another_device_is_found)
{
    struct adi_report *report = judge_vendor("relay");
    expect_only(report, "device/relay-changes-device", RELAY);
    adi_report_free(report);
}
END_TEST

START_TEST(what_the_device_itself_sums_counts)
{
    static const struct {
        const char *goes_wrong, *rule;
    } rows[] = {{"sum", "array/data-differs"}, {"not-resident", "device/buffer-not-accessible"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct adi_report *report = judge_vendor(rows[i].goes_wrong);
        expect_only(report, rows[i].rule, EXPORT);
        adi_report_free(report);
    }
}
END_TEST

START_TEST(a_device_that_cannot_sum_blames_nobody)
{
    struct adi_report *report = judge_vendor("sum-refused");
    ck_assert_int_eq(row_of(report, EXPORT)->verdict, ADI_PASS);
    ck_assert_int_eq(adi_report_exit(report), 0);
    adi_report_free(report);
    report = judge_vendor("sum-fails");
    ck_assert_int_eq(row_of(report, EXPORT)->verdict, ADI_ERROR);
    ck_assert_int_eq(adi_report_exit(report), 2);
    adi_report_free(report);
}
END_TEST

/* Also one that this harness does not know yet. Whoever does nothing of the kind passes. */
START_TEST(what_no_rule_is_mapped_to_is_an_error_with_its_own_mend)
{
    static const char *const kinds[] = {"unmapped", "unknown"};
    size_t errors = 0, passes = 0;
    options.device = "cuda:0";
    struct adi_report *report = judge_vendor(kinds[_i]);
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *row = &report->results[i];
        passes += row->verdict == ADI_PASS && strcmp(row->case_name, CONSUME) == 0;
        if (strcmp(row->case_name, EXPORT) != 0) continue;
        ck_assert_msg(row->verdict == ADI_ERROR && row->rule == NULL, "%s", row->message);
        ck_assert_str_eq(row->message,
                         "the runtime of the device says what no rule is mapped to (and 1 more "
                         "like it)");
        ck_assert_str_eq(row->seen, "vendorCall: by its old name");
        ck_assert_str_eq(adi_result_mend(row), "call it by its new name");
        errors++;
    }
    ck_assert(errors == 1 && passes == 1);
    ck_assert_int_eq(adi_report_exit(report), 2);
    adi_report_free(report);
}
END_TEST

START_TEST(one_case_is_played_on_it_in_process)
{
    options.case_name = EXPORT;
    options.device = "cuda:1";
    options.in_process = true;
    struct adi_report *report = judge_vendor(NULL);
    const struct adi_result *row = row_of(report, EXPORT);
    ck_assert_int_eq(row->verdict, ADI_PASS);
    ck_assert_str_eq(row->device, "cuda:1");
    adi_report_free(report);
}
END_TEST

Suite *harness_vendor_suite(void) {
    Suite *suite = suite_create("harness_vendor");
    TCase *tests = tcase_create("devices");
    tcase_add_checked_fixture(tests, set_up, NULL);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, each_device_that_an_adapter_brings_is_judged);
    tcase_add_test(tests, what_is_only_about_the_cpu_is_skipped_with_a_reason);
    tcase_add_test(tests, a_device_that_is_absent_says_why);
    tcase_add_test(tests, a_glob_leaves_the_other_devices_alone);
    tcase_add_test(tests, a_runtime_that_ends_the_process_is_left_out);
    tcase_add_test(tests, a_runtime_that_ends_the_process_once_is_asked_again);
    tcase_add_test(tests, a_device_that_cannot_be_opened_leaves_it_undecided);
    tcase_add_test(tests, what_a_device_cannot_show_is_skipped_with_a_reason);
    tcase_add_test(tests, nobody_is_judged_by_buffers_that_cannot_be_told);
    tcase_add_test(tests, an_array_of_another_type_is_found);
    tcase_add_test(tests, an_array_of_another_device_is_found);
    tcase_add_test(tests, memory_that_an_implementation_says_it_holds_is_judged);
    tcase_add_loop_test(tests, an_unsound_copy_is_found, 0, 2);
    tcase_add_test(tests, a_relay_to_another_device_is_found);
    tcase_add_test(tests, what_the_device_itself_sums_counts);
    tcase_add_test(tests, a_device_that_cannot_sum_blames_nobody);
    tcase_add_loop_test(tests, what_no_rule_is_mapped_to_is_an_error_with_its_own_mend, 0, 2);
    tcase_add_test(tests, one_case_is_played_on_it_in_process);
    suite_add_tcase(suite, tests);
    return suite;
}
