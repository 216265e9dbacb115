/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that are linked with libwgpu_native.so, compiled for each layout of its header.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "harness/shell.h"

Suite *sim_webgpu_programs_suite(void);

static const int layouts[] = {22, 24, 29};
#define LAYOUTS 3

START_TEST(each_layout_answers_as_it_does)
{
    char line[256];
    snprintf(line, sizeof line, "ADI_SIM_LOG=log $B/tests/sim/webgpu/answers.%d", layouts[_i]);
    expect(line, layouts[_i], "");
    expect("cat log", 0,
           "\"remark\":\"wgpuDeviceCreateShaderModule\",\"text\":\"the simulated WebGPU does not");
}
END_TEST

static const struct {
    const char *way, *violation;
} ways[] = {
    {"right", ""},
    {"early-release", ""},
    {"handle-plus", "not-allocated"},
    {"host-pointer", "not-allocated"},
    {"queue-as-buffer", "not-allocated"},
    {"followed", "device-memory-touched"},
    {"past-end", "out-of-bounds"},
    {"other-adapter", "foreign-device"},
    {"destroyed", "use-after-free"},
    {"unmapped", "freed-memory-touched"},
    {"used-late", "use-after-free"},
    {"released-twice", "double-free"},
    {"kept", "leak"},
    {"kept-device", "leak"},
    {"kept-queue", "leak"},
    {"kept-encoder", "leak"},
    {"device-twice", "double-destroy"},
    {"queue-late", "double-destroy"},
};
#define WAYS (int)(sizeof ways / sizeof *ways)

static void play(int layout, const char *way, const char *violation, const char *policy) {
    char line[512];
    snprintf(line, sizeof line,
             "rm -f log; ADI_SIM_LEAKS=1 ADI_SIM_LOG=log ADI_SIM_POLICY=%s "
             "$B/tests/sim/webgpu/exchange.%d %s && "
             "grep -o '\"violation\":\"[a-z-]*\"' log | sort -u; true",
             policy, layout, way);
    expect(line, 0, violation);
    if (*violation == '\0') expect("! grep violation log", 0, "");
}

START_TEST(what_is_wrong_is_named)
{
    play(layouts[_i % LAYOUTS], ways[_i / LAYOUTS].way, ways[_i / LAYOUTS].violation, "lazy");
    play(layouts[_i % LAYOUTS], ways[_i / LAYOUTS].way, ways[_i / LAYOUTS].violation, "eager");
}
END_TEST

/* What the program has released is none, though what it has not keeps it alive. */
START_TEST(one_that_is_left_is_one_leak)
{
    static const char *const left[] = {"kept", "kept-encoder", "kept-queue", "kept-device"};
    static const char *const made[] = {"wgpuDeviceCreateBuffer", "wgpuDeviceCreateCommandEncoder",
                                       "wgpuDeviceGetQueue", "wgpuAdapterRequestDevice"};
    char line[256];
    snprintf(line, sizeof line,
             "ADI_SIM_LEAKS=1 ADI_SIM_LOG=log $B/tests/sim/webgpu/exchange.%d %s",
             layouts[_i % LAYOUTS], left[_i / LAYOUTS]);
    expect(line, 0, "");
    expect("grep -c '\"violation\":\"leak\"' log; grep never log", 0, "1\n");
    ck_assert_msg(strncmp(said, "1\n", 2) == 0 && strstr(said, made[_i / LAYOUTS]) != NULL, "%s",
                  said);
}
END_TEST

Suite *sim_webgpu_programs_suite(void) {
    Suite *suite = suite_create("sim_webgpu_programs");
    TCase *tests = tcase_create("programs");
    tcase_add_checked_fixture(tests, shell_open, shell_close);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, each_layout_answers_as_it_does, 0, LAYOUTS);
    tcase_add_loop_test(tests, what_is_wrong_is_named, 0, WAYS * LAYOUTS);
    tcase_add_loop_test(tests, one_that_is_left_is_one_leak, 0, 4 * LAYOUTS);
    suite_add_tcase(suite, tests);
    return suite;
}
