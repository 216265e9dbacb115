/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"
#include "devices.h"

#include <check.h>
#include <dlfcn.h>
#include <errno.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "case.h"
#include "judged.h"
#include "process.h"

Suite *harness_run_suite(void);

#define CASE "int32/many/export"

static struct adi_run_options options;

static void set_up(void) {
    options = (struct adi_run_options){
        .device = "cpu", .case_name = "int32/many/*", .jobs = 2, .seed = 1};
}

/* A line for each row, sorted: what two runs are compared by. */
static int compare_lines(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *summary_of(const struct adi_report *report) {
    char *text = NULL, **lines = calloc(report->n_results + 1, sizeof *lines);
    size_t length;
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *row = &report->results[i];
        ck_assert_int_gt(asprintf(&lines[i], "%s %s %d %s\n", row->case_name,
                                  row->rule == NULL ? "" : row->rule->id, (int)row->verdict,
                                  row->message),
                         0);
    }
    qsort(lines, report->n_results, sizeof *lines, compare_lines);
    FILE *out = open_memstream(&text, &length);
    for (size_t i = 0; i < report->n_results; i++) fputs(lines[i], out);
    fclose(out);
    for (size_t i = 0; i < report->n_results; i++) free(lines[i]);
    free(lines);
    return text;
}

START_TEST(every_case_of_the_glob_has_a_row)
{
    struct adi_report *report = judge(NULL, &options);
    const struct adi_case *played;
    for (size_t i = 0; (played = adi_case(i)) != NULL; i++) {
        const struct adi_scenario *scenario = played->scenario;
        bool wanted = fnmatch("int32/many/*", played->name, 0) == 0 && !scenario->robustness &&
                      adi_case_goes_on(played, adi_device_cpu.type);
        ck_assert_msg((row_of(report, played->name) != NULL) == wanted, "%s", played->name);
    }
    ck_assert_str_ne(report->implementation, "");
    ck_assert_uint_eq(report->seed, 1);
    adi_report_free(report);
}
END_TEST

START_TEST(malformed_input_is_played_when_asked_for_and_survived)
{
    options.case_name = NULL;
    options.robustness = true;
    options.rule = "*/malformed-input-crashes";
    struct adi_report *report = judge(NULL, &options);
    const struct adi_case *played;
    size_t malformations = 0;
    for (size_t i = 0; (played = adi_case(i)) != NULL; i++) {
        if (!played->scenario->robustness) continue;
        const struct adi_result *row = row_of(report, played->name);
        ck_assert_msg(row != NULL && row->verdict == ADI_PASS, "%s", played->name);
        malformations++;
    }
    ck_assert_uint_gt(malformations, 50);
    adi_report_free(report);
}
END_TEST

/* Only workers run without the caches that would make the count of memory a guess; a sanitizer's
 * count is none. */
START_TEST(memory_is_not_judged_in_process)
{
    if (dlsym(RTLD_DEFAULT, "__sanitizer_get_current_allocated_bytes") != NULL) {
        puts("  memory_is_not_judged_in_process: skipped, a sanitizer counts exactly");
        return;
    }
    const char *leaks = adapter_path("tests/mutants", "export_leaks");
    options.case_name = CASE;
    struct adi_report *report = judge(leaks, &options);
    ck_assert_str_eq(finding_of(report, CASE)->rule->id, "life/memory-leaked");
    adi_report_free(report);
    options.in_process = true;
    report = judge(leaks, &options);
    ck_assert_int_eq(row_of(report, CASE)->verdict, ADI_PASS);
    adi_report_free(report);
}
END_TEST

START_TEST(a_row_says_how_to_play_it_again)
{
    options.case_name = CASE;
    options.seed = 7;
    struct adi_report *report = judge(NULL, &options);
    ck_assert_str_eq(row_of(report, CASE)->replay,
                     "adicheck run --device cpu:-1 --case 'int32/many/export' --seed 7");
    adi_report_free(report);
}
END_TEST

START_TEST(a_replay_can_be_pasted_whatever_the_path_is)
{
    char command[1024];
    options.case_name = CASE;
    snprintf(command, sizeof command, "cp %s \"/tmp/adicheck it's.so\"",
             adapter_path("tests/hostile", "crash"));
    ck_assert_int_eq(system(command), 0);
    struct adi_report *report = judge("/tmp/adicheck it's.so", &options);
    unlink("/tmp/adicheck it's.so");
    ck_assert_str_eq(row_of(report, CASE)->replay,
                     "adicheck run '/tmp/adicheck it'\\''s.so' --device cpu:-1 "
                     "--case 'int32/many/export' --seed 1");
    adi_report_free(report);
}
END_TEST

