/* SPDX-License-Identifier: Apache-2.0
 *
 * What the command leaves behind: reports where they were asked for, and what the last run found.
 */
#include <check.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd_output.h"
#include "harness/shell.h"

Suite *harness_outputs_suite(void);

#define ONE "--case int32/nulls/export --device cpu"

START_TEST(reports_go_where_they_are_sent)
{
    expect("$A run " ONE " --json r.json --junit r.xml --tap r.tap --sarif r.sarif --html r.html",
           0, "conformant");
    expect("head -n 1 r.xml r.tap r.html; cat r.sarif", 0,
           "<?xml version|TAP version 14|<!DOCTYPE html>|\"2.1.0\"");
    ck_assert_int_eq(run("$A run " ONE " --json - 2>/dev/null"), 0);
    json_t *json = json_loads(said, 0, NULL);
    ck_assert_msg(json != NULL, "standard output holds more than JSON:\n%.2000s", said);
    ck_assert_int_eq(json_integer_value(json_object_get(json, "exit")), 0);
    json_decref(json);
    expect("$A run " ONE " --json - 2>&1 >/dev/null", 0, "conformant");
    expect("$A run " ONE " > out; ! grep -q \"$(printf '\\033')\" out", 0, "");
}
END_TEST

START_TEST(a_report_that_cannot_be_finished_is_no_success)
{
    expect("$A run " ONE " --json /dev/full", 2,
           "/dev/full could not be written to its end: No space");
}
END_TEST

/* In a folder that may not be written; root may write everywhere. */
START_TEST(why_a_report_cannot_be_made_is_what_the_folder_says)
{
    struct adi_output output;
    struct adi_error error;
    ck_assert_int_eq(run("mkdir -m 0555 shut && pwd"), 0);
    said[strcspn(said, "\n")] = '\0';
    char path[PATH_MAX];
    ck_assert_int_lt(snprintf(path, sizeof path, "%s/shut/x.json", said), PATH_MAX);
    ck_assert_int_eq(chmod(said, 0755), 0);
    ck_assert(geteuid() != 0 || seteuid(65534) == 0);
    int code = adi_output_open(&output, path, &error);
    ck_assert(getuid() != 0 || seteuid(0) == 0);
    ck_assert_int_eq(code, EACCES);
    ck_assert_ptr_nonnull(strstr(error.text, "cannot be written: Permission denied"));
}
END_TEST

START_TEST(a_start_that_fails_leaves_the_reports_alone)
{
    expect("$A run --json r.json --html r.html --case nonsense; test $? = 254 && ls -A", 0, "");
    ck_assert_ptr_null(strstr(said, "r.json"));
    ck_assert_ptr_null(strstr(said, "r.html"));
    expect("echo kept > r.json; $A run ./none.so --json r.json; $A run --json r.json --html "
           "./r.json " ONE "; cat r.json",
           0, "kept|both go to");
    expect("$A run --json . " ONE, 254, "--json: . cannot be written: Is a directory");
    expect("$A run --json none/r.json " ONE, 254, "none/r.json cannot be written: No such file");
    expect("rm r.json; ls -A | wc -l", 0, "0\n");
}
END_TEST

START_TEST(a_killed_run_leaves_the_last_good_report)
{
    expect("$A run " ONE " --json r.json --html r.html && cp r.json good.json && "
           "{ $A run --json r.json --html r.html >/dev/null 2>&1 & sleep 0.3; kill -KILL $!; "
           "wait $!; }; cmp r.json good.json && grep -q '</html>' r.html && ls -A",
           0, "good.json\nr.html\nr.json\n");
}
END_TEST

START_TEST(a_report_goes_where_a_link_points_and_keeps_its_mode)
{
    expect("mkdir d && echo old > d/r.json && chmod 640 d/r.json && ln -s d/r.json l.json && "
           "$A run " ONE " --json l.json >/dev/null && test -L l.json && head -c 2 d/r.json && "
           "stat -c %a d/r.json && ls -A d",
           0, "{\n640\nr.json\n");
    expect("umask 027; $A run " ONE " --json n.json >/dev/null; stat -c %a n.json", 0, "640");
    expect("mkfifo p && { head -c 2 p & $A run " ONE " --json p >/dev/null; wait; } && test -p p",
           0, "{\n");
    expect("head -c 5000000 /dev/zero > d/r.json && $A run " ONE
           " --json /dev/stdout > d/r.json 2>/dev/null && tail -c 2 d/r.json",
           0, "}\n");
    expect("rm d/r.json", 0, "");
}
END_TEST

