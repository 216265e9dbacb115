/* SPDX-License-Identifier: Apache-2.0
 *
 * What is told of a finding holds for it, and what it says to type can be typed.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/shell.h"
#include "slow.h"
#include "weigh.h"

Suite *harness_told_suite(void);

#define CRASHES "$B/tests/hostile/crashes_everywhere.so"

static bool ends_otherwise(void) {
    if (IS_SANITIZED || IS_THREAD_SANITIZED) puts("left out: under a sanitizer it ends otherwise");
    return IS_SANITIZED || IS_THREAD_SANITIZED;
}

START_TEST(the_line_for_the_debugger_can_be_typed)
{
    static const char *const names[] = {"export", "consume", "program-relay"};
    char line[512];
    if (ends_otherwise()) return;
    snprintf(line, sizeof line,
             "$A run " CRASHES " --device cpu --case 'int32/many/%s' --seed 3 > out; "
             "sed -n 's/.*mend: .*gdb --args adicheck /$A /p' out > line; cat line; "
             "eval \"$(cat line)\"; echo \"status $?\"",
             names[_i]);
    expect(line, 0, "--device cpu:-1 --in-process|--seed 3|status 139");
}
END_TEST

START_TEST(a_death_names_the_step_that_it_came_in)
{
    static const struct {
        const char *line, *words;
    } rows[] = {
        {"run " CRASHES " --device cpu --case int32/many/export", "in step 1 (produce): "},
        {"replay --as consumer --adapter " CRASHES " 'cpu int32 e0 e1 m02 u1 x2'",
         "in step 4 (u1): "},
        {"replay --as producer --adapter $B/tests/mutants/moved_child_released.so "
         "'cpu list_int32 e0 c0.0>1 x0 x1'",
         "in step 3 (x0): "},
    };
    char line[512];
    snprintf(line, sizeof line, "$A %s", rows[_i].line);
    expect(line, 1, rows[_i].words);
}
END_TEST

/* The plain export that comes first shows it, too, and so does another one. */
START_TEST(what_an_export_breaks_is_told_once_a_case)
{
    expect("for c in struct/many/export-thread struct/many/export-children-moved "
           "dictionary_int8_utf8/many/export-dictionary-moved; do $A run "
           "$B/tests/mutants/reserved_never_written.so --device cpu --case $c --json record >out; "
           "grep -o '\"reserved is not zero.*\"' record; done",
           0, "\"reserved is not zero\"\n\"reserved is not zero\"\n\"reserved is not zero\"");
}
END_TEST

/* How long a child is beyond what its parent needs, and where it begins, is its producer's. */
START_TEST(a_part_is_compared_with_what_it_held)
{
    expect("M=$B/tests/mutants/odd_lays_out_anew.so; for s in long-children offset many; do $A "
           "replay --as producer --adapter $M \"cpu struct_required/$s e0 c0.0>1 x0 r1 x1\" || "
           "exit; done",
           0, "every step was legal");
    expect("M=$B/tests/mutants/odd_lays_out_anew.so; $A replay --as producer --adapter $M "
           "'cpu dictionary_int8_utf8 e0 d0>1 x0 m12 r2 x2'",
           0, "every step was legal");
    expect("M=$B/tests/mutants/child_scribbled_by_parent.so; $A replay --as producer --adapter $M "
           "'cpu struct e0 c0.0>1 x0 r1 x1'",
           1, "life/child-depends-on-parent");
}
END_TEST

/* Nothing is left to fill in, whatever was played. */
START_TEST(a_mend_is_filled_in)
{
    static const struct {
        const char *line, *words;
    } rows[] = {
        {"replay --as consumer --adapter " CRASHES " 'cpu int32/many e0 u0'",
         "mend: run it in a debugger as a program in C: adicheck replay --emit-c --as consumer "
         "--adapter /|crashes_everywhere.so 'cpu:-1 int32/many e0 u0' > it.c\n"},
        {"replay --as consumer --adapter " CRASHES " 'ext_dev int32/many e0 u0'",
         "mend: look at that call in a debugger\n"},
        {"run $B/tests/hostile/load_crashes.so --device cpu",
         "mend: look at that call in a debugger\n"},
        {"replay --as consumer --timeout 0.3 --adapter $B/tests/hostile/hangs_everywhere.so "
         "'cpu int32/many e0 u0'",
         "mend: run it in a debugger as a program in C: "},
    };
    char line[512];
    if (ends_otherwise()) return;
    snprintf(line, sizeof line, "$A %s > out 2>&1; status=$?; cat out; exit $status",
             rows[_i].line);
    expect(line, 1, rows[_i].words);
    ck_assert_ptr_null(strstr(said, "ADAPTER.so"));
    if (_i > 0) return;
    expect("eval \"$(sed -n 's/.*mend: .*: adicheck /$A /p' out)\" && cc -I $B/include it.c -o it "
           "-pthread -ldl && { ./it; echo \"status $?\"; }",
           0, "status 139");
}
END_TEST

