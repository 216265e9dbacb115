/* SPDX-License-Identifier: Apache-2.0
 *
 * The built command and wgpu-native: a vendor's library that is broken, hangs, crashes or is of a
 * version that is not known costs the webgpu devices, with a reason that a person can act on, and
 * nothing else; and nobody is blamed for a device that is lost.
 */
#include <check.h>
#include <stdio.h>

#include "harness/shell.h"
#include "run_device.h"

Suite *devices_webgpu_run_suite(void);

#define NONE "webgpu            none   "

static const struct {
    const char *settings, *why;
} absent[] = {
    {"ADI_WEBGPU=off", "ADI_WEBGPU is off"},
    {"ADI_WEBGPU=nowhere.so",
     "ADI_WEBGPU=nowhere.so; it may be real, sim, off or the path of a library"},
    {"ADI_WEBGPU=$PWD/text", "|/text: |"},
    {"ADI_WEBGPU=$B/libadicheck.so", "|does not say its version (wgpuGetVersion)"},
    {"ADI_WEBGPU=$B/tests/hostile/webgpu_of_tomorrow.so",
     "|is wgpu-native 31.2.3.4, whose header is not known; 22, 24, 25, 27, 29 are"},
    {"ADI_WEBGPU=$B/tests/hostile/load_crashes.so", "looking for it: "},
};

START_TEST(a_library_that_is_not_to_be_had_costs_its_own_devices)
{ expect_absent("webgpu", absent[_i].settings, absent[_i].why); }
END_TEST

START_TEST(a_library_that_never_finishes_loading_is_not_waited_for)
{ expect_hang_is_left("webgpu", "ADI_WEBGPU=$B/tests/hostile/load_hangs.so"); }
END_TEST

/* Which is found by its name. */
START_TEST(a_vendors_library_that_is_of_no_use_is_passed_over)
{
    expect("mkdir vendor; cp $B/tests/hostile/webgpu_of_tomorrow.so vendor/libwgpu_native.so; "
           "export LD_LIBRARY_PATH=$PWD/vendor; $A devices && ADI_WEBGPU=real $A devices",
           0, "webgpu:0          found  simulated|" NONE "|is wgpu-native 31.2.3.4");
}
END_TEST

static const char *const layouts[] = {"", "webgpu/22/", "webgpu/24/"};

START_TEST(each_layout_is_judged_on)
{
    char line[512];
    snprintf(line, sizeof line,
             "ADI_WEBGPU=$B/sim/%slibwgpu_native.so $A run --device 'webgpu*' --case "
             "'int32/@(nulls|many)/*'",
             layouts[_i]);
    expect(line, 0, "conformant");
}
END_TEST

/* The verdict is the same under every policy. */
START_TEST(what_is_wrong_is_named_under_every_policy)
{
    expect_by_policy(_i, "webgpu_writes_unwaited", "int32/nulls/export",
                     "sync/data-not-ready  MUST  producer  webgpu:0|webgpu:1|not conformant");
}
END_TEST

#define OWN                                                                                        \
    "$A run $B/tests/mutants/webgpu_buffers_of_own_device.so --case int32/nulls/export --device "  \
    "webgpu:0"

/* Whose buffers are on a WGPUDevice of his own without having asked for ours did nothing wrong that
 * could be seen. */
START_TEST(a_device_of_ones_own_is_a_fault_of_who_asked_for_ours)
{
    expect(OWN, 1, "device/buffer-not-accessible  MUST  producer  webgpu:0");
    expect("ADI_TEST_NEVER_ASKS=1 " OWN " >said; grep -E '^(fail|crash|warn|note|error) ' said", 1,
           "");
    expect("grep -A3 '^skip' said", 0,
           "the array is on a WGPUDevice of the implementation's own, and a WGPUBuffer belongs to "
           "one");
}
END_TEST

/* Wherever it happens. */
START_TEST(a_device_that_is_lost_is_nobodys_fault)
{
    static const int commands[] = {3, 20, 90};
    char line[512];
    snprintf(line, sizeof line, "ADI_SIM_LOSE=%d $A run --device webgpu:0 --case '%s'",
             commands[_i], "int32/many/@(export|consume|relay|stream|relay-stream|async)");
    expect_no_blame(line, "webgpu:0 is lost: the device was lost");
}
END_TEST

Suite *devices_webgpu_run_suite(void) {
    Suite *suite = suite_create("devices_webgpu_run");
    TCase *tests = tcase_create("run");
    tcase_add_checked_fixture(tests, shell_open, shell_close);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, a_library_that_is_not_to_be_had_costs_its_own_devices, 0,
                        sizeof absent / sizeof absent[0]);
    tcase_add_test(tests, a_library_that_never_finishes_loading_is_not_waited_for);
    tcase_add_test(tests, a_vendors_library_that_is_of_no_use_is_passed_over);
    tcase_add_loop_test(tests, each_layout_is_judged_on, 0, sizeof layouts / sizeof *layouts);
    tcase_add_loop_test(tests, what_is_wrong_is_named_under_every_policy, 0, POLICIES);
    tcase_add_test(tests, a_device_of_ones_own_is_a_fault_of_who_asked_for_ours);
    tcase_add_loop_test(tests, a_device_that_is_lost_is_nobodys_fault, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}
