/* SPDX-License-Identifier: Apache-2.0
 *
 * What the environment sets: what is not understood counts as not set, and is named where somebody
 * asks; the simulation understands the same.
 */
#include "environment.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

Suite *devices_environment_suite(void);

static struct adi_error error;

START_TEST(a_wait_is_a_number_of_milliseconds)
{
    static const struct {
        const char *text;
        int64_t ms;
    } cases[] = {{"1", 1},      {"200", 200}, {"3600000", 3600000},
                 {"", 2000},    {"0", 2000},  {"-5", 2000},
                 {"abc", 2000}, {"2s", 2000}, {"1e3", 2000},
                 {" 7", 2000},  {"+7", 2000}, {"3600001", 2000},
                 {"0x7", 2000}, {"7 ", 2000}, {"99999999999999999999", 2000}};
    ck_assert_int_eq(adi_setting_wait_ms(2000), 2000);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("ADI_WAIT_MS", cases[i].text, 1);
        ck_assert_msg(adi_setting_wait_ms(2000) == cases[i].ms, "'%s'", cases[i].text);
        int wanted = cases[i].ms != 2000 || *cases[i].text == '\0' ? 0 : EINVAL;
        ck_assert_msg(adi_settings_check(&error) == wanted, "'%s'", cases[i].text);
    }
    ck_assert_str_eq(error.text, "ADI_WAIT_MS is '99999999999999999999': a number of milliseconds "
                                 "is wanted, 1 to 3600000");
}
END_TEST

START_TEST(a_number_may_be_nothing)
{
    ck_assert_uint_eq(adi_setting_number("ADI_HEXAGON_LOSE"), 0);
    setenv("ADI_HEXAGON_LOSE", "4294967295", 1);
    ck_assert_uint_eq(adi_setting_number("ADI_HEXAGON_LOSE"), UINT32_MAX);
    ck_assert_int_eq(adi_settings_check(&error), 0);
    setenv("ADI_HEXAGON_LOSE", "4294967296", 1);
    ck_assert_uint_eq(adi_setting_number("ADI_HEXAGON_LOSE"), 0);
    ck_assert_int_eq(adi_settings_check(&error), EINVAL);
}
END_TEST

START_TEST(what_is_not_understood_is_named_with_what_it_may_be)
{
    static const struct {
        const char *name, *right, *wrong, *said;
    } cases[] = {
        {"ADI_CUDA_VERSION", "11.2", "9.0", "ADI_CUDA_VERSION is '9.0': a version from 11.2 to"},
        {"ADI_CUDA_VERSION", "13.0", "13", "ADI_CUDA_VERSION is '13': a version from 11.2 to"},
        {"ADI_VULKAN_VALIDATION", "off", "Off", "ADI_VULKAN_VALIDATION is 'Off': it may be off"},
        {"ADI_SIM_POLICY", "random", "lasy", "it may be lazy, eager or random"},
        {"ADI_SIM_KERNELS", "opaque", "Opaque", "it may be refused or opaque"},
    };
    ck_assert_int_eq(adi_settings_check(&error), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv(cases[i].name, cases[i].right, 1);
        ck_assert_msg(adi_settings_check(&error) == 0, "%s", error.text);
        setenv(cases[i].name, cases[i].wrong, 1);
        ck_assert_int_eq(adi_settings_check(&error), EINVAL);
        ck_assert_msg(strstr(error.text, cases[i].said) != NULL, "%s", error.text);
        setenv(cases[i].name, "", 1);
        ck_assert_msg(adi_settings_check(&error) == 0, "%s", error.text);
    }
}
END_TEST

/* Two that read the same: this one, and the simulation's own. */
START_TEST(the_simulation_understands_the_same)
{
    static const char *const names[] = {"ADI_SIM_POLICY", "ADI_SIM_SEED",  "ADI_SIM_KERNELS",
                                        "ADI_SIM_TOUCH",  "ADI_SIM_LEAKS", "ADI_SIM_MEMORY",
                                        "ADI_SIM_FAIL",   "ADI_SIM_LOSE"};
    static const char *const values[] = {"lazy",
                                         "eager",
                                         "random",
                                         "lasy",
                                         "Lazy",
                                         "continue",
                                         "stop",
                                         "refused",
                                         "opaque",
                                         "off",
                                         "0",
                                         "1",
                                         "2",
                                         "-1",
                                         " -1",
                                         "+1",
                                         " 1",
                                         "1 ",
                                         "1x",
                                         "0x1",
                                         "18446744073709551615",
                                         "18446744073709551616",
                                         "cuInit:2",
                                         ":2",
                                         "cuInit:",
                                         "cuInit:-2",
                                         "a:b:2",
                                         "a23456789b123456789c123456789d123456789e1234567:1",
                                         "a23456789b123456789c123456789d123456789e12345678:1"};
    int right = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            int wanted = adi_sim_set(names[i], values[k]);
            setenv(names[i], values[k], 1);
            ck_assert_msg(adi_settings_check(&error) == wanted, "%s=%s: the simulation says %d",
                          names[i], values[k], wanted);
            unsetenv(names[i]);
            right += wanted == 0;
        }
    ck_assert_int_gt(right, 20);
}
END_TEST

/* ---- which runtime ---- */

static const char *gone;

static int usual(struct adi_error *why) {
    (void)why, gone = "usual";
    return 0;
}

static int real(struct adi_error *why) {
    (void)why, gone = "real";
    return 0;
}

static int simulated(struct adi_error *why) {
    (void)why, gone = "simulated";
    return 0;
}

static int path(const char *which, struct adi_error *why) {
    gone = which;
    return adi_error_set(why, ENODEV, "it is none");
}

START_TEST(a_runtime_is_come_by_as_its_setting_says)
{
    static const struct {
        const char *setting, *way, *why;
        int code;
    } cases[] = {
        {"", "usual", "", 0},
        {"real", "real", "", 0},
        {"sim", "simulated", "", 0},
        {"off", "", "ADI_TOY is off", ENODEV},
        {"./Sim", "./Sim", "it is none", ENODEV},
        {"libm.so.6", "libm.so.6", "it is none", ENODEV},
        {"Sim", "",
         "ADI_TOY=Sim; it may be real, sim, off or the path of a library (Sim: ", ENODEV},
    };
    static const struct adi_runtime_ways ways = {usual, real, simulated, path};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gone = "";
        error.text[0] = '\0';
        setenv("ADI_TOY", cases[i].setting, 1);
        ck_assert_int_eq(adi_setting_runtime("ADI_TOY", &ways, &error), cases[i].code);
        ck_assert_str_eq(gone, cases[i].way);
        ck_assert_msg(strncmp(error.text, cases[i].why, strlen(cases[i].why)) == 0, "%s",
                      error.text);
    }
}
END_TEST

Suite *devices_environment_suite(void) {
    Suite *suite = suite_create("devices_environment");
    TCase *tests = tcase_create("environment");
    tcase_add_test(tests, a_wait_is_a_number_of_milliseconds);
    tcase_add_test(tests, a_number_may_be_nothing);
    tcase_add_test(tests, what_is_not_understood_is_named_with_what_it_may_be);
    tcase_add_test(tests, the_simulation_understands_the_same);
    tcase_add_test(tests, a_runtime_is_come_by_as_its_setting_says);
    suite_add_tcase(suite, tests);
    return suite;
}