/* Where rows are lost, it is not offsets that are to be looked at. */
START_TEST(lost_rows_have_a_mend_of_their_own)
{
    static const char *const cases[] = {"stream", "program-stream"};
    char line[256];
    snprintf(line, sizeof line,
             "$A run $B/tests/mutants/stream_%s.so --device cpu --case 'struct/many/%s'",
             _i == 0 ? "loses_last_chunk" : "ends_by_itself", cases[_i]);
    expect(line, 1, "array/data-differs|mend: give out all rows before the end");
    ck_assert_ptr_null(strstr(said, "mend: look at offsets"));
}
END_TEST

/* What a case plays first, and another case as such, is told by that. */
START_TEST(what_is_wrong_with_any_stream_is_told_where_nothing_is_added_to_one)
{
    static const struct {
        const char *name, *told, *silent;
    } rows[] = {{"stream_drops_nulls", "consume-stream", "consume-stream-@(device-*|released)"},
                {"stream_end_unmarked", "stream", "stream-@(moved|thread)"},
                {"stream_relay_keeps_stream", "relay-stream-left", "relay-stream-@(moved|thread)"},
                {"stream_private_data_read", "consume-stream", "consume-stream-released"}};
    char line[256];
    snprintf(line, sizeof line,
             "$A run $B/tests/mutants/%s.so --device cpu --case 'struct/many/%s'", rows[_i].name,
             rows[_i].told);
    expect(line, 1, "fail  ");
    snprintf(line, sizeof line,
             "$A run $B/tests/mutants/%s.so --device cpu --case 'struct/many/%s'", rows[_i].name,
             rows[_i].silent);
    expect(line, _i == 3 ? 2 : 0,
           "not played further: the plainer case that this one adds something to fails");
}
END_TEST

START_TEST(what_a_replay_did_is_told_in_its_order)
{
    if (ends_otherwise()) return;
    expect("$A replay --as consumer --adapter " CRASHES " 'cpu int32/many e0 u0'", 1,
           "step 1   e0      export             0 live\n"
           "  step 2   u0      consume            \n\ncrash  life/crash  MUST  consumer\n");
    expect("$A replay --as consumer 'cpu int32/many e0 u0'", 0,
           "step 2   u0      consume            0 released\n");
}
END_TEST

START_TEST(a_replay_that_hangs_is_ended_and_names_the_step)
{
    expect("timeout 60 $A replay --as consumer --adapter $B/tests/hostile/hangs_everywhere.so "
           "--timeout 0.3 'cpu struct e0 m01 u1'",
           1, "step 3   u1|timeout  life/hang  MUST  consumer|did not end within 0.3 s; killed");
    expect("timeout 60 $A replay --as consumer --adapter $B/tests/hostile/open_hangs.so "
           "--timeout 0.3 'cpu struct e0 u0'",
           1, "before the first step\n\ntimeout  life/hang");
}
END_TEST

/* What was not played since a hang is known is undecided, unless the same row names it. */
START_TEST(a_known_hang_excuses_the_cases_that_its_row_names)
{
    static const struct {
        const char *cases, *words;
        int status;
    } rows[] = {
        {"int32/empty/consume", "undecided: cases were not played, since others hung", 2},
        {"int32/*/consume", "conformant but for what is known: 1 row", 0},
    };
    char line[640];
    snprintf(line, sizeof line,
             "echo 'life/hang | cpu %s | * | hangs | https://example.org/1 | 2999-01-01' > known; "
             "timeout 100 $A run $B/tests/hostile/hangs_everywhere.so --device cpu --timeout 0.5 "
             "--case 'int32/*/consume' --known known",
             rows[_i].cases);
    expect(line, rows[_i].status, rows[_i].words);
}
END_TEST

