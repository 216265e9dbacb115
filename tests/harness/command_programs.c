/* SPDX-License-Identifier: Apache-2.0
 *
 * Drives the built command as a user of programs would: replay, and fuzz.
 */
#include <check.h>
#include <stdio.h>

#include "harness/shell.h"

Suite *harness_command_programs_suite(void);

START_TEST(a_program_is_replayed)
{
    expect("$A replay 'cpu struct e0 m01 r1 x1'", 0, "step 2   m01     move  |pass");
    expect("$A replay cpu struct/nulls e0 x0 x0", 1, "fail  life/release-twice  MUST  consumer");
    expect("$A replay 'cpu int32 x0'", 254, "step 1, x0: nothing was put into slot 0 before");
    expect("$A replay 'cpu int32 e0 x0 x0'", 1, "life/release-twice");
    expect("$A replay 'cpu struct p0 r0'", 1, "sync/read-before-wait|was touched before its event");
    expect("$A replay 'cpu int32 e0 c0.1>2 x0'", 0,
           "there is no such child|pass  every step was legal, and 1 did nothing");
    expect("$A replay 'cpu dictionary_int8_utf8 e0 d0>1 x0 r1 x1'", 0, "pass");
    expect("$A replay", 254, "wanted a device, a type and steps");
    expect("$A replay 'gpu struct e0'", 254, "no device type is named gpu");
    expect("$A replay 'cpu:7 struct e0'", 254, "there is no device cpu:7");
    expect("$A replay 'cpu strukt e0'", 254, "no type is named strukt");
    expect("$A replay 'cpu struct/nul e0'", 254, "no shape is named nul");
    expect("$A replay --as producer 'cpu struct e0 c0.1>2 r2'", 254, "step 3, r2, is not legal");
    expect("$A replay --as producer 'cpu struct e0'", 254, "something is left at the end");
    expect("$A replay --as miller 'cpu struct e0 x0'", 254, "no part is named miller");
    expect("$A replay --adapter x.so 'cpu struct e0 x0'", 254, "say --as what");
    expect("$A replay --as producer 'cpu struct e0 m01 r1 x1'", 0, "pass");
    expect("$A replay --emit-c cpu struct $(yes e0 x0 | head -n 100)", 254,
           "--emit-c: the program does not fit into 40 lines");
    expect("$A replay --emit-c cpu struct $(yes se0 x0 | head -n 100)", 254,
           "--emit-c: the program does not fit into 72 lines");
    expect("$A replay 'cpu struct se0 sn0>1 sy02 su2 r1 x1'", 0,
           "stream_relay|stream_consume|pass");
    expect("$A replay 'cpu struct se0 su0 su0'", 1, "life/use-after-release");
    expect("$A replay --as stream-consumer 'cpu struct sf0 sn0>1 sn0>2 su0'", 254,
           "step 4, su0, is not legal there (there is nothing to do it to)");
    expect("$A replay --as stream-consumer 'cpu struct se0 sn0>1 su0 x1'", 0, "pass");
    expect("$A replay --as stream-relay 'cpu struct se0 sn0>1 sy02 sn2>3 x2 r3 x3 x1'", 0, "pass");
    expect("$A replay --emit-c 'cpu struct e0 m'", 254, "character 5 is its end");
    expect("$A replay --emit-c 'cpu struct e0 c0.1>2 r2'", 0,
           "cpu struct e0 c0.1>2 r2': life/parent-kept-after-child-move|int main(void)");
    expect("$A replay 'cpu struct e0 m0'", 254, "character 6 is its end, wanted a slot");
    expect("ADI_WEBGPU=off $A replay 'webgpu struct e0 x0'", 254, "webgpu is not there: ADI_WE");
    expect("$A replay 'cpu null/nulls e0 x0'", 254, "there is no sample null/nulls");
    expect("$A replay cpu struct $(yes r0 | head -n 5000)", 254, "more than 2047 characters");
    expect("$A replay 'cpu struct e0 t+ x0'", 0, "pass");
}
END_TEST

/* Behind it nothing is played. */
START_TEST(what_is_written_behind_the_first_illegal_step_is_not_looked_at)
{
    expect("$A replay 'cpu int32 e0 x0 x0 x1'", 1, "step 3   x0|fail  life/release-twice");
    expect("$A replay 'cpu int32 e0 x0 x0 sn0>1'", 1, "step 3   x0|fail  life/release-twice");
}
END_TEST

/* What nothing was put into has no state that a rule could be about, and the harness's own memory
 * there is nobody's: a word about it was use after release. */