START_TEST(what_the_last_run_found_is_drawn)
{
    expect("$A explain --last", 254, "no run is kept yet");
    expect("$A run --case int32/nulls/export --device cpu >/dev/null; $A explain --last", 0,
           "nothing was found");
    expect("$A run $B/tests/mutants/ext_dev_event_of_one_queue.so --device ext_dev:0 --json r.json "
           "--case int32/nulls/export >/dev/null; $A explain --last",
           0,
           "sync/event-too-early|| | queue 3 of the implementation|missing: an edge from 2 to 4: "
           "event 1 does not come behind what writes allocation 1|mend: ");
    expect("$A explain --last > a; $A explain --record r.json 'sync/*' > b; grep missing: a b | "
           "cut -d: -f2- | sort -u | wc -l",
           0, "1\n");
    expect("$A explain --last 'schema/*'", 0,
           "ext_dev_event_of_one_queue.so, begun 20|Z\nnothing was found of schema/*\n");
    expect("$A explain --record r.json 'schema/*' | sed 's/begun .*//' > a; $A explain --last "
           "'schema/*' | sed 's/begun .*//' | cmp - a",
           0, "");
    expect("$A run $B/tests/mutants/children_leaked.so --device cpu --case "
           "struct/many/program-export >/dev/null; $A explain --last",
           0,
           "0: empty -> live|x0      release            0: live -> released   <-- here it failed");
    expect("echo '{}' > r.json; $A explain --record r.json; s=$?; rm r.json; exit $s", 254,
           "r.json is no record");
    expect("echo '[' > r.txt; $A explain --record r.txt", 254, "r.txt is no record: line");
    expect("$A explain --record none.json", 254, "none.json: No such file");
    expect("$A explain --last --record r.txt", 254, "leave out one");
    expect("XDG_STATE_HOME=/dev/null/none $A run --case int32/nulls/export --device cpu", 0,
           "conformant");
}
END_TEST

#define CUT                                                                                        \
    "$A run $B/tests/hostile/hangs_everywhere.so --device cpu --timeout 60 --jobs 1 "              \
    "--case int32/nulls/export --time-limit 2 >/dev/null"

START_TEST(what_a_run_that_was_cut_found_is_not_nothing)
{
    expect(CUT "; $A explain --last", 0,
           "everywhere 1, |/tests/hostile/hangs_everywhere.so, begun 20|"
           "the time limit of the run was over: 1 case was not played; in play: produce in cpu:-1 "
           "int32/nulls/export, for |nothing was found in what was played\n");
    expect("$A run " ONE " >/dev/null; $A explain --last", 0,
           "adicheck reference |, begun 20|Z\nnothing was found\n");
    ck_assert_ptr_null(strstr(said, "not played"));
}
END_TEST

Suite *harness_outputs_suite(void) {
    Suite *suite = suite_create("harness_outputs");
    TCase *outputs = tcase_create("outputs");
    tcase_add_checked_fixture(outputs, shell_open, shell_close);
    tcase_set_timeout(outputs, 120);
    tcase_add_test(outputs, reports_go_where_they_are_sent);
    tcase_add_test(outputs, a_report_that_cannot_be_finished_is_no_success);
    tcase_add_test(outputs, why_a_report_cannot_be_made_is_what_the_folder_says);
    tcase_add_test(outputs, a_start_that_fails_leaves_the_reports_alone);
    tcase_add_test(outputs, a_killed_run_leaves_the_last_good_report);
    tcase_add_test(outputs, a_report_goes_where_a_link_points_and_keeps_its_mode);
    tcase_add_test(outputs, what_the_last_run_found_is_drawn);
    tcase_add_test(outputs, what_a_run_that_was_cut_found_is_not_nothing);
    suite_add_tcase(suite, outputs);
    return suite;
}
