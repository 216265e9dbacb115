/* SPDX-License-Identifier: Apache-2.0
 *
 * Drives the built command as a user of programs would: replay, and fuzz.
 */
#include <check.h>

#include "harness/shell.h"

Suite *harness_command_programs_suite(void);

START_TEST(a_program_is_replayed)
{
    expect("$A replay 'cpu struct e0 m01 r1 x1'", 0, "step 2   m01     move  |pass");
    expect("$A replay cpu struct/nulls e0 x0 x0", 1, "fail  life/release-twice  MUST  consumer");
    expect("$A replay 'cpu int32 x0'", 254, "step 1, x0: nothing was put into slot 0 before");
    expect("$A replay 'cpu int32 e0 x0 x0'", 1, "life/release-twice");
    expect("$A replay 'cpu struct p0 r0'", 1, "sync/read-before-wait|was touched before its event");
    expect("$A replay 'cpu int32 c0.1>2 e0 x0'", 0, "there is no such child");
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
    expect("$A replay --emit-c 'cpu struct e0 m'", 254, "character 5 is its end");
    expect("$A replay --emit-c 'cpu struct e0 c0.1>2 r2'", 0,
           "cpu struct e0 c0.1>2 r2': life/parent-kept-after-child-move|int main(void)");
    expect("$A replay 'cpu struct e0 m0'", 254, "character 6 is its end, wanted a slot");
    expect("$A replay 'metal struct e0 x0'", 254, "this build has no device metal");
    expect("$A replay 'cpu null/nulls e0 x0'", 254, "there is no sample null/nulls");
    expect("$A replay cpu struct $(yes r0 | head -n 5000)", 254, "more than 2047 characters");
    expect("$A replay 'cpu struct e0 t+ x0'", 0, "pass");
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

START_TEST(fuzz_judges_as_run_does)
{
    expect("$A fuzz --time 1 --device cpu --seed 3 --json - 2>/dev/null", 0,
           "\"case\": \"fuzz-consume\"| programs|\"seed\": 3|\"exit\": 0");
    expect("$A fuzz --time", 254, "--time");
    expect("$A fuzz --time soon", 254, "--time 'soon'");
    expect("$A fuzz --case x", 254, "--case");
    expect("$A fuzz missing.so", 254, "missing.so");
    expect("$A fuzz --time 0.2 --device cpu --require hexagon", 2, "a required device is missing");
    expect("$A fuzz --help", 0, "--time|shared among the devices|--jobs|Exit status");
}
END_TEST

Suite *harness_command_programs_suite(void) {
    Suite *suite = suite_create("harness_command_programs");
    TCase *tests = tcase_create("programs");
    tcase_add_checked_fixture(tests, shell_open, shell_close);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_program_is_replayed);
    tcase_add_test(tests, a_program_lends_its_current_context);
    tcase_add_test(tests, fuzz_judges_as_run_does);
    suite_add_tcase(suite, tests);
    return suite;
}
