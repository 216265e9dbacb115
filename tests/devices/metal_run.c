/* SPDX-License-Identifier: Apache-2.0
 *
 * The built command and Metal: what is wrong with a framework costs the metal devices, with a
 * reason that a person can act on, and nothing else.
 */
#include <check.h>

#include "harness/shell.h"
#include "metal_there.h"
#include "run_device.h"

Suite *devices_metal_run_suite(void);

#define MISSING "metal             none   "
#define BROKEN  "ADI_METAL=$B/tests/hostile/metal_framework.so "

/* The last ones want a runtime of Objective-C. */
static const struct {
    const char *settings, *why;
} absent[] = {
    {"ADI_METAL=off", "ADI_METAL is off"},
    {"ADI_METAL=real", "/System/Library/Frameworks/Metal.framework/Metal: cannot open"},
    {"ADI_METAL=nowhere.so",
     "ADI_METAL=nowhere.so; it may be real, sim, off or the path of a library"},
    {"ADI_METAL=$PWD/text", "|/text: |"},
    {"ADI_METAL=$B/libadicheck.so", "|has no MTLCopyAllDevices"},
    {"ADI_METAL=$B/tests/hostile/load_crashes.so", "looking for it: "},
    {"ADI_METAL=sim ADI_METAL_OBJC=nowhere.so",
     "ADI_METAL_OBJC=nowhere.so: nowhere.so: cannot open shared object file"},
    {"ADI_METAL=sim ADI_METAL_OBJC=$PWD/text", "ADI_METAL_OBJC=|/text: |"},
    {"ADI_METAL=sim ADI_METAL_OBJC=$B/libadicheck.so",
     "|has no sel_registerName: it is no runtime of Objective-C"},
    {"ADI_METAL=$B/tests/icd/metal_no_pools.so",
     "neither |/metal_no_pools.so nor libobjc.so.4 has objc_autoreleasePoolPush"},
    {BROKEN "DOES=nothing", "|metal_framework.so has no device"},
    {BROKEN "DOES=crash", "looking for it: "},
    {BROKEN "DOES=garbage", "looking for it: "},
};

START_TEST(a_framework_that_is_not_to_be_had_costs_its_own_devices)
{ expect_absent("metal", absent[_i].settings, absent[_i].why); }
END_TEST

static const char *const hangs[] = {"ADI_METAL=$B/tests/hostile/load_hangs.so", BROKEN "DOES=hang"};

START_TEST(a_framework_that_hangs_is_not_waited_for)
{ expect_hang_is_left("metal", hangs[_i]); }
END_TEST

/* It is looked for from where the program lies. */
START_TEST(without_its_library_there_is_a_reason)
{
    expect("mkdir bin; cp $A bin && bin/adicheck devices", 0,
           MISSING "there is no sim/libMetal.so beside the program");
}
END_TEST

Suite *devices_metal_run_suite(void) {
    int without = metal_is_there("devices_metal_run, in part") ? 0 : 3;
    Suite *suite = suite_create("devices_metal_run");
    TCase *tests = tcase_create("run");
    tcase_add_checked_fixture(tests, shell_open, shell_close);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, a_framework_that_is_not_to_be_had_costs_its_own_devices, 0,
                        (int)(sizeof absent / sizeof absent[0]) - without);
    tcase_add_loop_test(tests, a_framework_that_hangs_is_not_waited_for, 0,
                        (int)(sizeof hangs / sizeof hangs[0]) - without / 3);
    tcase_add_test(tests, without_its_library_there_is_a_reason);
    suite_add_tcase(suite, tests);
    return suite;
}
