/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs of asynchronous streams, through the built command: what is illegal is its rule; with an
 * implementation in them, a planted defect of a producer is found as exactly its rule, and one that
 * is odd but legal is not blamed.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "harness/shell.h"
#include "slow.h"

Suite *harness_programs_async_suite(void);

/* ---- the harness alone ---- */

static const struct {
    const char *program, *rule; /* NULL: legal */
} alone[] = {
    {"ae0 ar0 an0>1 ke1>2 r2 c2.0>3 x2 r3 x3 x0", NULL},
    {"ap0 ar0 ar0 an0>1 an0>2 ke2>3 x0 w3 r3 ke1>0 w0 u0 x3", NULL},
    {"af0 ar0 an0>1 m12 t+ x0 x2", NULL},
    {"ae0 aj0 ar0 ac0 x0", NULL},
    {"ae0 ac0 ar0 ac0 x0 e0 x0", NULL},
    {"ae0 ar0 an0>1 ke1>2 ke1>3", "async/extracted-twice"},
    {"ae0 ar0 an0>1 x1 x1", "async/extracted-twice"},
    {"ae0 ar0 an0>1 m12 t+ x2 ke2>1", "async/extracted-twice"},
    {"ae0 ar0 an0>1 z1", "async/task-not-extracted"},
    {"ae0 ar0 ar0 an0>1 an0>1", "async/task-not-extracted"},
    {"ae0 ar0 an0>1 x0", "async/task-not-extracted"},
    {"ae0 aq0", "async/bad-request"},
    {"ae0 ar0 ak0", "async/producer-called-at-end"},
    {"af0 ar0 an0>1 x1 x0 ar0", "async/producer-not-there"},
    {"ae0 aj0 x0 ac0", "async/producer-not-there"},
    {"ae0 x0 x0", "async/producer-not-there"},
    {"ae0 x0 aj0", "async/producer-not-there"},
    {"ae0 ar0", "life/never-released"},
    {"ae0 e0", "life/never-released"},
    {"ae0 ar0 an0>1 m12 x1", "life/move-source-not-released"},
    {"ae0 ar0 an0>1 m12 ke1>3", "life/use-after-release"},
    {"ap0 ar0 an0>1 ke1>2 r2", "sync/read-before-wait"},
};

START_TEST(a_program_of_an_asynchronous_stream_breaks_its_rule)
{
    char line[256];
    snprintf(line, sizeof line, "$A replay 'cpu struct %s'", alone[_i].program);
    expect(line, alone[_i].rule == NULL ? 0 : 1,
           alone[_i].rule == NULL ? "every step was legal" : alone[_i].rule);
}
END_TEST

/* ---- with an implementation ---- */

