/* SPDX-License-Identifier: Apache-2.0
 *
 * What is wrong with a machine's Vulkan costs the devices of that type, or what they cannot do,
 * with a reason that a person can act on, and nothing else.
 */
#include <check.h>
#include <stdbool.h>
#include <stdio.h>

#include "harness/shell.h"

Suite *devices_vulkan_absent_suite(void);

/* Another driver, of tests/icd. */
#define ICD(name)                                                                                  \
    "printf '{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": \"%s\", "            \
    "\"api_version\": \"1.2.0\"}}' $B/tests/icd/" name ".so > icd.json; "                          \
    "export VK_ICD_FILENAMES=$PWD/icd.json; "
#define ONE  "$A run --device '@(cpu|vulkan)*' --case int32/nulls/export"
#define NONE "cpu:-1            found|vulkan            none   "

/* lavapipe, but for one call. */
#define LAVAPIPE                                                                                   \
    "export ADI_TEST_DRIVER=$(sed -n 's/.*\"library_path\": \"\\(.*\\)\".*/\\1/p' "                \
    "/usr/share/vulkan/icd.d/lvp_icd.*.json); "
#define WITHOUT(call) LAVAPIPE ICD("vulkan_refuses") "export ADI_TEST_REFUSED=" call "; "

START_TEST(no_loader)
{
    expect("echo x > libvulkan.so.1; export LD_LIBRARY_PATH=$PWD; $A devices && " ONE, 0,
           NONE "|libvulkan|conformant");
    expect("echo x > libvulkan.so.1; export LD_LIBRARY_PATH=$PWD; " ONE " --require vulkan", 2,
           "undecided: a required device is missing");
}
END_TEST

static const struct {
    const char *icd, *words;
} drivers[] = {
    {ICD("crash"), NONE "looking for it: |SIGABRT|; VK_ICD_FILENAMES chooses among|conformant"},
    {ICD("vulkan_empty"), NONE "there is a Vulkan driver, but it has no device here; |conformant"},
    {"export VK_ICD_FILENAMES=$PWD/nowhere.json; ",
     NONE "no Vulkan driver can be used|VK_ICD_FILENAMES names others|conformant"},
};

START_TEST(a_driver_that_is_good_for_nothing)
{
    char line[1024];
    if (run("$A devices | grep 'vulkan  .*the Vulkan loader is missing'") == 0) {
        puts("skip: a_driver_that_is_good_for_nothing: libvulkan1 is not installed (make deps)");
        return;
    }
    snprintf(line, sizeof line, "%s$A devices && " ONE, drivers[_i].icd);
    expect(line, 0, drivers[_i].words);
}
END_TEST

START_TEST(a_driver_that_never_finishes_loading)
{
    if (run("$A devices | grep '^vulkan:0'") != 0) {
        puts("skip: a_driver_that_never_finishes_loading: there is no vulkan:0");
        return;
    }
    expect(ICD("hang") ONE " --timeout 1", 0,
           "looking for it: |did not |VK_ICD_FILENAMES chooses among|conformant");
}
END_TEST

static bool is_lavapipe(const char *test) {
    if (run(LAVAPIPE "test -e \"$ADI_TEST_DRIVER\" && $A devices | grep '^vulkan:0.*lavapipe'") ==
        0)
        return true;
    printf("skip: %s: there is no lavapipe\n", test);
    return false;
}

static const char *const steps[] = {"vkCreateShaderModule", "vkCreateComputePipelines"};

/* The sums are not computed; the rest is judged. */
START_TEST(a_shader_that_cannot_be_built)
{
    char line[1536], words[512];
    if (!is_lavapipe("a_shader_that_cannot_be_built")) return;
    snprintf(line, sizeof line, "STEP=%s; %s", steps[_i],
             WITHOUT("$STEP") ONE " --json report && cat report");
    snprintf(words, sizeof words,
             "  not judged: no shader can be built: |conformant|\"verdict\": \"skip\"|"
             "not judged: what the device itself has: no shader can be built: %s: "
             "VK_ERROR_INITIALIZATION_FAILED; VK_ICD_FILENAMES names another driver",
             steps[_i]);
    expect(line, 0, words);
}
END_TEST

START_TEST(a_driver_that_crashes_where_it_should_compile)
{
    if (!is_lavapipe("a_driver_that_crashes_where_it_should_compile")) return;
    expect(WITHOUT("vkCreateComputePipelines") "export ADI_TEST_CRASHES=1; $A devices && " ONE, 0,
           NONE "looking for it: |SIGABRT|conformant");
}
END_TEST

START_TEST(a_device_that_cannot_be_opened)
{
    if (!is_lavapipe("a_device_that_cannot_be_opened")) return;
    expect(WITHOUT("vkCreateDevice") "$A devices && " ONE, 0,
           NONE "vkCreateDevice: VK_ERROR_INITIALIZATION_FAILED|conformant");
}
END_TEST

Suite *devices_vulkan_absent_suite(void) {
    Suite *suite = suite_create("devices_vulkan_absent");
    TCase *tests = tcase_create("absent");
    tcase_add_checked_fixture(tests, shell_open, shell_close);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, no_loader);
    tcase_add_loop_test(tests, a_driver_that_is_good_for_nothing, 0,
                        sizeof drivers / sizeof drivers[0]);
    tcase_add_test(tests, a_driver_that_never_finishes_loading);
    tcase_add_loop_test(tests, a_shader_that_cannot_be_built, 0, sizeof steps / sizeof steps[0]);
    tcase_add_test(tests, a_driver_that_crashes_where_it_should_compile);
    tcase_add_test(tests, a_device_that_cannot_be_opened);
    suite_add_tcase(suite, tests);
    return suite;
}
