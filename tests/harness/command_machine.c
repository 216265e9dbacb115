/* SPDX-License-Identifier: Apache-2.0
 *
 * The command on a machine that gives it signals and few means: what was found out is written, and
 * what the machine lacks is nobody's violation and no wrong usage.
 */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/shell.h"
#include "slow.h"

Suite *harness_command_machine_suite(void);

/* ---- signals ---- */

static const int sent[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,   SIGUSR1, SIGUSR2,
                           SIGPIPE, SIGALRM, SIGPROF, SIGVTALRM, SIGIO,   34};

START_TEST(an_implementation_does_not_end_its_run)
{
    char line[256];
    snprintf(line, sizeof line,
             "ADI_HOSTILE_SIGNAL=%d $A run $B/tests/hostile/signals_harness.so --device cpu "
             "--case 'int*/many/export'",
             sent[_i]);
    expect(line, 2, "undecided: nothing was judged: all was refused");
    ck_assert_ptr_null(strstr(said, "interrupted"));
}
END_TEST

/* Some twenty seconds of work, ended after one. */
#define SLOW                                                                                       \
    "ADI_TEST_SLOW=20 exec env --default-signal=HUP $A run $B/tests/adapters/slow.so --device "    \
    "cpu --jobs 1 "                                                                                \
    "--case '@(int32|struct)/many/@(export|program-export)' --json record"
#define ENDED_BY(signal)                                                                           \
    "{ " SLOW "; } & pid=$!; sleep 1; kill -" signal " $pid; wait $pid; status=$?; cat record; "   \
    "exit $status"

START_TEST(a_run_that_is_ended_writes_what_it_knows)
{
    static const char *const lines[] = {ENDED_BY("HUP"), ENDED_BY("QUIT"), ENDED_BY("TERM")};
    expect(lines[_i], 2, "interrupted|\"case\": \"int32/many/export\"|\"exit\": 2");
    ck_assert_ptr_null(strstr(said, "struct/many/program-export"));
}
END_TEST

#define HANGS                                                                                      \
    "exec $A run $B/tests/hostile/hangs_everywhere.so --device cpu --jobs 1 --timeout 60 "         \
    "--case 'int32/nulls/@(export|consume)' --json r.json --sarif sarif --html page"
#define IN_PLAY "2 cases were not played; in play: produce in cpu:-1 int32/nulls/export, for "

START_TEST(a_run_that_is_cut_says_what_it_was_at)
{
    static const struct {
        const char *line, *why, *words;
    } rows[] = {
        {"{ " HANGS "; } & pid=$!; sleep 2; kill -INT $pid; wait $pid", "interrupted",
         "interrupted: " IN_PLAY},
        {HANGS " --time-limit 2", "time limit", "the time limit of the run was over: " IN_PLAY},
    };
    char words[256];
    expect(rows[_i].line, 2, rows[_i].words);
    snprintf(words, sizeof words,
             "\"why\": \"%s\"|\"not_played\": 2|\"case\": \"int32/nulls/export\"|"
             "\"operation\": \"produce\"",
             rows[_i].why);
    expect("sed -n '/\"cut\"/,$p' r.json", 0, words);
    snprintf(words, sizeof words, "\"executionSuccessful\": false|%s", rows[_i].words);
    expect("cat sarif", 0, words);
    expect("cat page", 0, rows[_i].words);
}
END_TEST

#define EVERYWHERE "$B/tests/hostile/hangs_everywhere.so "

START_TEST(what_has_no_report_says_that_it_was_interrupted)
{
    static const char *const lines[] = {
        "replay --timeout 60 --as consumer --adapter " EVERYWHERE "'cpu int32 e0 u0'",
        "run " EVERYWHERE "--in-process --device cpu --case int32/nulls/export",
    };
    char line[512];
    snprintf(line, sizeof line,
             "{ exec env --default-signal=HUP $A %s; } & pid=$!; sleep 2; kill -%s $pid; wait $pid",
             lines[_i / 2], _i % 2 == 0 ? "TERM" : "HUP");
    expect(line, 2, "interrupted");
}
END_TEST

START_TEST(a_run_that_comes_to_its_end_was_not_cut)
{
    expect("$A run --device cpu --case 'int32/nulls/*' --json r.json --sarif sarif; "
           "grep -c '\"cut\"' r.json",
           1, "conformant\n0");
    expect("cat sarif", 0, "\"executionSuccessful\": true");
}
END_TEST

START_TEST(a_run_that_ignores_hangups_goes_on)
{
    expect("trap '' HUP; { ADI_TEST_SLOW=20 exec $A run $B/tests/adapters/slow.so --device cpu "
           "--case 'int32/*/export*'; } & pid=$!; sleep 1; kill -HUP $pid; wait $pid",
           0, "conformant");
}
END_TEST

