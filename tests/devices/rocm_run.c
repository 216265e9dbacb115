/* SPDX-License-Identifier: Apache-2.0
 *
 * The built command and the HIP runtime: a vendor's library that is broken, hangs or crashes costs
 * the rocm devices, with a reason that a person can act on, and nothing else.
 */
#include <check.h>
#include <stdio.h>

#include "harness/shell.h"
#include "run_device.h"

Suite *devices_rocm_run_suite(void);

static const struct {
    const char *settings, *why;
} absent[] = {
    {"ADI_ROCM=off", "ADI_ROCM is off"},
    {"ADI_ROCM=nowhere.so",
     "ADI_ROCM=nowhere.so; it may be real, sim, off or the path of a library"},
    {"ADI_ROCM=$PWD/text", "|/text: |"},
    {"ADI_ROCM=$B/libadicheck.so", "|has no hipInit: it is older than ROCm 5.2"},
    {"ADI_ROCM=$B/tests/hostile/load_crashes.so", "looking for it: "},
};

START_TEST(a_runtime_that_is_not_to_be_had_costs_its_own_devices)
{ expect_absent("rocm", absent[_i].settings, absent[_i].why); }
END_TEST

START_TEST(a_runtime_that_never_finishes_loading_is_not_waited_for)
{ expect_hang_is_left("rocm", "ADI_ROCM=$B/tests/hostile/load_hangs.so"); }
END_TEST

START_TEST(each_major_is_judged_on)
{
    char line[512];
    snprintf(
        line, sizeof line,
        "ADI_ROCM=$B/sim/libamdhip64.so.%d $A run --device 'rocm*' --case 'int32/@(nulls|many)/*'",
        5 + _i);
    expect(line, 0, "conformant");
}
END_TEST

/* The verdict is the same under every policy. */
START_TEST(what_is_wrong_is_named_under_every_policy)
{
    expect_by_policy(_i, "rocm_consumer_waits_on_stream_0", "int32/nulls/consume-pending",
                     "sync/read-before-wait  MUST  consumer  rocm:0|rocm:1|not conformant");
}
END_TEST

Suite *devices_rocm_run_suite(void) {
    Suite *suite = suite_create("devices_rocm_run");
    TCase *tests = tcase_create("run");
    tcase_add_checked_fixture(tests, shell_open, shell_close);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, a_runtime_that_is_not_to_be_had_costs_its_own_devices, 0,
                        sizeof absent / sizeof absent[0]);
    tcase_add_test(tests, a_runtime_that_never_finishes_loading_is_not_waited_for);
    tcase_add_loop_test(tests, each_major_is_judged_on, 0, 3);
    tcase_add_loop_test(tests, what_is_wrong_is_named_under_every_policy, 0, POLICIES);
    suite_add_tcase(suite, tests);
    return suite;
}