static const struct {
    const char *adapter, *program;
    const char *verdict; /* "x1|fail  RULE": in that step, or one that begins so; "|...": when
                            the producer's thread comes to it */
} played[] = {
    {"async_called_after_release", "ae0 x0", "before|fail  async/called-after-release"},
    {"async_handler_written_after_release", "ae0 x0", "before|fail  async/called-after-release"},
    {"async_released_twice", "ae0 x0", "before|fail  async/called-after-release"},
    {"async_cancel_frees", "ae0 ac0 ac0 x0", "ac0|crash  async/cancel-not-repeatable"},
    {"async_cancel_ignored", "ae0 ar0 ac0 x0", "x0|fail  async/cancel-ignored"},
    {"async_cancel_in_error", "ae0 x0", "x0|fail  async/cancel-ends-in-error"},
    {"async_cancel_fails", "ae0 x0", "x0|note  async/error-after-cancel"},
    {"async_cancel_releases", "ae0 ac0 x0", "ac0|fail  async/cancel-calls-back"},
    {"async_chunks_of_stream", "ae0 ar0 an0>1 ke1>2 x0 r2 x2",
     "r2|fail  async/chunk-depends-on-stream"},
    {"async_error_text_freed", "af0 ar0 an0>1 x1 x0", "|fail  async/error-text-short-lived"},
    {"async_error_text_of_frame", "af0 ar0 an0>1 x1 x0", "|fail  async/error-text-short-lived"},
    {"async_error_text_unmapped", "af0 ar0 an0>1 x1 x0", "|fail  async/error-text-short-lived"},
    {"async_error_text_unterminated", "af0 ar0 an0>1 x1 x0", "|fail  async/error-text-short-lived"},
    {"async_handler_moved", "ae0 ar0 an0>1 ac0 ke1>2 x2 x0", "before|note  async/handler-moved"},
    {"async_handler_copied", "af0 ar0 ar0 an0>1 ke1>2 r2 t+ x2 x0",
     "before|note  async/handler-moved"},
    {"async_schema_never", "ae0 x0", "before|fail  async/schema-not-first"},
    {"async_schema_skipped", "ae0 x0", "before|timeout  async/schema-not-first"},
    {"async_end_missing", "ae0 x0", "before|fail  async/end-missing"},
    {"async_end_twice", "ae0 x0", "before|fail  async/called-after-end"},
    {"async_end_after_error", "af0 ar0 an0>1 x1 x0", "|fail  async/called-after-error"},
    {"async_error_after_refused_task", "ae0 aj0 x0", "|warn  async/called-after-refused-task"},
    {"async_error_as_end", "af0 ar0 an0>1 x1 x0", "|fail  async/source-error-lost"},
    {"async_extract_hides_failure", "ae0 x0", "before|fail  async/extracted-nothing"},
    {"async_give_up_follows_null", "ae0 x0", "before|crash  async/give-up-fails"},
    {"async_give_up_leaks", "ae0 x0", "before|fail  life/memory-leaked"},
    {"async_never_released", "ae0 x0", "before|fail  async/handler-not-released"},
    {"async_one_ahead", "ae0 ar0 an0>1 x1 x0", "|warn  async/task-beyond-requests"},
    {"async_producer_moved", "ae0 x0", "before|fail  async/producer-not-valid"},
    {"async_leaves_source", "ae0 x0", "before|fail  life/move-source-not-released"},
    {"async_leaves_source", "ae0 x0", "before|fail  life/move-source-not-released"},
    {"async_error_reads_private_data", "ae0 ar0 an0>1 ac0 ke1>2 x2 x0",
     "ke1>2|fail  async/private-data-touched"},
    {"async_refusal_empties_tasks", "ae0 ar0 an0>1 aj0 ke1>2 x2 x0",
     "ke1>2|fail  async/extracted-nothing"},
    {"async_request_calls_back", "ae0 x0", "before|fail  async/request-calls-back"},
    {"async_requests_after_cancel", "ae0 ac0 ar0 x0", "x0|fail  async/request-after-cancel"},
    {"async_requests_replace", "ae0 ar0 ar0 an0>1 an0>2 x1 x2 x0",
     "an0>2|fail  async/request-ignored"},
    {"async_task_aborts_later", "ae0 ar0 an0>1 x1 x0", "x1|crash  async/task-depends-on-address"},
    {"async_task_in_frame", "ae0 ar0 an0>1 ke1>2 x2 x0",
     "ke1>2|fail  async/task-depends-on-address"},
    {"async_locks_around_schema", "ae0 x0", "before|timeout  async/request-within-callback"},
    {"async_released_alone", "ae0 x0", "before|note  async/released-alone"},
    {"odd_async_ends_after_cancel", "af0 ar0 x0", "pass"},
    {"odd_async_ends_after_cancel", "ae0 aj0 ac0 x0", "pass"},
    {"odd_async", "ae0 ar0 an0>1 m12 t+ ke2>1 r1 c1.0>3 x1 r3 x3 x0", "pass"},
    {"odd_async", "af0 ar0 ar0 an0>1 ke1>2 r2 t+ x2 x0", "pass"},
    {"odd_async_within", "ae0 ar0 an0>1 ar0 ke1>2 an0>3 ke3>1 x0 r1 r2 x1 x2", "pass"},
    {"odd_async_waits_for_tasks", "ae0 ar0 ar0 an0>1 an0>2 ke2>3 r3 x3 x1 x0", "pass"},
    {"odd_async_ends_late", "ae0 ar0 ar0 an0>1 an0>2 x2 x1 ar0 x0", "pass"},
    {"odd_async_thread_each", "ae0 aj0 ac0 ar0 x0", "pass"},
    {"odd_async_published", "ae0 ar0 ac0 ar0 t+ x0", "pass"},
    {"odd_async_releases_late", "ae0 ar0 an0>1 ke1>2 ac0 r2 x0 x2", "pass"},
    {"odd_async_stops_at_once", "ae0 ar0 ac0 x0", "pass"},
    {"odd_async_tasks_end_too", "ae0 ar0 an0>1 aj0 x1 x0", "pass"},
    {"odd_async_tasks_end_too", "af0 ar0 an0>1 x1 x0", "pass"},
    {"odd_async_tasks_end_too", "ae0 ar0 ar0 an0>1 ke1>2 x2 an0>1 ke1>2 x2 x0", "pass"},
    {"odd_async_released_by_task", "ae0 ar0 x0", "pass"},
    {"odd_async_released_by_task", "ae0 ar0 ar0 an0>1 an0>2 ke1>3 x3 x2 x0", "pass"},
    {"odd_async_one_at_once", "ae0 ar0 ar0 an0>1 ke1>2 an0>1 x1 x2 x0", "pass"},
    {"odd_async_metadata", "af0 ar0 an0>1 x1 x0", "pass"},
    {"odd_async_error_texts", "af0 ar0 an0>1 x1 x0", "pass"},
};

