/* SPDX-License-Identifier: Apache-2.0
 *
 * The built command on the Vulkan device: under validation nobody has anything to say of a run, and
 * a driver that crashes costs its own device and nothing else.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vulkan_fixture.h"

Suite *devices_vulkan_run_suite(void);

/* But for what is paused after each case: the layer's own tables grow. */
#define RUN  "run --device 'vulkan:*' --rule '!(life/memory-leaked)' --case "
#define SOME "'@(int32|list_utf8|utf8_view|dictionary_int8_utf8)/@(one*|many*|nulls*)/*'"

static char build[PATH_MAX], folder[] = "/tmp/adicheck-test-XXXXXX";
static char said[1 << 16]; /* by the command, or by the layer */

static void make_folder(void) {
    const char *name = getenv("ADI_TEST_BUILD");
    ck_assert_msg(realpath(name == NULL ? "build" : name, build) != NULL, "there is no build");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void remove_folder(void) {
    char line[96];
    snprintf(line, sizeof line, "rm -r '%s'", folder);
    ck_assert_int_eq(system(line), 0);
}

/* Returns the exit status of `adicheck` with these words. */
static int run(const char *words) {
    char line[2 * PATH_MAX];
    snprintf(line, sizeof line, "cd '%s' && '%s/adicheck' %s 2>&1", folder, build, words);
    FILE *pipe = popen(line, "r");
    ck_assert_ptr_nonnull(pipe);
    said[fread(said, 1, sizeof said - 1, pipe)] = '\0';
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Where the layer of every worker writes to. It truncates what it opens, which a pipe survives. */
static int open_log(const char *flags) {
    char path[64];
    snprintf(path, sizeof path, "%s/vk_layer_settings.txt", folder);
    FILE *settings = fopen(path, "w");
    ck_assert_ptr_nonnull(settings);
    fprintf(settings,
            "khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG\n"
            "khronos_validation.log_filename = %s/log\nkhronos_validation.report_flags = %s\n",
            folder, flags);
    ck_assert_int_eq(fclose(settings), 0);
    setenv("VK_LAYER_SETTINGS_PATH", folder, 1);
    setenv("VK_INSTANCE_LAYERS", "VK_LAYER_KHRONOS_validation", 1);
    snprintf(path, sizeof path, "%s/log", folder);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    int log = open(path, O_RDWR | O_NONBLOCK);
    ck_assert_int_ge(log, 0);
    return log;
}

static void read_log(int log) {
    ssize_t bytes = read(log, said, sizeof said - 1);
    ck_assert(bytes > 0 || (bytes == -1 && errno == EAGAIN));
    said[bytes < 0 ? 0 : bytes] = '\0';
    close(log);
}

START_TEST(a_run_is_clean_under_validation)
{
    int log = open_log("error,warn");
    int status = run(getenv("ADI_TEST_FULL") != NULL ? RUN "'*'" : RUN SOME);
    ck_assert_msg(status == 0 && strstr(said, "vulkan:1") != NULL, "exit %d: %s", status, said);
    read_log(log);
    ck_assert_msg(said[0] == '\0', "%s", said);
}
END_TEST

START_TEST(the_layer_would_be_observed)
{
    int log = open_log("info");
    ck_assert_int_eq(run("run --device vulkan:0 --case int32/one/export --rule 'array/*'"), 0);
    read_log(log);
    ck_assert_msg(strstr(said, "Khronos Validation Layer Active") != NULL, "%s", said);
}
END_TEST

START_TEST(a_run_on_two_devices_is_conformant)
{
    int status = run("run --device 'vulkan:*' --case 'int32/*'");
    ck_assert_msg(status == 0, "exit %d: %s", status, said);
    ck_assert_msg(strstr(said, "vulkan:0") != NULL && strstr(said, "vulkan:1") != NULL, "%s", said);
    ck_assert_msg(strstr(said, ": conformant") != NULL, "%s", said);
}
END_TEST

START_TEST(what_one_queue_cannot_show_is_skipped)
{
    int status = run("run --device vulkan:1 --case 'int32/many/@(export|consume)*' --json -");
    ck_assert_msg(status == 0, "exit %d: %.2000s", status, said);
    ck_assert_msg(strstr(said, "not judged: an event that covers one of two queues that write: an "
                               "implementation has one queue there") != NULL,
                  "%.2000s", said);
    ck_assert_msg(strstr(said, "not judged: a wait on another queue than the one that reads: an "
                               "implementation has one queue there") != NULL,
                  "%.2000s", said);
    status = run("run --device vulkan:1 --case int32/many/export --json -");
    ck_assert_msg(status == 0 && strstr(said, "one queue") == NULL, "exit %d: %.2000s", status,
                  said);
    status = run("run --device 'opencl:*' --case 'int32/many/*-held' --json -");
    ck_assert_msg(strstr(said, "one queue") == NULL, "exit %d: %.2000s", status, said);
}
END_TEST

START_TEST(a_driver_that_crashes_costs_its_device_only)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/icd.json", folder);
    FILE *manifest = fopen(path, "w");
    ck_assert_ptr_nonnull(manifest);
    fprintf(manifest,
            "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": "
            "\"%s/tests/icd/crash.so\", \"api_version\": \"1.2.0\"}}",
            build);
    ck_assert_int_eq(fclose(manifest), 0);
    setenv("VK_ICD_FILENAMES", path, 1);
    int status = run("run --case 'int32/one/*'");
    ck_assert_msg(status == 0, "exit %d: %s", status, said);
    ck_assert_msg(strstr(said, "cpu:-1") != NULL, "%s", said);
    ck_assert_msg(strstr(said, "vulkan        not judged: ") != NULL, "%s", said);
    ck_assert_msg(strstr(said, "SIGABRT") != NULL, "%s", said);
}
END_TEST

Suite *devices_vulkan_run_suite(void) {
    Suite *suite = suite_create("devices_vulkan_run");
    TCase *tests = tcase_create("run");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    if (is_loader_there()) tcase_add_test(tests, a_driver_that_crashes_costs_its_device_only);
    if (is_device_there()) tcase_add_test(tests, a_run_on_two_devices_is_conformant);
    if (is_device_there()) tcase_add_test(tests, what_one_queue_cannot_show_is_skipped);
    if (is_device_there() && is_layer_there()) {
        tcase_add_test(tests, a_run_is_clean_under_validation);
        tcase_add_test(tests, the_layer_would_be_observed);
    }
    suite_add_tcase(suite, tests);
    return suite;
}
