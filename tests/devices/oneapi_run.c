/* SPDX-License-Identifier: Apache-2.0
 *
 * The built command and the SYCL runtime: a vendor's library that is broken, hangs or crashes costs
 * the oneapi devices, with a reason that a person can act on, and nothing else.
 */
#include <check.h>

#include "harness/shell.h"
#include "run_device.h"

Suite *devices_oneapi_run_suite(void);

static const struct {
    const char *settings, *why;
} absent[] = {
    {"ADI_ONEAPI=off", "ADI_ONEAPI is off"},
    {"ADI_ONEAPI=nowhere.so",
     "ADI_ONEAPI=nowhere.so; it may be real, sim, off or the path of a library"},
    {"ADI_ONEAPI=$PWD/text", "|/text: |"},
    {"ADI_ONEAPI=$B/libadicheck.so",
     "|has no DPCTLDeviceMgr_GetDevices: it is older than dpctl 0.20"},
    {"ADI_ONEAPI=$B/tests/hostile/load_crashes.so", "looking for it: "},
};

START_TEST(a_runtime_that_is_not_to_be_had_costs_its_own_devices)
{ expect_absent("oneapi", absent[_i].settings, absent[_i].why); }
END_TEST

START_TEST(a_runtime_that_never_finishes_loading_is_not_waited_for)
{ expect_hang_is_left("oneapi", "ADI_ONEAPI=$B/tests/hostile/load_hangs.so"); }
END_TEST

/* A device that is lost while a case is played is nobody's doing, and the others are judged. */
START_TEST(a_runtime_that_loses_its_device_is_no_verdict)
{
    expect("ADI_SIM_LOSE=5 $A run --device 'oneapi:0' --case 'int32/nulls/export'; "
           "[ $? != 1 ]; ADI_SIM_FAIL=DPCTLQueue_CreateForDevice:1 "
           "$A run --device '@(cpu|oneapi)*' --case int32/nulls/export; [ $? != 1 ]",
           0, "");
}
END_TEST

/* Programs: an event that cannot be looked at is waited for all the same. */
START_TEST(programs_wait_for_what_is_an_event_itself)
{
    expect("$A run --device oneapi:0 --case 'int32/many/program-@(consume|relay|export)'", 0,
           "|conformant");
}
END_TEST

/* The verdict is the same under every policy. */
START_TEST(what_is_wrong_is_named_under_every_policy)
{
    expect_by_policy(_i, "oneapi_consumer_depends_late", "int32/nulls/consume-pending",
                     "sync/read-before-wait  MUST  consumer  oneapi:0|oneapi:1|not conformant");
}
END_TEST

Suite *devices_oneapi_run_suite(void) {
    Suite *suite = suite_create("devices_oneapi_run");
    TCase *tests = tcase_create("run");
    tcase_add_checked_fixture(tests, shell_open, shell_close);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, a_runtime_that_is_not_to_be_had_costs_its_own_devices, 0,
                        sizeof absent / sizeof absent[0]);
    tcase_add_test(tests, a_runtime_that_never_finishes_loading_is_not_waited_for);
    tcase_add_test(tests, a_runtime_that_loses_its_device_is_no_verdict);
    tcase_add_test(tests, programs_wait_for_what_is_an_event_itself);
    tcase_add_loop_test(tests, what_is_wrong_is_named_under_every_policy, 0, POLICIES);
    suite_add_tcase(suite, tests);
    return suite;
}
