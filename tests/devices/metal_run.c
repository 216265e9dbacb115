/* SPDX-License-Identifier: Apache-2.0
 *
 * The built command and Metal: what is wrong with a framework costs the metal devices, with a
 * reason that a person can act on, and nothing else.
 */
#include <check.h>
#include <stdio.h>

#include "harness/shell.h"
#include "metal_there.h"

Suite *devices_metal_run_suite(void);

#define ONE     "$A run --case int32/nulls/export --device '@(cpu|metal)*'"
#define MISSING "metal             none   "
#define CPU     "|cpu:-1            found|conformant"
#define BROKEN  "ADI_METAL=$B/tests/hostile/metal_framework.so "

/* The last ones want a runtime of Objective-C. */
static const struct {
    const char *environment, *words;
} absent[] = {
    {"ADI_METAL=off", MISSING "ADI_METAL is off" CPU},
    {"ADI_METAL=real", MISSING "/System/Library/Frameworks/Metal.framework/Metal: cannot open" CPU},
    {"ADI_METAL=nowhere.so",
     MISSING "ADI_METAL=nowhere.so; it may be real, sim, off or the path of a library" CPU},
    {"ADI_METAL=$PWD/text", MISSING "|/text: |" CPU},
    {"ADI_METAL=$B/libadicheck.so", MISSING "|has no MTLCopyAllDevices" CPU},
    {"ADI_METAL=$B/tests/hostile/load_crashes.so", MISSING "looking for it: " CPU},
    {"ADI_METAL=sim ADI_METAL_OBJC=nowhere.so",
     MISSING "ADI_METAL_OBJC=nowhere.so: nowhere.so: cannot open shared object file" CPU},
    {"ADI_METAL=sim ADI_METAL_OBJC=$PWD/text", MISSING "ADI_METAL_OBJC=|/text: |" CPU},
    {"ADI_METAL=sim ADI_METAL_OBJC=$B/libadicheck.so",
     MISSING "|has no sel_registerName: it is no runtime of Objective-C" CPU},
    {"ADI_METAL=$B/tests/icd/metal_no_pools.so",
     MISSING "neither |/metal_no_pools.so nor libobjc.so.4 has objc_autoreleasePoolPush" CPU},
    {BROKEN "DOES=nothing", MISSING "|metal_framework.so has no device" CPU},
    {BROKEN "DOES=crash", MISSING "looking for it: " CPU},
    {BROKEN "DOES=garbage", MISSING "looking for it: " CPU},
};

START_TEST(a_framework_that_is_not_to_be_had_costs_its_own_devices)
{
    char line[512];
    snprintf(line, sizeof line, "echo text > text; export %s; $A devices && " ONE,
             absent[_i].environment);
    expect(line, 0, absent[_i].words);
    snprintf(line, sizeof line, "echo text > text; export %s; " ONE " --require metal",
             absent[_i].environment);
    expect(line, 2, "undecided: a required device is missing");
}
END_TEST

static const char *const hangs[] = {"ADI_METAL=$B/tests/hostile/load_hangs.so", BROKEN "DOES=hang"};

START_TEST(a_framework_that_hangs_is_not_waited_for)
{
    char line[512];
    snprintf(line, sizeof line, "export %s; " ONE " --timeout 1", hangs[_i]);
    expect(line, 0, "looking for it: |did not |conformant");
}
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