START_TEST(a_refused_program_is_not_told_as_if_it_was_played)
{
    expect("$A replay --as relay 'cpu struct p0 y01 w1 r1 x1'", 2,
           "  nothing was played to its end\n\nerror  it cannot be played here: cpu has no events");
}
END_TEST

/* Whoever answers 0 behind the end and writes nothing is not called through what was there. */
/* Who takes no stream of the type has not been shown the one that is spoilt. */
START_TEST(a_consumer_that_refuses_a_type_has_not_taken_what_is_malformed)
{
    expect("$A run $B/tests/mutants/odd_stream_refuses_types.so --robustness --device cpu:-1 "
           "--case int32/many/consume-stream-text-long",
           2, "1 unsupported");
}
END_TEST

START_TEST(what_a_stream_leaves_as_it_was_is_not_released)
{
    expect("$A run $B/tests/mutants/stream_end_marked_once.so --device cpu "
           "--case struct/many/program-stream",
           0, "stream/next-after-end|did not give the end again");
    ck_assert_ptr_null(strstr(said, "killed by"));
}
END_TEST

START_TEST(what_is_lost_is_counted_as_it_is_known)
{
    static const struct {
        struct adi_weight lost;
        const char *words;
    } rows[] = {
        {{.own = 100}, "100 bytes are left behind each time"},
        {{.own = 100, .heap = 100}, "100 bytes are left behind each time"},
        {{.heap = 112},
         IS_SANITIZED ? "112 bytes are left behind each time"
                      : "about 112 bytes (as the C library counts blocks) are left "
                        "behind each time"},
        {{.objects = 1}, "1 reference to objects of the device's runtime is left behind each time"},
        {{.objects = 2},
         "2 references to objects of the device's runtime are left behind each time"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[ADI_WEIGHT_TEXT];
        ck_assert(adi_weight_text(rows[i].lost, text));
        ck_assert_str_eq(text, rows[i].words);
    }
}
END_TEST

static const struct {
    const char *adapter, *device, *words;
} leaks[] = {
    {"cuda_event_leaked", "cuda:0", "a reference to the event of cuEventCreate is left behind"},
    {"cuda_buffer_leaked", "cuda:0", "the allocation of cuMemAllocAsync is"},
    {"opencl_event_leaked", "opencl:0", "the event of clEnqueueMarkerWithWaitList is"},
    {"opencl_buffer_leaked", "opencl:0", "the memory object of clCreateBuffer is"},
    {"vulkan_event_leaked", "vulkan:0", "the VkEvent of vkCreateEvent is"},
};

START_TEST(a_leaked_object_is_named_with_the_call_that_made_it)
{
    char line[256];
    snprintf(line, sizeof line,
             "$A run $B/tests/mutants/%s.so --device %s --case int32/nulls/export",
             leaks[_i].adapter, leaks[_i].device);
    expect(line, 1, leaks[_i].words);
}
END_TEST

/* Nothing was exported, so nothing could be freed in its callback. */
/* What is unsound in the plain export before is let be, and not told of. */
START_TEST(what_is_let_be_is_not_lost)
{
    expect("$A run $B/tests/mutants/ext_dev_event_of_one_queue.so --device ext_dev:0 "
           "--case int32/many/export-thread | grep -c memory-leaked",
           1, "0");
}
END_TEST

START_TEST(a_leak_on_the_way_out_has_a_mend_that_fits)
{
    expect("$A run $B/tests/hostile/leaks_everywhere.so --device cpu --case int32/nulls/export", 1,
           "life/memory-leaked|bytes|are left behind each time|"
           "on the way out what a call that fails or refuses has allocated");
    ck_assert_ptr_null(strstr(said, "after everything was released"));
}
END_TEST

START_TEST(what_many_cases_wrote_is_in_a_record_once)
{
    expect("$A run $B/tests/hostile/panics.so --device cpu --json r.json >/dev/null; "
           "grep -c '\"stderr\": \"as in ' r.json",
           0, "");
    long referred = strtol(said, NULL, 10);
    expect("grep -c '\"stderr\": \"[^\"]' r.json", 0, "");
    ck_assert_msg(referred > 10 && strtol(said, NULL, 10) < referred + 10, "%ld of %s", referred,
                  said);
}
END_TEST

START_TEST(a_relay_that_drops_the_event_has_a_mend_that_fits)
{
    expect("$A explain sync/read-before-wait", 0,
           "before the first access|hands the event on with them");
}
END_TEST

/* ---- the log of the simulation ---- */

#define ONE                                                                                        \
    "run $B/tests/mutants/cuda_odd_legacy_stream.so --device cuda:0 --case int32/nulls/export"

START_TEST(a_log_that_is_not_whole_decides_nothing)
{
    static const char *const lines[] = {
        "ADI_SIM_LOG=/dev/full $A " ONE,
        "ADI_SIM_LOG=/dev/full $A " ONE " --in-process",
        "ADI_SIM_LOG=/dev/full $A replay --as producer --adapter "
        "$B/tests/mutants/cuda_odd_legacy_stream.so 'cuda int32 e0 x0'",
    };
    expect(lines[_i], 2, "ADI_SIM_LOG: /dev/full could not be written to its end: No space left");
    expect("ADI_SIM_LOG=none/log $A " ONE, 254, "ADI_SIM_LOG: none/log cannot be written");
}
END_TEST

START_TEST(a_log_that_is_whole_or_not_asked_for_is_no_matter)
{
    expect("ADI_SIM_LOG=log $A " ONE "; status=$?; grep -c violation log; exit $status", 0,
           "conformant\n0\n");
    expect("ADI_SIM_LOG= $A " ONE, 0, "conformant");
    expect("ADI_SIM_LOG=/dev/full $A run --device cpu --case 'int32/nulls/*'", 0, "conformant");
    expect("ls; ADI_SIM_LOG=left $A run --device cpu --case 'int32/nulls/*'; ls left", 2, "");
}
END_TEST

Suite *harness_told_suite(void) {
    Suite *suite = suite_create("harness_told");
    TCase *tests = tcase_create("told");
    tcase_add_checked_fixture(tests, shell_open, shell_close);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, the_line_for_the_debugger_can_be_typed, 0, 3);
    tcase_add_loop_test(tests, a_death_names_the_step_that_it_came_in, 0, 3);
    tcase_add_test(tests, what_an_export_breaks_is_told_once_a_case);
    tcase_add_test(tests, a_part_is_compared_with_what_it_held);
    tcase_add_loop_test(tests, a_mend_is_filled_in, 0, 4);
    tcase_add_loop_test(tests, lost_rows_have_a_mend_of_their_own, 0, 2);
    tcase_add_loop_test(tests, what_is_wrong_with_any_stream_is_told_where_nothing_is_added_to_one,
                        0, 4);
    tcase_add_test(tests, what_a_replay_did_is_told_in_its_order);
    tcase_add_test(tests, a_replay_that_hangs_is_ended_and_names_the_step);
    tcase_add_loop_test(tests, a_known_hang_excuses_the_cases_that_its_row_names, 0, 2);
    tcase_add_test(tests, a_refused_program_is_not_told_as_if_it_was_played);
    tcase_add_test(tests, a_consumer_that_refuses_a_type_has_not_taken_what_is_malformed);
    tcase_add_test(tests, what_a_stream_leaves_as_it_was_is_not_released);
    tcase_add_test(tests, what_is_lost_is_counted_as_it_is_known);
    tcase_add_test(tests, what_is_let_be_is_not_lost);
    tcase_add_test(tests, a_leak_on_the_way_out_has_a_mend_that_fits);
    tcase_add_loop_test(tests, a_leaked_object_is_named_with_the_call_that_made_it, 0,
                        sizeof leaks / sizeof *leaks);
    tcase_add_test(tests, what_many_cases_wrote_is_in_a_record_once);
    tcase_add_test(tests, a_relay_that_drops_the_event_has_a_mend_that_fits);
    tcase_add_loop_test(tests, a_log_that_is_not_whole_decides_nothing, 0, 3);
    tcase_add_test(tests, a_log_that_is_whole_or_not_asked_for_is_no_matter);
    suite_add_tcase(suite, tests);
    return suite;
}
