/* SPDX-License-Identifier: Apache-2.0
 *
 * The defects of the life cycle that implementations have shipped: each is found by programs, as
 * what it is, in at most five operations (some in a few more), and its replay line shows it again.
 * And `fuzz` finds them without being told where to look.
 *
 * What is found is shrunk in every case that it is found in, and each try is a process. `make test`
 * plays a defect in programs over one type, and over the others if it does not show there, on one
 * device of its kind; under a sanitizer, one defect in eight. Left to ADI_TEST_FULL: all types, all
 * devices, all defects sanitized.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "devices.h"
#include "harness/judged.h"
#include "program.h"
#include "slow.h"

Suite *harness_museum_suite(void);

#define MOST  5 /* operations of most */
#define SHARE 8

static const struct {
    const char *name, *rule;
} mutants[] = {
#define MUTANT(name, rule, party, cases) {#name, rule},
#include "../mutants/mutants.def"
};
#define MUTANTS (sizeof mutants / sizeof mutants[0])

/* They are found there, but not in fewer operations. */
#define A_HANG    "a hang is not shrunk"
#define A_PROCESS "a process is no operation"

/* What programs over sound samples do not come to, and why. */
static const struct {
    const char *name, *why;
} elsewhere[] = {
    {"crashes_without_metal", "only with a device type that is not there"},
    {"produce_crashes", "only with a sample that is all null"},
    {"import_crashes", "only with a sample that is all null"},
    {"crashes_after_import", "only with a sample that is all null"},
    {"empty_never_ends", "only with an empty sample"},
    {"failure_loses_host", "only with a sample that is refused"},
    {"failure_leaves_schema", "only with a sample that is refused"},
    {"failure_loses_array", "only with a sample that is refused"},
    {"released_input_read", "only with an input that was released before"},
    {"cuda_consumer_waits_first", "only with an input that was released before"},
    {"rocm_consumer_waits_first", "only with an input that was released before"},
    {"oneapi_consumer_waits_first", "only with an input that was released before"},
    {"ext_dev_consumer_waits_first", "only with an input that was released before"},
    {"vpi_consumer_reads_released", "only with an input that was released before"},
    {"stream_released_read_as_empty", "only with an input that was released before"},
    {"unaligned_release_aborts", "only with a sample that is not aligned"},
    {"newest_never_released", "only with the last array of all"},
    {"schema_read_after_release", "in programs schemas are not in guarded memory"},
    {"daemon_left", A_PROCESS},
    {"vpi_engine_stuck", A_HANG},
    {"async_consumer_never_requests", "no program has an asynchronous consumer"},
    {"async_consumer_never_releases", "no program has an asynchronous consumer"},
    {"async_never_answers", A_HANG},
    {"async_consumer_changes_producer", "no program has an asynchronous consumer"},
    {"async_consumer_copies_no_text", "no program has an asynchronous consumer"},
    {"stream_released_input_read", "only with an input that was released before"},
    {"async_consumer_wakes_nobody", "no program has an asynchronous consumer"},
    {"async_consumer_keeps_source", "no program has an asynchronous consumer"},
    {"async_consumer_leaves_schema", "no program has an asynchronous consumer"},
    {"async_consumer_schema_twice", "no program has an asynchronous consumer"},
};

/* What shows as another rule: a program has no schema, does not go on after a refusal, and does not
 * say beforehand what a crash would come of. */
static const struct {
    const char *name, *rule;
} otherwise[] = {
    {"schema_never_released", "life/memory-leaked"},
    {"failure_leaves_copy", "life/memory-leaked"},
    {"stream_relay_released_by_address", "life/crash"},
};

/* What takes a relay, a second export, or a stream, its chunk and a child of that, and how many
 * operations that is. */
static const struct {
    const char *name;
    size_t most;
} longer[] = {
    {"block_recycled", 7},
    {"relay_root_keeps_input", 6},
    {"relay_frees_child", 6},
    {"relay_recycles_lists", 9},
    {"relay_releases_all_inputs", 8},
    {"vpi_part_recycled", 7},
    {"hexagon_part_recycled", 7},
    {"ext_dev_part_recycled", 7},
    {"stream_error_freed", 6},
    {"stream_relay_finds_itself", 6},
    {"stream_chunk_owns_children", 7},
};

static size_t most_of(const char *name) {
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++)
        if (strcmp(longer[i].name, name) == 0) return longer[i].most;
    return MOST;
}

static bool is_elsewhere(const char *name) {
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
        if (strcmp(elsewhere[i].name, name) == 0) return true;
    return false;
}

/* Is it for a device that not every machine has? */
static bool is_of_device(const char *name) {
    return strcmp(adapter_device(name), "cpu") != 0;
}

static const char *rule_of(size_t mutant) {
    for (size_t i = 0; i < sizeof otherwise / sizeof otherwise[0]; i++)
        if (strcmp(otherwise[i].name, mutants[mutant].name) == 0) return otherwise[i].rule;
    return mutants[mutant].rule;
}