/* How many verdicts are told; those of the harness as well. */
static size_t count_verdicts(void) {
    static const char *const verdicts[] = {"\nfail  ",  "\nwarn  ",    "\nnote  ", "\nxfail  ",
                                           "\ncrash  ", "\ntimeout  ", "\npass  ", "\nerror  "};
    size_t n = 0;
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
        for (const char *at = said; (at = strstr(at, verdicts[i])) != NULL; at++) n++;
    return n;
}

/* Is it in this step, "x1|...", or before the first, that the verdict is told? */
static bool is_told_in(const char *where) {
    char last[64] = "", word[32] = "";
    for (const char *at = said; at != NULL && strncmp(at, "  ", 2) == 0; at++) {
        snprintf(last, sizeof last, "%.*s", (int)strcspn(at, "\n"), at);
        at = strchr(at, '\n');
        if (at == NULL) break;
    }
    if (sscanf(last, "  step %*u %31s", word) != 1) sscanf(last, "%31s", word);
    return strncmp(word, where, strcspn(where, "|")) == 0;
}

START_TEST(a_defect_is_found_by_a_program_and_nothing_is_said_of_what_is_odd)
{
    char line[512];
    const char *wanted = played[_i].verdict, *bar = strchr(wanted, '|');
    const char *verdict = bar == NULL ? wanted : bar + 1;
    const bool breaks = strncmp(verdict, "fail", 4) == 0 || strncmp(verdict, "crash", 5) == 0 ||
                        strncmp(verdict, "timeout", 7) == 0;
    if (IS_THREAD_SANITIZED) return;
    snprintf(line, sizeof line,
             "$A replay --as async-producer --adapter $B/tests/mutants/%s.so --timeout 2 "
             "'cpu struct %s'",
             played[_i].adapter, played[_i].program);
    expect(line, breaks, verdict);
    ck_assert_msg(count_verdicts() == 1, "%s: %s", line, said);
    ck_assert_msg((bar == NULL) == (strcmp(verdict, "pass") == 0), "%s: in which step?", line);
    ck_assert_msg(bar == NULL || is_told_in(wanted), "%s: not in %s: %s", line, wanted, said);
}
END_TEST

static const struct {
    const char *adapter, *program;
} refused[] = {
    {"odd_async_cuts_anew", "ae0 ar0 ar0 an0>1 an0>2 x1 x2 x0"},
    {"odd_async_cuts_anew", "af0 ar0 an0>1 x1 x0"},
    {"odd_async_empty_first", "ae0 ar0 ar0 an0>1 an0>2 x1 ke2>1 x0 x1"},
    {"odd_async_one_at_once", "ae0 ar0 ar0 an0>1 an0>2 ke1>3 x3 x2 x0"},
    {"odd_async_one_at_once", "ae0 ar0 an0>1 aj0 x1 x0"},
    {"odd_async_refuses_tasks_slowly", "ae0 ar0 an0>1 ke1>2 x2 x0"},
    {"odd_async_cancel_ends_tasks", "ae0 ar0 an0>1 ac0 ke1>2 x2 x0"},
};

/* It is neither blamed nor said to have passed. */
START_TEST(a_program_that_an_implementation_need_not_take_part_in_is_refused)
{
    char line[512];
    if (IS_THREAD_SANITIZED) return;
    snprintf(line, sizeof line,
             "$A replay --as async-producer --adapter $B/tests/mutants/%s.so --timeout 2 "
             "'cpu struct %s'",
             refused[_i].adapter, refused[_i].program);
    expect(line, 2, "error  it cannot be played here");
}
END_TEST

START_TEST(what_is_open_is_not_played_with_an_implementation)
{
    expect("$A replay --as async-producer --adapter $B/tests/mutants/odd_async.so "
           "'cpu struct ae0 ar0 an0>1 x0 ke1>2 x2'",
           2, "docs/ambiguities.md, 18");
    expect("$A replay --as async-producer --adapter $B/tests/mutants/odd_async.so "
           "'cpu struct ae0 aq0'",
           254, "step 2, aq0, is not legal");
    expect("$A replay --emit-c 'cpu struct ae0 x0'", 254, "programs of arrays and streams alone");
}
END_TEST