START_TEST(a_run_whose_reader_is_gone_writes_its_reports)
{
    expect("{ $A run --device cpu --case 'int32/nulls/*' --json record; echo $? > status; } | :; "
           "cat status record",
           0, "2\n|\"exit\": 0");
}
END_TEST

/* ---- a handler of the implementation's ---- */

START_TEST(a_handler_that_is_set_within_a_call_hides_nothing)
{
    static const char *const calls[] = {"signal", "sigaction"};
    char line[256];
    if (IS_SANITIZED || IS_THREAD_SANITIZED) {
        puts("left out: a sanitizer stands between an implementation and its handlers");
        return;
    }
    snprintf(line, sizeof line,
             "ADI_HOSTILE_CALL=%s $A run $B/tests/hostile/hides_touch.so --device cpu "
             "--case int32/nulls/consume",
             calls[_i]);
    expect(line, 1, "fail  life/private-data-touched  MUST  consumer  cpu:-1  int32/nulls/consume");
}
END_TEST

/* ---- an allocator of the user's ---- */

START_TEST(an_allocator_that_is_preloaded_is_given_its_own_back)
{
    if (IS_SANITIZED || IS_THREAD_SANITIZED) {
        puts("left out: a sanitizer is the allocator");
        return;
    }
    expect("LD_PRELOAD=$B/tests/adapters/allocator.so $A run --device cpu --case 'int32/many/*'", 0,
           "conformant");
    expect("LD_PRELOAD=$B/tests/adapters/allocator.so $A run $B/tests/mutants/buffers_freed.so "
           "--device cpu --case int32/many/consume",
           1, "fail  life/structure-changed|saw a call of free()");
}
END_TEST

/* ---- few means ---- */

/* The loader, which comes first, has a status of its own. */
START_TEST(few_descriptors_leave_it_undecided)
{
    expect("for n in 4 5 6 7 8 9 10; do"
           "  (ulimit -n $n; exec $A run $B/tests/mutants/correct.so --device cpu "
           "   --case int32/nulls/export --json record --tap tap);"
           "  status=$?; [ $status = 2 ] || [ $status = 127 ] || exit $status;"
           "done",
           0, "cannot start a worker: Too many open files");
    expect("ulimit -n 8; exec $A run --device cpu --case int32/nulls/export", 2,
           "cannot start a worker: Too many open files");
    expect("$A run $B/none.so", 254, "none.so");
}
END_TEST

START_TEST(little_address_space_is_no_violation)
{
    if (IS_SANITIZED || IS_THREAD_SANITIZED) {
        puts("left out: a sanitizer takes more address space than there is");
        return;
    }
    expect("ulimit -v 4000000; exec $A run $B/tests/mutants/correct.so --device cpu "
           "--case 'int32/nulls/*'",
           2, "error  cpu:-1  int32/nulls/export|no watch over memory");
    ck_assert_ptr_null(strstr(said, "MUST"));
    ck_assert_ptr_null(strstr(said, "mend:"));
    expect("ulimit -v 300000; exec $A run $B/tests/mutants/correct.so --device cpu "
           "--case 'int32/nulls/*'",
           2, "undecided: the harness or the adapter failed");
}
END_TEST

/* ---- names ---- */

START_TEST(what_died_before_it_said_its_name_has_the_files)
{
    expect("$A run $B/tests/hostile/load_crashes.so --device cpu --json record; cat record", 0,
           "load_crashes.so: not conformant|\"name\": \"load_crashes.so\"");
}
END_TEST

Suite *harness_command_machine_suite(void) {
    Suite *suite = suite_create("harness_command_machine");
    TCase *tests = tcase_create("machine");
    tcase_add_checked_fixture(tests, shell_open, shell_close);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, an_implementation_does_not_end_its_run, 0,
                        (int)(sizeof sent / sizeof *sent));
    tcase_add_loop_test(tests, a_run_that_is_ended_writes_what_it_knows, 0, 3);
    tcase_add_loop_test(tests, a_run_that_is_cut_says_what_it_was_at, 0, 2);
    tcase_add_loop_test(tests, what_has_no_report_says_that_it_was_interrupted, 0, 4);
    tcase_add_test(tests, a_run_that_comes_to_its_end_was_not_cut);
    tcase_add_test(tests, a_run_that_ignores_hangups_goes_on);
    tcase_add_test(tests, a_run_whose_reader_is_gone_writes_its_reports);
    tcase_add_loop_test(tests, a_handler_that_is_set_within_a_call_hides_nothing, 0, 2);
    tcase_add_test(tests, an_allocator_that_is_preloaded_is_given_its_own_back);
    tcase_add_test(tests, few_descriptors_leave_it_undecided);
    tcase_add_test(tests, little_address_space_is_no_violation);
    tcase_add_test(tests, what_died_before_it_said_its_name_has_the_files);
    suite_add_tcase(suite, tests);
    return suite;
}
