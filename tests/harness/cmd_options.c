/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd_options.h"

#include <check.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

Suite *harness_cmd_options_suite(void);

struct values {
    const char *name;
    int64_t jobs;
    uint64_t seed;
    double timeout;
    int64_t memory;
    bool strict;
};

static const struct adi_option table[] = {
    {"name", "TEXT", "", adi_take_text, offsetof(struct values, name)},
    {"jobs", "N", "", adi_take_jobs, offsetof(struct values, jobs)},
    {"seed", "S", "", adi_take_seed, offsetof(struct values, seed)},
    {"timeout", "SEC", "", adi_take_seconds, offsetof(struct values, timeout)},
    {"memory", "MB", "", adi_take_memory, offsetof(struct values, memory)},
    {"strict", NULL, "", adi_take_flag, offsetof(struct values, strict)},
    {0},
};

static const struct adi_command command = {
    .name = "try", .arguments = "", .what = "", .examples = ""};

static char said[4096]; /* on standard error by the last `read_words` */

/* Reads "try WORDS" and returns what adi_options_read does. */
static int read_words(const char *words, struct adi_options *options, struct values *values) {
    static char copy[1024];
    const char *argv[16] = {"try"};
    int argc = 1;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    int catcher = memfd_create("stderr", MFD_CLOEXEC), before = dup(STDERR_FILENO);
    dup2(catcher, STDERR_FILENO);
    int status = adi_options_read(options, &command, table, argc, argv, values);
    dup2(before, STDERR_FILENO);
    close(before);
    ssize_t bytes = pread(catcher, said, sizeof said - 1, 0);
    said[bytes < 0 ? 0 : bytes] = '\0';
    close(catcher);
    return status;
}

START_TEST(values_arrive)
{
    struct adi_options options;
    struct values values = {0};
    int status =
        read_words("a.so --name x --jobs=3 --seed 0x10 --timeout 0.5 --memory 64 --strict b.so",
                   &options, &values);
    ck_assert_int_eq(status, 0);
    ck_assert_str_eq(values.name, "x");
    ck_assert_int_eq(values.jobs, 3);
    ck_assert_uint_eq(values.seed, 16);
    ck_assert(values.timeout > 0.49 && values.timeout < 0.51);
    ck_assert_int_eq(values.memory, 64);
    ck_assert(values.strict);
    ck_assert_uint_eq(options.n_arguments, 2);
    ck_assert_str_eq(options.arguments[0], "a.so");
    ck_assert_str_eq(options.arguments[1], "b.so");
    adi_options_free(&options);
}
END_TEST

START_TEST(a_dash_is_a_value_and_nothing_behind_two_is_an_option)
{
    struct adi_options options;
    struct values values = {0};
    ck_assert_int_eq(read_words("--name - -- --strict", &options, &values), 0);
    ck_assert_str_eq(values.name, "-");
    ck_assert(!values.strict);
    ck_assert_uint_eq(options.n_arguments, 1);
    adi_options_free(&options);
}
END_TEST

START_TEST(nothing_is_a_command_line_too)
{
    struct adi_options options;
    struct values values = {0};
    ck_assert_int_eq(read_words("", &options, &values), 0);
    ck_assert_uint_eq(options.n_arguments, 0);
    ck_assert_ptr_null(options.arguments[0]);
    adi_options_free(&options);
}
END_TEST

START_TEST(a_mistake_is_said_in_one_line)
{
    static const struct {
        const char *words, *wanted;
    } rows[] = {
        {"--strikt", "no option is named --strikt; nearest: --strict"},
        {"--jobs", "--jobs needs a value"},
        {"--strict=yes", "takes no value"},
        {"--jobs 0", "--jobs '0': wanted a whole number from 1 to 1024"},
        {"--jobs 4x", "wanted a whole number"},
        {"--jobs 99999999999999999999", "wanted a whole number"},
        {"--seed -1", "wanted a whole number from 0"},
        {"--timeout 0", "wanted seconds"},
        {"--timeout nan", "wanted seconds"},
        {"--timeout soon", "wanted seconds"},
        {"--memory 1", "wanted a whole number from 16"},
        {"--name=", "--name '': wanted some text"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct adi_options options;
        struct values values = {0};
        ck_assert_int_eq(read_words(rows[i].words, &options, &values), ADI_EXIT_USAGE);
        ck_assert_msg(strstr(said, rows[i].wanted) != NULL, "%s: saw '%s'", rows[i].words, said);
        ck_assert_msg(strncmp(said, "adicheck try: ", 14) == 0, "%s", said);
        ck_assert_ptr_eq(strchr(said, '\n'), said + strlen(said) - 1);
        adi_options_free(&options);
    }
}
END_TEST

Suite *harness_cmd_options_suite(void) {
    Suite *suite = suite_create("harness_cmd_options");
    TCase *options = tcase_create("options");
    tcase_add_test(options, values_arrive);
    tcase_add_test(options, a_dash_is_a_value_and_nothing_behind_two_is_an_option);
    tcase_add_test(options, nothing_is_a_command_line_too);
    tcase_add_test(options, a_mistake_is_said_in_one_line);
    suite_add_tcase(suite, options);
    return suite;
}