static const struct adi_result *find(const struct adi_report *report, const char *rule) {
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *result = &report->results[i];
        bool quiet = result->verdict == ADI_PASS || result->verdict == ADI_SKIP ||
                     result->verdict == ADI_UNSUPPORTED;
        if (!quiet && result->rule != NULL && strcmp(result->rule->id, rule) == 0) return result;
    }
    return NULL;
}

/* "adicheck replay --as producer --adapter FILE 'cpu:-1 struct/many e0 x0'": how many operations.
 */
static size_t operations_of(const char *replay) {
    struct adi_program program;
    struct adi_error error;
    char text[512];
    const char *quote = strchr(replay, '\'');
    ck_assert_msg(strncmp(replay, "adicheck replay --as ", 21) == 0 && quote != NULL, "%s", replay);
    snprintf(text, sizeof text, "%s", quote + 1);
    text[strcspn(text, "'")] = '\0';
    const char *steps = strchr(strchr(text, ' ') + 1, ' ');
    ck_assert_msg(adi_program_parse(steps, &program, &error) == 0, "%s: %s", text, error.text);
    return program.n;
}

/* It is found again: the same rule, party and verdict, and so the exit status. */
static void expect_again(const char *replay, const struct adi_result *found) {
    const char *build = getenv("ADI_TEST_BUILD");
    char line[1024], said[16384], wanted[256];
    snprintf(line, sizeof line, "ASAN_OPTIONS=detect_leaks=0 %s/%s 2>&1",
             build == NULL ? "build" : build, replay);
    FILE *pipe = popen(line, "r");
    size_t bytes = fread(said, 1, sizeof said - 1, pipe);
    int status = pclose(pipe);
    said[bytes] = '\0';
    bool quiet = found->verdict == ADI_WARN || found->verdict == ADI_NOTE;
    snprintf(wanted, sizeof wanted, "\n%s  %s  %s  %s\n", adi_verdict_name(found->verdict),
             found->rule->id, adi_level_name(found->rule->level), adi_party_name(found->party));
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == (quiet ? 0 : 1), "%s: status %d",
                  line, status);
    ck_assert_msg(strstr(said, wanted) != NULL, "%s: no '%s' in\n%s", line, wanted, said);
}

static void expect_short(const struct adi_report *report, const char *name, const char *rule) {
    const struct adi_result *found = find(report, rule);
    ck_assert_msg(found != NULL, "%s: %s was not found", name, rule);
    size_t n = operations_of(found->replay);
    ck_assert_msg(n <= most_of(name), "%s: %zu operations: %s", name, n, found->replay);
    ck_assert_uint_eq(found->n_steps, 1);
    expect_again(found->replay, found);
}

static struct adi_report *judge_programs(const char *name, const char *rule) {
    bool one = is_of_device(name) && !is_full();
    char device[64];
    snprintf(device, sizeof device, "%s%s", adapter_device(name), one ? ":0" : "");
    struct adi_run_options options = {
        .device = device, .case_name = "struct/*/program-*", .seed = 1};
    struct adi_report *report = NULL;
    if (!is_full()) report = judge(adapter_path("tests/mutants", name), &options);
    if (report != NULL && find(report, rule) != NULL) return report;
    if (report != NULL) adi_report_free(report);
    options.case_name = "*/program-*";
    return judge(adapter_path("tests/mutants", name), &options);
}

START_TEST(a_defect_of_the_life_cycle_is_five_operations_at_most)
{
    const char *name = mutants[_i].name;
    if (is_left_out((size_t)_i, SHARE)) return;
    if (strncmp(mutants[_i].rule, "life/", 5) != 0 || is_elsewhere(name)) return;
    struct adi_report *report = judge_programs(name, rule_of((size_t)_i));
    if (report->n_results > 0 || !is_of_device(name))
        expect_short(report, name, rule_of((size_t)_i));
    else
        printf("skip: %s: its device is not here (adicheck devices)\n", name);
    adi_report_free(report);
}
END_TEST

/* Else it is to be found there in so many operations. */
START_TEST(what_is_elsewhere_is_not_found_by_programs)
{
    const char *name = elsewhere[_i].name;
    size_t mutant = 0;
    const char *why = elsewhere[_i].why;
    if (is_left_out((size_t)_i, SHARE) || strcmp(why, A_HANG) == 0 || strcmp(why, A_PROCESS) == 0)
        return;
    while (mutant < MUTANTS && strcmp(mutants[mutant].name, name) != 0) mutant++;
    ck_assert_msg(mutant < MUTANTS, "%s is no mutant", name);
    struct adi_run_options options = {
        .device = is_of_device(name) ? "*:0" : "cpu", .case_name = "struct/*/program-*", .seed = 1};
    struct adi_report *report = judge(adapter_path("tests/mutants", name), &options);
    const struct adi_result *found = find(report, mutants[mutant].rule);
    ck_assert_msg(found == NULL, "%s is found by programs: %s", name,
                  found == NULL ? "" : found->replay);
    adi_report_free(report);
}
END_TEST

