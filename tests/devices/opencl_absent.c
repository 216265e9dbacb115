/* SPDX-License-Identifier: Apache-2.0
 *
 * What is wrong with a machine's OpenCL costs the devices of that type, with a reason that a person
 * can act on, and nothing else.
 */
#include <check.h>
#include <stdio.h>

#include "harness/shell.h"

Suite *devices_opencl_absent_suite(void);

#define ICD(name)                                                                                  \
    "mkdir v; echo $B/tests/icd/" name ".so > v/a.icd; export OCL_ICD_VENDORS=$PWD/v; "
#define ONE "$A run --case int32/nulls/export"

START_TEST(no_loader)
{
    expect("echo x > libOpenCL.so.1; export LD_LIBRARY_PATH=$PWD; $A devices && " ONE, 0,
           "cpu:-1            found  native|"
           "opencl            none   there is no OpenCL loader|install ocl-icd-libopencl1|"
           "conformant");
}
END_TEST

START_TEST(no_platform)
{
    expect("mkdir v; export OCL_ICD_VENDORS=$PWD/v; $A devices && " ONE, 0,
           "cpu:-1            found|"
           "opencl            none   the OpenCL loader found no platform; install one|conformant");
}
END_TEST

START_TEST(a_platform_without_devices)
{
    if (run("$A devices | grep 'opencl.*Portable'") != 0) {
        puts("skip: a_platform_without_devices: POCL is not installed (make deps)");
        return;
    }
    expect("export POCL_DEVICES=; $A devices && " ONE, 0,
           "cpu:-1            found|opencl            none   1 OpenCL platform found|"
           "without a device; POCL_DEVICES is ''|conformant");
}
END_TEST

START_TEST(a_platform_that_crashes_when_it_is_loaded)
{
    expect(ICD("crash") "$A devices && " ONE, 0,
           "cpu:-1            found|opencl            none   looking for it: |SIGABRT|"
           "/etc/OpenCL/vendors names the platforms; OCL_ICD_VENDORS chooses|"
           "conformant");
    expect(ICD("crash") ONE " --require opencl", 2, "opencl");
}
END_TEST

START_TEST(a_platform_that_never_finishes_loading)
{
    expect(ICD("hang") ONE " --timeout 1", 0,
           "looking for it: |did not |OCL_ICD_VENDORS chooses|conformant");
}
END_TEST

Suite *devices_opencl_absent_suite(void) {
    Suite *suite = suite_create("devices_opencl_absent");
    TCase *tests = tcase_create("absent");
    tcase_add_checked_fixture(tests, shell_open, shell_close);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, no_loader);
    tcase_add_test(tests, no_platform);
    tcase_add_test(tests, a_platform_without_devices);
    tcase_add_test(tests, a_platform_that_crashes_when_it_is_loaded);
    tcase_add_test(tests, a_platform_that_never_finishes_loading);
    suite_add_tcase(suite, tests);
    return suite;
}
