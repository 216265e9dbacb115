/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that are linked with libamdhip64.so.5, .6 and .7, as they are with AMD's.
 */
#include <check.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/shell.h"

Suite *sim_hip_programs_suite(void);

static const int majors[] = {5, 6, 7};
#define MAJORS 3

START_TEST(each_major_answers_as_it_does)
{
    char line[256];
    snprintf(line, sizeof line, "$B/tests/sim/hip/answers.%d", majors[_i]);
    expect(line, majors[_i], "");
}
END_TEST

START_TEST(nothing_at_all_is_refused)
{
    char line[256];
    snprintf(line, sizeof line, "ADI_SIM_LOG=log $B/tests/sim/hip/nothing.%d", majors[_i]);
    expect(line, 0, "");
}
END_TEST

static const struct {
    const char *way, *violation;
} ways[] = {
    {"right", ""},
    {"free-waits", ""},
    {"no-wait", "race"},
    {"stream-0", "race"},
    {"host-read", "touched-before-wait"},
    {"kept-event", "leak"},
    {"freed-early", "freed-in-use"},
};
#define WAYS (int)(sizeof ways / sizeof *ways)

static void play(int major, const char *way, const char *violation, const char *policy) {
    char line[512];
    snprintf(line, sizeof line,
             "rm -f log; ADI_SIM_LEAKS=1 ADI_SIM_LOG=log ADI_SIM_POLICY=%s "
             "$B/tests/sim/hip/exchange.%d %s && "
             "grep -o '\"violation\":\"[a-z-]*\"' log | sort -u; true",
             policy, major, way);
    expect(line, 0, violation);
    if (*violation == '\0') expect("! grep violation log", 0, "");
}

START_TEST(what_is_wrong_is_named)
{
    play(majors[_i % MAJORS], ways[_i / MAJORS].way, ways[_i / MAJORS].violation, "lazy");
    play(majors[_i % MAJORS], ways[_i / MAJORS].way, ways[_i / MAJORS].violation, "eager");
}
END_TEST

/* Without the nodes the loader ends such a program before it begins. */
START_TEST(a_major_has_its_version_nodes_and_no_newer_ones)
{
    static const struct {
        const char *symbol, *node;
        int since;
    } symbols[] = {{"hipMalloc", "hip_4.2", 5},
                   {"hipMallocAsync", "hip_5.1", 5},
                   {"hipMemcpy_spt", "hip_5.2", 5},
                   {"hipLaunchHostFunc", "hip_5.3", 5},
                   {"hipGetDevicePropertiesR0600", "hip_6.0", 6},
                   {"hipGetProcAddress", "hip_6.1", 6},
                   {"hipLinkCreate", "hip_6.4", 6},
                   {"hipStreamGetId", "hip_7.1", 7},
                   {"__hipRegisterFatBinary", "hip_4.2", 5}};
    const char *build = getenv("ADI_TEST_BUILD");
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/sim/libamdhip64.so.%d", build == NULL ? "build" : build,
             majors[_i]);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(library != NULL, "%s", dlerror());
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        bool there = dlvsym(library, symbols[i].symbol, symbols[i].node) != NULL;
        ck_assert_msg(there == (majors[_i] >= symbols[i].since), "%s", symbols[i].symbol);
    }
    ck_assert_ptr_null(dlsym(library, "hip_memcpy"));
}
END_TEST

START_TEST(what_is_not_served_says_so)
{
    expect("ADI_SIM_LOG=log $B/tests/sim/hip/unserved.7 && cat log", 0,
           "\"remark\":\"hipModuleLoad\",\"text\":\"not simulated: hipErrorNotSupported\"");
}
END_TEST

START_TEST(devices_that_are_not_visible_are_not_there)
{
    expect("HIP_VISIBLE_DEVICES=1 $A devices", 0, "rocm:0            found  simulated");
    expect("HIP_VISIBLE_DEVICES=1 $A devices | grep -c rocm:", 0, "1");
    expect("HIP_VISIBLE_DEVICES= $A devices", 0,
           "rocm              none   hipInit: hipErrorNoDevice");
}
END_TEST

Suite *sim_hip_programs_suite(void) {
    Suite *suite = suite_create("sim_hip_programs");
    TCase *tests = tcase_create("programs");
    tcase_add_checked_fixture(tests, shell_open, shell_close);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, each_major_answers_as_it_does, 0, MAJORS);
    tcase_add_loop_test(tests, nothing_at_all_is_refused, 0, MAJORS);
    tcase_add_loop_test(tests, what_is_wrong_is_named, 0, WAYS * MAJORS);
    tcase_add_loop_test(tests, a_major_has_its_version_nodes_and_no_newer_ones, 0, MAJORS);
    tcase_add_test(tests, what_is_not_served_says_so);
    tcase_add_test(tests, devices_that_are_not_visible_are_not_there);
    suite_add_tcase(suite, tests);
    return suite;
}
