/* SPDX-License-Identifier: Apache-2.0
 *
 * The built command and its environment: a setting that it does not understand ends it before the
 * work begins, and names itself; one runtime is looked for once.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "harness/shell.h"

Suite *harness_environment_suite(void);

static const char *const commands[] = {
    "run --device cpu --case int32/nulls/export",
    "fuzz --device cpu --time 1",
    "replay 'cpu int32 e0 x0'",
    "devices",
};

static const struct {
    const char *setting, *said;
} wrong[] = {
    {"ADI_WAIT_MS=abc", "ADI_WAIT_MS is 'abc': a number of milliseconds is wanted, 1 to 3600000"},
    {"ADI_WAIT_MS=-5", "ADI_WAIT_MS is '-5': "},
    {"ADI_WAIT_MS=0", "ADI_WAIT_MS is '0': "},
    {"ADI_WAIT_MS=2s", "ADI_WAIT_MS is '2s': "},
    {"ADI_SIM_POLICY=lasy", "ADI_SIM_POLICY is 'lasy': it may be lazy, eager or random"},
    {"ADI_SIM_KERNELS=Opaque", "ADI_SIM_KERNELS is 'Opaque': it may be refused or opaque"},
    {"ADI_SIM_SEED=abc", "ADI_SIM_SEED is 'abc': a number is wanted"},
    {"ADI_SIM_LOG=none/log", "ADI_SIM_LOG: none/log cannot be written: No such file"},
};

START_TEST(what_is_not_understood_ends_the_command)
{
    char line[512], said_by[256];
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        snprintf(line, sizeof line, "%s $A %s", wrong[_i].setting, commands[i]);
        snprintf(said_by, sizeof said_by, "adicheck %.*s: %s", (int)strcspn(commands[i], " "),
                 commands[i], wrong[_i].said);
        expect(line, 254, said_by);
        ck_assert_msg(strchr(said, '\n') == said + strlen(said) - 1, "more than a line:\n%s", said);
    }
}
END_TEST

START_TEST(an_empty_setting_is_none)
{
    expect("export ADI_WAIT_MS= ADI_SIM_POLICY= ADI_SIM_SEED= ADI_SIM_KERNELS= ADI_METAL_OBJC=; "
           "$A run --device '@(cuda|metal):0' --case int32/many/export",
           0, "cuda:0|conformant");
}
END_TEST

START_TEST(a_word_that_names_no_runtime_is_told_what_there_is)
{
    static const char *const rows[][2] = {
        {"CUDA=Sim", "cuda_managed      none   ADI_CUDA=Sim; it may be real, sim, off or"},
        {"ROCM=REAL", "rocm_host         none   ADI_ROCM=REAL; it may be real, sim, off or"},
        {"ONEAPI=x", "oneapi            none   ADI_ONEAPI=x; it may be real, sim, off or"},
        {"WEBGPU=Off", "webgpu            none   ADI_WEBGPU=Off; it may be real, sim, off or"},
        {"METAL=SIM", "metal             none   ADI_METAL=SIM; it may be real, sim, off or"},
        {"HEXAGON=Sim", "ADI_HEXAGON=Sim: No such file or directory; it may be real, sim, off or"},
    };
    char line[64];
    snprintf(line, sizeof line, "ADI_%s $A devices", rows[_i][0]);
    expect(line, 0, rows[_i][1]);
}
END_TEST

/* Its types, which are behind each other, are three, or two. */
START_TEST(a_runtime_that_hangs_is_looked_for_once)
{
    static const struct {
        const char *environment, *types, *words;
    } rows[] = {
        {"ADI_CUDA=$B/tests/icd/hang_counted.so", "cuda",
         "cuda          not judged: looking for it: did not |"
         "cuda_host     not judged: looking for it: did not |"
         "cuda_managed  not judged: looking for it: did not |conformant|loads: x\n"},
        {"ADI_TEST_SPINS=1 ADI_ROCM=$B/tests/icd/hang_counted.so", "rocm",
         "rocm          not judged: looking for it: |rocm_host     not judged: looking for it: |"
         "conformant|loads: x\n"},
    };
    char line[512];
    snprintf(line, sizeof line,
             "export ADI_TEST_LOADS=$PWD/loads %s; $A run --device '@(cpu|%s)*' --case "
             "int32/nulls/export --timeout 1; status=$?; echo \"loads: $(cat loads)\"; exit "
             "$status",
             rows[_i].environment, rows[_i].types);
    expect(line, 0, rows[_i].words);
}
END_TEST

Suite *harness_environment_suite(void) {
    Suite *suite = suite_create("harness_environment");
    TCase *tests = tcase_create("environment");
    tcase_set_timeout(tests, 300);
    tcase_add_checked_fixture(tests, shell_open, shell_close);
    tcase_add_loop_test(tests, what_is_not_understood_ends_the_command, 0,
                        (int)(sizeof wrong / sizeof *wrong));
    tcase_add_test(tests, an_empty_setting_is_none);
    tcase_add_loop_test(tests, a_word_that_names_no_runtime_is_told_what_there_is, 0, 6);
    tcase_add_loop_test(tests, a_runtime_that_hangs_is_looked_for_once, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