START_TEST(a_slot_is_used_once_something_is_in_it)
{
    static const struct {
        const char *program, *said;
    } rows[] = {
        {"c0.1>2", "step 1, c0.1>2: nothing was put into slot 0 before; e0 does"},
        {"X0.1", "step 1, X0.1: nothing was put into slot 0 before; e0 does"},
        {"d0>2", "step 1, d0>2: nothing was put into slot 0 before; e0 does"},
        {"m21", "step 1, m21: nothing was put into slot 2 before; e2 does"},
        {"sn1>0", "step 1, sn1>0: nothing was put into slot 1 before; se1 does"},
        {"hr1", "step 1, hr1: nothing was put into slot 1 before; sh0>1 does"},
        {"hr0", "step 1, hr0: nothing was put into slot 0 before; sh1>0 does"},
        {"e0 d0>1 x0 x1", "step 4, x1: nothing was put into slot 1 before"}, /* it has none */
        {"e0 c0.3>1 x0 x1", "step 4, x1: nothing was put into slot 1 before"},
        {"se0 y01 x0 x1", "step 2, y01: it is about an array, and slot 0 has a stream"},
        {"se0 r0 x0", "step 2, r0: it is about an array, and slot 0 has a stream"},
        {"se0 w0 x0", "step 2, w0: it is about an array, and slot 0 has a stream"},
        {"se0 c0.1>2 x0", "step 2, c0.1>2: it is about an array, and slot 0 has a stream"},
        {"se0 m01 r1 x1", "step 3, r1: it is about an array, and slot 1 has a stream"},
        {"e0 sn0>1 x0", "step 2, sn0>1: it is about a stream, and slot 0 has an array"},
        {"se0 sh0>1 r1 x1 x0", "step 3, r1: it is about an array, and slot 1 has a schema"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[96];
        snprintf(line, sizeof line, "$A replay 'cpu struct %s'", rows[i].program);
        expect(line, 254, rows[i].said);
    }
}
END_TEST

/* The twin: where something was, a rule is broken. */
START_TEST(a_slot_that_had_something_is_judged)
{
    expect("$A replay 'cpu struct e0 x0 c0.1>2'", 1, "life/use-after-release");
    expect("$A replay 'cpu struct e0 m01 c0.1>2 x1'", 1, "life/use-after-release");
    expect("$A replay 'cpu struct e0 x0 m01 x1'", 1, "life/use-after-release");
    expect("$A replay 'cpu struct se0 x0 sn0>1'", 1, "life/use-after-release");
    expect("$A replay 'cpu struct se0 x0 r0'", 1, "life/use-after-release");
    expect("$A replay 'cpu struct e0 se0 sn0>1'", 1, "life/never-released");
    expect("$A replay 'cpu struct e0 c0.1>2 x0 r2 x2'", 0, "pass  every step was legal\n");
    expect("$A replay 'cpu struct se0 sn0>1 sn0>2 sn0>3 x0 x1 x2 x3'", 1, "life/release-twice");
}
END_TEST

/* Ambiguity 13 holds in programs, too. */
START_TEST(a_program_has_lengths_of_views_where_both_can_read_them)
{
    expect("$A replay --as consumer --adapter $B/tests/mutants/ext_dev_odd_lengths_on_cpu.so "
           "'ext_dev:0 utf8_view e0 u0'",
           0, "every step was legal");
}
END_TEST

/* Each way to play a program lends the caller a current context, or this defect goes unseen. */
START_TEST(a_program_lends_its_current_context)
{
    expect("M=$B/tests/mutants/cuda_context_left.so; export ADI_CUDA=sim; "
           "$A replay --as producer --adapter $M 'cuda:0 int32 e0 x0'",
           0, "device/context-not-restored|saw another current context");
    expect("M=$B/tests/mutants/cuda_context_left.so; export ADI_CUDA=sim; "
           "$A run $M --device cuda:0 --case int32/many/program-export",
           0, "device/context-not-restored|saw another current context");
}
END_TEST

/* What the values that were handed over explain is told by them, in a program as in a case. */
START_TEST(a_text_that_lies_elsewhere_is_no_text_in_another_encoding)
{
    static const struct {
        const char *as, *adapter, *program, *told;
    } rows[] = {
        {"producer", "offsets_not_rebased", "utf8/offset-no-bitmap e0 r0 x0",
         "array/data-differs  MUST  producer|is not where its offsets say"},
        {"producer", "text_cut_short", "utf8 e0 x0",
         "array/data-differs  MUST  producer|where the data ends"},
        {"producer", "text_cut_short", "dictionary_int8_utf8 e0 x0",
         "array/data-differs  MUST  producer|where the data ends"},
        {"consumer", "text_copied_short", "utf8 e0 m01 u1",
         "array/misread  MUST  consumer|where the data ends"},
        {"producer", "latin1_as_utf8", "utf8 e0 x0", "array/not-utf8  MUST  producer|no UTF-8"},
    };
    char line[256];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(line, sizeof line, "$A replay --as %s --adapter $B/tests/mutants/%s.so 'cpu %s'",
                 rows[i].as, rows[i].adapter, rows[i].program);
        expect(line, 1, rows[i].told);
    }
}
END_TEST

