/* SPDX-License-Identifier: Apache-2.0
 *
 * The built command and the SYCL runtime: a vendor's library that is broken, hangs or crashes costs
 * the oneapi devices, with a reason that a person can act on, and nothing else.
 */
#include <check.h>
#include <stdio.h>

#include "harness/shell.h"

Suite *devices_oneapi_run_suite(void);

#define ONE  "$A run --case int32/nulls/export --device '@(cpu|oneapi)*'"
#define NONE "oneapi            none   "
#define CPU  "|cpu:-1            found|conformant"

static const struct {
    const char *setting, *words;
} absent[] = {
    {"off", NONE "ADI_ONEAPI is off" CPU},
    {"nowhere.so",
     NONE "ADI_ONEAPI=nowhere.so; it may be real, sim, off or the path of a library" CPU},
    {"$PWD/text", NONE "|/text: |" CPU},
    {"$B/libadicheck.so",
     NONE "|has no DPCTLDeviceMgr_GetDevices: it is older than dpctl 0.20" CPU},
    {"$B/tests/hostile/load_crashes.so", NONE "looking for it: " CPU},
};

START_TEST(a_runtime_that_is_not_to_be_had_costs_its_own_devices)
{
    char line[512];
    snprintf(line, sizeof line, "echo text > text; export ADI_ONEAPI=%s; $A devices && " ONE,
             absent[_i].setting);
    expect(line, 0, absent[_i].words);
    snprintf(line, sizeof line, "echo text > text; export ADI_ONEAPI=%s; " ONE " --require oneapi",
             absent[_i].setting);
    expect(line, 2, "undecided: a required device is missing");
}
END_TEST

START_TEST(a_runtime_that_never_finishes_loading_is_not_waited_for)
{
    expect("export ADI_ONEAPI=$B/tests/hostile/load_hangs.so; " ONE " --timeout 1", 0,
           "looking for it: |did not |conformant");
}
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
    static const char *const policies[] = {"lazy", "eager", "random"};
    char line[512];
    snprintf(line, sizeof line,
             "ADI_SIM_POLICY=%s $A run $B/tests/mutants/oneapi_consumer_depends_late.so --case "
             "int32/nulls/consume-pending",
             policies[_i]);
    expect(line, 1, "sync/read-before-wait  MUST  consumer  oneapi:0|oneapi:1|not conformant");
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
    tcase_add_loop_test(tests, what_is_wrong_is_named_under_every_policy, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}