/* A device that one thread at a time may use is left out, and that is said. */
START_TEST(a_program_of_an_asynchronous_stream_is_played_on_devices)
{
    const char *pending = "ap0 ar0 ar0 an0>1 an0>2 ke2>3 w3 r3 x3 x1 x0";
    char line[512];
    if (IS_THREAD_SANITIZED) return;
    snprintf(line, sizeof line, "$A replay --as async-producer 'ext_dev:0 struct %s'", pending);
    expect(line, 0, "every step was legal");
    expect("$A run --device ext_dev:0 --case int32/many/program-async", 0, "conformant");
    snprintf(line, sizeof line,
             "$A replay --as async-producer --adapter "
             "$B/tests/mutants/ext_dev_async_event_missing_later.so 'ext_dev:0 int32 %s'",
             pending);
    expect(line, 1, "fail  sync/data-not-ready");
    ck_assert_msg(count_verdicts() == 1, "%s", said);
    if (run("$A devices | grep -q '^vulkan:0 .*found'") != 0) return;
    expect("$A run --device vulkan:0 --case int32/many/program-async", 2, "one thread at a time");
    expect("$A replay --as async-producer 'vulkan:0 struct ae0 x0'", 2, "one thread at a time");
}
END_TEST

/* The way of each legal step, and those that are made up. */
START_TEST(the_reference_and_an_odd_one_are_played_in_all_of_them)
{
    expect("$A run --device cpu:-1 --case int32/many/program-async", 0, "conformant");
    expect("$A run $B/tests/mutants/odd_async.so --device cpu:-1 --case int32/many/program-async",
           0, "conformant");
    expect("$A fuzz --time 1 --device cpu --seed 5 --json - 2>/dev/null", 0,
           "\"case\": \"fuzz-async\"");
}
END_TEST

/* Nothing was made to fail: it is neither a pass nor the fault of a copy. */
START_TEST(a_producer_whose_tasks_cannot_be_extracted_has_refused)
{
    if (IS_THREAD_SANITIZED) return;
    expect("$A run $B/tests/mutants/odd_async_refuses_tasks.so --device cpu:-1 "
           "--case 'int32/many/async@(|-copied|-outlived|-scheduled)'",
           0, "unsupported  4 results");
}
END_TEST

/* The handler that is not taken is nobody's to release, and waited for in none of the programs. */
START_TEST(who_refuses_each_stream_is_not_waited_for)
{
    expect("$A run $B/tests/mutants/odd_async_refuses_types.so --device cpu:-1 --time-limit 10 "
           "--case int32/many/program-async",
           2, "1 unsupported");
}
END_TEST

/* A program that shows a defect is made short. */
START_TEST(a_program_of_an_asynchronous_stream_is_shrunk)
{
    expect("$A run $B/tests/mutants/async_chunks_of_stream.so --device cpu:-1 "
           "--case int32/many/program-async",
           1, "int32/many ae0 ar0 an0>1 ke1>2 x0|fail  async/chunk-depends-on-stream");
}
END_TEST

Suite *harness_programs_async_suite(void) {
    Suite *suite = suite_create("harness_programs_async");
    TCase *tests = tcase_create("programs");
    tcase_add_checked_fixture(tests, shell_open, shell_close);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, a_program_of_an_asynchronous_stream_breaks_its_rule, 0,
                        sizeof alone / sizeof *alone);
    tcase_add_loop_test(tests, a_defect_is_found_by_a_program_and_nothing_is_said_of_what_is_odd, 0,
                        sizeof played / sizeof *played);
    tcase_add_loop_test(tests, a_program_that_an_implementation_need_not_take_part_in_is_refused, 0,
                        sizeof refused / sizeof *refused);
    tcase_add_test(tests, a_program_of_an_asynchronous_stream_is_played_on_devices);
    tcase_add_test(tests, what_is_open_is_not_played_with_an_implementation);
    tcase_add_test(tests, the_reference_and_an_odd_one_are_played_in_all_of_them);
    tcase_add_test(tests, a_producer_whose_tasks_cannot_be_extracted_has_refused);
    tcase_add_test(tests, who_refuses_each_stream_is_not_waited_for);
    tcase_add_test(tests, a_program_of_an_asynchronous_stream_is_shrunk);
    suite_add_tcase(suite, tests);
    return suite;
}