/* Of the chunk that it was moved out of and the stream that the chunk came from it stood on the one
 * that was released when it fell. */
START_TEST(what_a_moved_child_stood_on_is_told_where_that_is_known)
{
    const char *as = "$A replay --as stream-producer --adapter $B/tests/mutants/";
    static const struct {
        const char *adapter, *program, *told;
    } rows[] = {
        {"stream_owns_chunks", "sn0>1 c1.0>2 x0 x1 r2 x2", "stream/chunk-depends-on-stream"},
        {"stream_owns_chunks", "sn0>1 c1.0>2 x1 x0 r2 x2", "stream/chunk-depends-on-stream"},
        {"stream_owns_chunks", "sn0>1 c1.0>2 x1 r2 x2 x0", NULL},
        {"stream_chunk_owns_children", "sn0>1 c1.0>2 x1 r2 x2 x0", "life/child-depends-on-parent"},
        {"stream_chunk_owns_children", "sn0>1 c1.0>2 x1 x0 x2", "life/child-depends-on-parent"},
        {"stream_chunk_owns_children", "sn0>1 c1.0>2 x0 x1 r2 x2", "life/child-depends-on-parent"},
        {"stream_chunk_owns_children", "sn0>1 x0 c1.0>2 x1 r2 x2", "life/child-depends-on-parent"},
    };
    char line[256], told[128];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(line, sizeof line, "%s%s.so 'cpu struct se0 %s'", as, rows[i].adapter,
                 rows[i].program);
        snprintf(told, sizeof told, "fail  %s  MUST  producer", rows[i].told);
        expect(line, rows[i].told != NULL, rows[i].told == NULL ? "pass" : told);
    }
}
END_TEST

/* With the seed the programs are the same, and with one worker the order in which they are played:
 * a rule is told by the first of them, which for the first adapter is one in which it produces from
 * what it has consumed. */
START_TEST(fuzz_finds_who_takes_streams_over_wrongly)
{
    static const struct {
        const char *adapter, *told;
    } rows[] = {
        {"stream_error_taken_for_end", "fuzz-array-stream|\"stream/error-overlooked\"|sf"},
        {"array_stream_never_released", "fuzz-consume-array-stream|\"life/never-released\"|se"},
        {"stream_chunk_kept", "-stream|\"life/never-released\"|se"},
        {"stream_relay_loses_error", "fuzz-relay-stream|\"stream/error-overlooked\"|sf"},
    };
    char line[256];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(line, sizeof line,
                 "$A fuzz $B/tests/mutants/%s.so --time 3 --jobs 1 --device cpu --seed 3 --json - "
                 "2>/dev/null",
                 rows[i].adapter);
        expect(line, 1, rows[i].told);
    }
    expect("$A fuzz $B/tests/mutants/odd_streams.so --time 1 --device cpu --seed 3 --json - "
           "2>/dev/null",
           0, "-stream\"| programs|\"exit\": 0");
}
END_TEST

START_TEST(fuzz_judges_as_run_does)
{
    expect("$A fuzz --time 1 --device cpu --seed 3 --json - 2>/dev/null", 0,
           "\"case\": \"fuzz-| programs|\"seed\": 3|\"exit\": 0");
    expect("$A fuzz --time", 254, "--time");
    expect("$A fuzz --time soon", 254, "--time 'soon'");
    expect("$A fuzz --case x", 254, "--case");
    expect("$A fuzz missing.so", 254, "missing.so");
    expect("$A fuzz --time 0.2 --device cpu --require hexagon", 2, "a required device is missing");
    expect("$A fuzz --help", 0, "--time|shared among adapters and devices|--jobs|Exit status");
}
END_TEST

Suite *harness_command_programs_suite(void) {
    Suite *suite = suite_create("harness_command_programs");
    TCase *tests = tcase_create("programs");
    tcase_add_checked_fixture(tests, shell_open, shell_close);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_program_is_replayed);
    tcase_add_test(tests, a_slot_is_used_once_something_is_in_it);
    tcase_add_test(tests, what_is_written_behind_the_first_illegal_step_is_not_looked_at);
    tcase_add_test(tests, a_slot_that_had_something_is_judged);
    tcase_add_test(tests, a_program_lends_its_current_context);
    tcase_add_test(tests, a_program_has_lengths_of_views_where_both_can_read_them);
    tcase_add_test(tests, a_text_that_lies_elsewhere_is_no_text_in_another_encoding);
    tcase_add_test(tests, what_a_moved_child_stood_on_is_told_where_that_is_known);
    tcase_add_test(tests, fuzz_finds_who_takes_streams_over_wrongly);
    tcase_add_test(tests, fuzz_judges_as_run_does);
    suite_add_tcase(suite, tests);
    return suite;
}