/* Rows that are not there would make the test above pass, or say less than it does. */
START_TEST(what_is_elsewhere_exists)
{
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++) {
        bool known = false;
        for (size_t m = 0; m < MUTANTS; m++)
            known = known || strcmp(mutants[m].name, elsewhere[i].name) == 0;
        ck_assert_msg(known, "%s is no mutant", elsewhere[i].name);
    }
}
END_TEST

/* ---- fuzz ---- */

static const struct {
    const char *name, *rule;
} fuzzed[] = {
    {"release_not_cleared", "life/release-not-cleared"},
    {"moved_child_released", "life/moved-child-released"},
    {"root_owns_children", "life/child-depends-on-parent"},
    {"export_leaks", "life/memory-leaked"},
    {"never_releases", "life/never-released"},
    {"released_at_move", "life/released-at-move"},
    {"bitmap_expected", "life/crash"},
    {"stream_release_not_cleared", "life/release-not-cleared"},
    {"stream_error_lost", "stream/source-error-lost"},
    {"stream_error_freed", "stream/error-text-short-lived"},
    {"stream_finds_itself_by_address", "life/depends-on-address"},
};

START_TEST(fuzz_finds_a_defect_and_shrinks_it)
{
    struct adi_run_options options = {.device = "cpu", .fuzz = 1, .seed = 1};
    struct adi_report *report = judge(adapter_path("tests/mutants", fuzzed[_i].name), &options);
    expect_short(report, fuzzed[_i].name, fuzzed[_i].rule);
    ck_assert_int_eq(adi_report_exit(report), 1);
    adi_report_free(report);
}
END_TEST

static bool is_fuzzed_on(const struct adi_report *report, const char *device) {
    for (size_t i = 0; i < report->n_results; i++)
        if (strcmp(report->results[i].device, device) == 0 &&
            report->results[i].verdict == ADI_PASS)
            return true;
    return false;
}

/* Probing takes its time, too; each for himself they would take seven times as long. */
START_TEST(fuzz_shares_its_time_among_the_devices)
{
    struct adi_run_options options = {
        .device = "@(cpu|cuda*|rocm*|ext_dev)", .fuzz = 2, .seed = 1, .jobs = 2};
    struct adi_report *report = judge(NULL, &options);
    size_t played = 0;
    for (size_t i = 0; i < report->n_devices; i++)
        played += is_fuzzed_on(report, report->devices[i].name);
    ck_assert_uint_ge(played, 6);
    ck_assert_msg(report->seconds < (double)played * options.fuzz, "%.1f s on %zu devices",
                  report->seconds, played);
    adi_report_free(report);
}
END_TEST

static const char *const sound[] = {
    NULL, /* the reference */
#define SOUND(name) #name,
#include "../mutants/mutants.def"
};

START_TEST(fuzz_says_nothing_about_what_is_sound)
{
    struct adi_run_options options = {.device = "cpu", .fuzz = 0.2, .seed = 100 + (uint64_t)_i};
    const char *path = sound[_i] == NULL ? NULL : adapter_path("tests/mutants", sound[_i]);
    struct adi_report *report = judge(path, &options);
    size_t passed = 0;
    for (size_t i = 0; i < report->n_results; i++) {
        const struct adi_result *result = &report->results[i];
        ck_assert_msg(result->verdict == ADI_PASS || result->verdict == ADI_UNSUPPORTED,
                      "%s: %s: %s: %s", path, result->rule == NULL ? "" : result->rule->id,
                      result->message, result->replay);
        passed += strstr(result->message, " programs") != NULL;
    }
    ck_assert_uint_gt(passed, 0);
    ck_assert_int_eq(adi_report_exit(report), 0);
    adi_report_free(report);
}
END_TEST

Suite *harness_museum_suite(void) {
    Suite *suite = suite_create("harness_museum");
    TCase *tests = tcase_create("programs");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, a_defect_of_the_life_cycle_is_five_operations_at_most, 0, MUTANTS);
    tcase_add_test(tests, what_is_elsewhere_exists);
    tcase_add_loop_test(tests, what_is_elsewhere_is_not_found_by_programs, 0,
                        sizeof elsewhere / sizeof elsewhere[0]);
    tcase_add_loop_test(tests, fuzz_finds_a_defect_and_shrinks_it, 0,
                        sizeof fuzzed / sizeof fuzzed[0]);
    tcase_add_test(tests, fuzz_shares_its_time_among_the_devices);
    tcase_add_loop_test(tests, fuzz_says_nothing_about_what_is_sound, 0,
                        sizeof sound / sizeof sound[0]);
    suite_add_tcase(suite, tests);
    return suite;
}