START_TEST(the_same_seed_gives_the_same_rows_however_many_workers)
{
    options.case_name = "int*/nulls/*";
    options.jobs = 1;
    struct adi_report *one = judge(NULL, &options);
    options.jobs = 4;
    struct adi_report *four = judge(NULL, &options);
    char *a = summary_of(one), *b = summary_of(four);
    ck_assert_str_eq(a, b);
    free(a);
    free(b);
    adi_report_free(one);
    adi_report_free(four);
}
END_TEST

START_TEST(what_is_satisfied_is_counted_once_a_device)
{
    struct adi_report *report = judge(NULL, &options);
    size_t counted = 0;
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *row = &report->results[i];
        if (row->case_name[0] != '\0') continue;
        counted++;
        ck_assert_int_eq(row->verdict, ADI_PASS);
        ck_assert_ptr_nonnull(strstr(row->message, " checked"));
        for (size_t j = 0; j < i; j++)
            ck_assert(report->results[j].rule != row->rule ||
                      report->results[j].case_name[0] != '\0');
    }
    ck_assert_uint_gt(counted, 10);
    adi_report_free(report);
}
END_TEST

START_TEST(only_rows_of_the_rules_asked_for_are_shown)
{
    options.rule = "array/re*";
    struct adi_report *report = judge(NULL, &options);
    ck_assert_uint_gt(report->n_results, 0);
    for (size_t i = 0; i < report->n_results; i++)
        ck_assert_int_eq(fnmatch("array/re*", report->results[i].rule->id, 0), 0);
    adi_report_free(report);
}
END_TEST

START_TEST(rules_of_later_versions_do_not_count)
{
    options.rules = "0.9";
    struct adi_report *report = judge(NULL, &options);
    ck_assert_uint_eq(report->n_results, 0);
    ck_assert_int_eq(adi_report_exit(report), 2);
    adi_report_free(report);
}
END_TEST

START_TEST(a_device_is_named_by_its_type_or_in_full)
{
    static const struct {
        const char *glob;
        bool matches;
    } rows[] = {{"cpu", true}, {"cpu:-1", true}, {"cp*", true}, {"x", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        options.device = rows[i].glob;
        struct adi_report *report = judge(NULL, &options);
        ck_assert_msg((report->n_results > 0) == rows[i].matches, "%s", rows[i].glob);
        adi_report_free(report);
    }
}
END_TEST

START_TEST(a_required_device_that_is_missing_leaves_the_run_undecided)
{
    options.require = "cpu,cpu:-1";
    struct adi_report *report = judge(NULL, &options);
    ck_assert_ptr_null(report->missing);
    adi_report_free(report);
    options.require = "cpu,hexagon";
    report = judge(NULL, &options);
    ck_assert_str_eq(report->missing, "hexagon (hexagon: --device or --profile leaves it out)");
    ck_assert_int_eq(adi_report_exit(report), 2);
    adi_report_free(report);
}
END_TEST

START_TEST(a_role_that_nothing_plays_is_said_once)
{
    options.case_name = NULL;
    options.rule = NULL;
    options.device = "@(cpu|ext_dev)";
    struct adi_report *report = judge(adapter_path("tests/adapters", "streams"), &options);
    size_t said = 0;
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *row = &report->results[i];
        if (row->rule != NULL) continue;
        said++;
        ck_assert_int_eq(row->verdict, ADI_SKIP);
        ck_assert_str_eq(row->message, "declared, and nothing of this version plays it: role 2048");
    }
    ck_assert_uint_eq(said, 1);
    ck_assert_int_eq(adi_report_exit(report), 0);
    adi_report_free(report);
}
END_TEST

/* Without ADI_ARRAY_STREAMS. */
START_TEST(what_is_wrong_with_an_adapters_own_streams_is_an_error)
{
    options.rule = NULL;
    options.device = "cpu";
    options.case_name = "int32/many/consume-stream*";
    struct adi_report *report = judge(adapter_path("tests/adapters", "forwards"), &options);
    ck_assert(report->n_results > 0 && adi_report_exit(report) == 0);
    adi_report_free(report);
    options.case_name = "int32/many/stream";
    report = judge(adapter_path("tests/adapters", "forwards"), &options);
    size_t errors = 0;
    for (size_t i = 0; i < report->n_results; i++) {
        ck_assert(report->results[i].verdict != ADI_FAIL);
        errors += report->results[i].verdict == ADI_ERROR &&
                  strstr(report->results[i].message, "ADI_ARRAY_STREAMS") != NULL;
    }
    ck_assert_uint_gt(errors, 0);
    ck_assert_int_eq(adi_report_exit(report), 2);
    adi_report_free(report);
}
END_TEST

