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

/* POCL ends whatever process builds a kernel then. */
#define NO_LINKER                                                                                  \
    "for tool in env sh cat; do ln -sf \"$(command -v $tool)\" .; done; mkdir -p cache; "          \
    "export PATH=$PWD POCL_CACHE_DIR=$PWD/cache; $A "

START_TEST(a_platform_that_cannot_link_is_not_the_fault_of_the_implementation)
{
    if (run("$A devices | grep 'opencl.*Portable'") != 0) {
        puts("skip: a_platform_that_cannot_link: POCL is not installed (make deps)");
        return;
    }
    expect(NO_LINKER "devices", 0,
           "opencl:0          found  Portable Computing Language; not judged: no kernel can be "
           "built: POCL needs ld on the PATH; install binutils");
    expect(NO_LINKER "run --device opencl:0 --case int32/nulls/export --json j --html h; cat j h",
           0,
           "\"verdict\": \"skip\"|not judged: what the device itself has: no kernel can be built: "
           "POCL needs ld on the PATH; install binutils|"
           "  not judged: no kernel can be built: POCL needs ld on the PATH; install binutils|"
           ">not judged: no kernel can be built: POCL needs ld on the PATH; install binutils</td>|"
           " pass, 1 skip in|conformant");
    expect(NO_LINKER "run $B/tests/mutants/opencl_kernel_never_ends.so --device opencl:0 "
                     "--case int32/nulls/export",
           2,
           "error  life/crash|killed by SIGABRT, and the runtime may have done it: no kernel can "
           "be built: POCL needs ld on the PATH");
}
END_TEST

#define REFUSED "export OPENCL_LAYERS=$B/tests/icd/opencl_refuses.so; "

START_TEST(a_kernel_that_cannot_be_built)
{
    if (run("$A devices | grep '^opencl:0'") != 0) {
        puts("skip: a_kernel_that_cannot_be_built: there is no opencl:0");
        return;
    }
    expect(REFUSED ONE " --device 'opencl:*' --json report && cat report", 0,
           "  not judged: no kernel can be built: clBuildProgram: CL_BUILD_PROGRAM_FAILURE|"
           " 2 skip in|conformant|"
           "not judged: what the device itself has: no kernel can be built: clBuildProgram");
    expect(REFUSED "export ADI_TEST_CRASHES=1; " ONE, 0,
           "cpu:-1|opencl        not judged: looking for it: |SIGABRT|conformant");
}
END_TEST

/* The event is waited for until the limit, in a worker; on the next device all begins anew. */
START_TEST(a_kernel_that_never_ends_costs_its_own_cases)
{
    if (run("$A devices | grep '^opencl:1'") != 0) {
        puts("skip: a_kernel_that_never_ends_costs_its_own_cases: there is no opencl:1");
        return;
    }
    expect(
        "ADI_WAIT_MS=200 $A run $B/tests/mutants/opencl_kernel_never_ends.so --device 'opencl:*' "
        "--case int32/nulls/export --json report",
        1,
        "fail  sync/event-never-completes  MUST  producer  opencl:0  int32/nulls/export|"
        "the event was not complete after 200 ms|and 1 more case: opencl:1 int32/nulls/export|"
        "2 fail|not conformant");
    expect("grep -c schema/ report", 0, "");
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
    tcase_add_test(tests, a_platform_that_cannot_link_is_not_the_fault_of_the_implementation);
    tcase_add_test(tests, a_kernel_that_cannot_be_built);
    tcase_add_test(tests, a_kernel_that_never_ends_costs_its_own_cases);
    suite_add_tcase(suite, tests);
    return suite;
}