START_TEST(of_roles_that_are_played_nothing_is_said)
{
    struct adi_report *report = judge(NULL, &options);
    for (size_t i = 0; i < report->n_results; i++) ck_assert_ptr_nonnull(report->results[i].rule);
    adi_report_free(report);
    options.case_name = "int32/many/*"; /* nor of those that are not, where a case is asked for */
    report = judge(adapter_path("tests/adapters", "streams"), &options);
    for (size_t i = 0; i < report->n_results; i++) ck_assert_ptr_nonnull(report->results[i].rule);
    adi_report_free(report);
}
END_TEST

/* ---- the end ---- */

static void interrupt_run(int number) {
    (void)number;
    adi_run_interrupt();
}

START_TEST(an_interrupted_run_leaves_no_worker_and_says_what_it_knows)
{
    struct sigaction action = {.sa_handler = interrupt_run};
    struct itimerval soon = {.it_value = {.tv_sec = 3}}; /* enough for int8, even at -O0 */
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    options.case_name = "*int*/many/export";
    options.timeout = 60;
    struct adi_report *report = judge_hostile("sleep", &options);
    ck_assert(report->interrupted);
    ck_assert_ptr_nonnull(row_of(report, "int8/many/export"));
    ck_assert_ptr_null(row_of(report, CASE));
    ck_assert_int_eq(adi_report_exit(report), 2);
    pid_t children[4];
    ck_assert_uint_eq(adi_process_children(getpid(), children, 4), 0);
    ck_assert(report->seconds < 30); /* and not the 60 of the limit */
    adi_report_free(report);
}
END_TEST

START_TEST(one_case_can_be_played_in_this_process)
{
    options.in_process = true;
    options.case_name = CASE;
    struct adi_report *report = judge(NULL, &options);
    ck_assert_ptr_nonnull(row_of(report, CASE));
    ck_assert_str_eq(report->devices[0].name, "cpu:-1");
    adi_report_free(report);
}
END_TEST

START_TEST(more_than_one_case_cannot_be_played_in_this_process)
{
    struct adi_error error = {""};
    options.in_process = true;
    struct adi_report *report = adi_report_new();
    ck_assert_int_eq(adi_run(NULL, &options, report, &error), EINVAL);
    ck_assert_ptr_nonnull(strstr(error.text, "plays one case"));
    adi_report_free(report);
}
END_TEST

START_TEST(the_jobs_of_a_build_on_two_processors_end_in_time)
{
    options.case_name = NULL;
    struct adi_report *report = judge(adapter_path("tests/hostile", "close_all"), &options);
    ck_assert_uint_gt(report->n_results, 1000);
    ck_assert_msg(report->seconds < 20, "%.1f s", report->seconds);
    adi_report_free(report);
}
END_TEST

Suite *harness_run_suite(void) {
    Suite *suite = suite_create("harness_run");
    TCase *run = tcase_create("run");
    tcase_add_checked_fixture(run, set_up, NULL);
    tcase_set_timeout(run, 120);
    tcase_add_test(run, every_case_of_the_glob_has_a_row);
    tcase_add_test(run, malformed_input_is_played_when_asked_for_and_survived);
    tcase_add_test(run, memory_is_not_judged_in_process);
    tcase_add_test(run, a_row_says_how_to_play_it_again);
    tcase_add_test(run, a_replay_can_be_pasted_whatever_the_path_is);
    tcase_add_test(run, the_same_seed_gives_the_same_rows_however_many_workers);
    tcase_add_test(run, what_is_satisfied_is_counted_once_a_device);
    tcase_add_test(run, a_role_that_nothing_plays_is_said_once);
    tcase_add_test(run, what_is_wrong_with_an_adapters_own_streams_is_an_error);
    tcase_add_test(run, of_roles_that_are_played_nothing_is_said);
    tcase_add_test(run, only_rows_of_the_rules_asked_for_are_shown);
    tcase_add_test(run, rules_of_later_versions_do_not_count);
    tcase_add_test(run, a_device_is_named_by_its_type_or_in_full);
    tcase_add_test(run, a_required_device_that_is_missing_leaves_the_run_undecided);
    tcase_add_test(run, an_interrupted_run_leaves_no_worker_and_says_what_it_knows);
    tcase_add_test(run, one_case_can_be_played_in_this_process);
    tcase_add_test(run, more_than_one_case_cannot_be_played_in_this_process);
    tcase_add_test(run, the_jobs_of_a_build_on_two_processors_end_in_time);
    suite_add_tcase(suite, run);
    return suite;
}
