/* SPDX-License-Identifier: Apache-2.0 */
#include "adapter_load.h"

#include <check.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf.h"
#include "judged.h"

Suite *harness_adapter_load_suite(void);

/* The compiler of these tests, in the table below, if it put a sanitizer into them: there can be
 * but one runtime in a process. -1: either will do. */
#define ONLY (-1)
#if defined(__SANITIZE_ADDRESS__)
#undef ONLY
#define ONLY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#undef ONLY
#define ONLY 1
#endif
#endif

static struct adi_error error;

/* A file of these bytes; static text. */
static const char *file_of(const void *bytes, size_t size) {
    static char path[64];
    strcpy(path, "/tmp/adicheck-test-XXXXXX");
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, bytes, size), (ssize_t)size);
    close(fd);
    return path;
}

/* A whole file; the caller frees it. */
static unsigned char *read_whole(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size);
    ck_assert_uint_eq(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

/* Builds an adapter; false: the compiler is not here, or has no such sanitizer, which is said. */
static bool is_built(const char *compiler, const char *sanitizer, const char *command) {
    if (system(command) == 0) return true;
    printf("skip: %s -fsanitize=%s makes no library here\n", compiler, sanitizer);
    ck_assert_msg(getenv("ADI_NO_SKIP") == NULL, "%s", command);
    return false;
}

START_TEST(an_adapter_is_loaded)
{
    struct adi_adapter *adapter = NULL;
    ck_assert_int_eq(adi_adapter_load(adapter_path("tests/hostile", "crash"), &adapter, &error), 0);
    ck_assert_str_eq(adapter->name, "hostile");
    ck_assert(adapter->consume == NULL);
    ck_assert(adapter->produce != NULL);
}
END_TEST

START_TEST(the_reference_is_an_adapter)
{
    struct adi_adapter *adapter = NULL;
    ck_assert_int_eq(adi_adapter_load(NULL, &adapter, &error), 0);
    ck_assert(adapter->consume != NULL);
}
END_TEST

START_TEST(a_missing_file_is_named)
{
    ck_assert_int_eq(adi_adapter_look("./no/such.so", &error), ENOENT);
    ck_assert_str_eq(error.text, "cannot read the adapter './no/such.so': No such file or "
                                 "directory");
}
END_TEST

START_TEST(a_directory_is_no_adapter)
{ ck_assert_int_ne(adi_adapter_look("/tmp", &error), 0); }
END_TEST

START_TEST(a_text_is_no_shared_library)
{
    const char *path = file_of("#!/bin/sh\n", 10);
    ck_assert_int_eq(adi_adapter_look(path, &error), EINVAL);
    ck_assert_ptr_nonnull(strstr(error.text, "is not a shared library"));
    unlink(path);
}
END_TEST

START_TEST(an_empty_file_is_no_shared_library)
{
    const char *path = file_of("", 0);
    ck_assert_int_eq(adi_adapter_look(path, &error), EINVAL);
    unlink(path);
}
END_TEST

START_TEST(a_library_cut_short_is_refused)
{
    size_t size;
    unsigned char *bytes = read_whole(adapter_path("tests/hostile", "crash"), &size);
    struct adi_adapter *adapter = NULL;
    const char *path = file_of(bytes, 200);
    ck_assert_int_eq(adi_adapter_load(path, &adapter, &error), EINVAL);
    ck_assert_ptr_nonnull(strstr(error.text, "cannot load"));
    unlink(path);
    free(bytes);
}
END_TEST

/* Whatever is in the file, reading it ends and stays inside. */
START_TEST(a_spoiled_library_can_be_looked_at)
{
    size_t size;
    struct adi_elf_facts facts;
    unsigned char *bytes = read_whole(adapter_path("tests/hostile", "crash"), &size);
    srand(1);
    for (int round = 0; round < 400; round++) {
        unsigned char *spoiled = malloc(size);
        memcpy(spoiled, bytes, size);
        for (int i = 0; i < 200; i++) {
            size_t where = (size_t)rand() % (i % 2 == 0 ? 64 : size);
            if (where > 6) spoiled[where] = (unsigned char)rand();
        }
        /* The table of sections at the end is where everything is found. */
        for (int i = 0; i < 40; i++)
            spoiled[size - 1 - (size_t)rand() % 2048] = (unsigned char)rand();
        const char *path = file_of(spoiled, size - (size_t)rand() % size);
        ck_assert_int_eq(adi_elf_read(path, &facts), 0);
        unlink(path);
        free(spoiled);
    }
    free(bytes);
}
END_TEST

START_TEST(a_plain_library_needs_nothing_preloaded)
{
#if ONLY < 0
    struct adi_elf_facts facts;
    char preload[512];
    ck_assert_int_eq(adi_elf_read(adapter_path("tests/hostile", "crash"), &facts), 0);
    ck_assert(facts.is_elf);
    adi_elf_preload(&facts, preload);
    ck_assert_str_eq(preload, "");
#endif
}
END_TEST

START_TEST(a_named_runtime_is_preloaded_by_its_name)
{
    struct adi_elf_facts facts = {.is_elf = true, .needed = "libasan.so.8", .wants_asan = true};
    char preload[512];
    adi_elf_preload(&facts, preload);
    ck_assert_str_eq(preload, "libasan.so.8");
}
END_TEST

/* One for threads cannot do with the runtime of the other. */
START_TEST(the_runtime_for_threads_is_preloaded_or_none)
{
    struct adi_elf_facts facts = {.is_elf = true, .needed = "", .wants_tsan = true};
    char preload[512];
    adi_elf_preload(&facts, preload);
    ck_assert_msg(preload[0] == '\0' || strstr(preload, "tsan") != NULL, "%s", preload);
}
END_TEST

/* Adapters with a sanitizer of either compiler load into a program without one. */
START_TEST(a_sanitized_adapter_is_judged)
{
    static const char *const compilers[] = {"gcc", "clang"};
    char command[1024], path[64];
    const char *library = file_of("", 0);
    snprintf(path, sizeof path, "%s", library);
    snprintf(command, sizeof command,
             "%s -shared -fPIC -fsanitize=address -w -I harness -I ref tests/hostile/overflow.c "
             "-o %s 2>/dev/null",
             compilers[_i], path);
    if ((ONLY < 0 || ONLY == _i) && is_built(compilers[_i], "address", command)) {
        struct adi_run_options options = {
            .device = "cpu", .case_name = "int32/many/export", .seed = 1};
        struct adi_report *report = judge(path, &options);
        const struct adi_result *found = finding_of(report, "int32/many/export");
        ck_assert_ptr_nonnull(found);
        ck_assert_int_eq(found->verdict, ADI_CRASH);
        ck_assert_msg(strstr(found->message, "AddressSanitizer: heap-buffer-overflow") != NULL,
                      "%s", found->message);
        ck_assert_ptr_nonnull(strstr(found->stderr_text, "WRITE of size 1"));
        adi_report_free(report);
    }
    unlink(path);
}
END_TEST

/* What the harness does not release, since it is unsound, is not charged when the process ends. */
START_TEST(a_sanitized_adapter_is_charged_with_its_defect_and_nothing_else)
{
    static const char *const compilers[] = {"gcc", "clang"};
    char command[1024], path[64];
    const char *library = file_of("", 0);
    snprintf(path, sizeof path, "%s", library);
    snprintf(command, sizeof command,
             "%s -shared -fPIC -fsanitize=address -w -I harness -I ref -I tests/mutants "
             "tests/mutants/offsets_one_short.c tests/mutants/base/?*.c -o %s 2>/dev/null",
             compilers[_i], path);
    if ((ONLY < 0 || ONLY == _i) && is_built(compilers[_i], "address", command)) {
        struct adi_run_options options = {
            .device = "cpu", .case_name = "utf8/many/export", .seed = 1};
        struct adi_report *report = judge(path, &options);
        const struct adi_result *found = finding_of(report, "utf8/many/export");
        ck_assert_ptr_nonnull(found);
        ck_assert_str_eq(found->rule->id, "array/buffer-too-small");
        for (size_t i = 0; i < report->n_results; i++)
            ck_assert_msg(!adi_result_is_finding(&report->results[i]) ||
                              &report->results[i] == found,
                          "%s: %s", report->results[i].case_name, report->results[i].message);
        adi_report_free(report);
    }
    unlink(path);
}
END_TEST

/* Thread-safety is judged fully where races are seen: a race of two cancels is charged to the rule,
 * and what takes no lock and is right is not. */
START_TEST(a_race_is_charged_where_the_adapter_has_a_sanitizer_for_threads)
{
    static const struct {
        const char *compiler, *adapter, *rule;
    } rows[] = {{"gcc", "async_cancel_borrows", "async/cancel-not-repeatable"},
                {"gcc", "odd_async_cancel_once", NULL},
                {"clang", "async_cancel_borrows", "async/cancel-not-repeatable"},
                {"clang", "odd_async_cancel_once", NULL}};
    char command[1024], path[64];
    const char *library = file_of("", 0);
    snprintf(path, sizeof path, "%s", library);
    snprintf(command, sizeof command,
             "%s -std=gnu11 -shared -fPIC -fsanitize=thread -w -I harness -I ref "
             "-I tests/mutants -iquote tests/mutants tests/mutants/%s.c tests/mutants/base/?*.c "
             "-o %s 2>/dev/null",
             rows[_i].compiler, rows[_i].adapter, path);
    if (is_built(rows[_i].compiler, "thread", command)) {
        struct adi_run_options options = {
            .device = "cpu:-1", .case_name = "struct/many/async-cancelled-race", .seed = 1};
        struct adi_report *report = judge(path, &options);
        const struct adi_result *found = finding_of(report, options.case_name);
        ck_assert_msg((found != NULL) == (rows[_i].rule != NULL), "%s: %s", rows[_i].adapter,
                      found == NULL ? "nothing" : found->message);
        if (found != NULL) ck_assert_str_eq(found->rule->id, rows[_i].rule);
        for (size_t i = 0; i < report->n_results; i++)
            ck_assert_int_ne(report->results[i].verdict, ADI_SKIP);
        adi_report_free(report);
    }
    unlink(path);
}
END_TEST

Suite *harness_adapter_load_suite(void) {
    Suite *suite = suite_create("harness_adapter_load");
    TCase *load = tcase_create("load");
    tcase_set_timeout(load, 60);
    tcase_add_test(load, an_adapter_is_loaded);
    tcase_add_test(load, the_reference_is_an_adapter);
    tcase_add_test(load, a_missing_file_is_named);
    tcase_add_test(load, a_directory_is_no_adapter);
    tcase_add_test(load, a_text_is_no_shared_library);
    tcase_add_test(load, an_empty_file_is_no_shared_library);
    tcase_add_test(load, a_library_cut_short_is_refused);
    tcase_add_test(load, a_spoiled_library_can_be_looked_at);
    tcase_add_test(load, a_plain_library_needs_nothing_preloaded);
    tcase_add_test(load, a_named_runtime_is_preloaded_by_its_name);
    tcase_add_test(load, the_runtime_for_threads_is_preloaded_or_none);
    tcase_add_loop_test(load, a_sanitized_adapter_is_judged, 0, 2);
    if (ONLY < 0) /* there can be but one sanitizer */
        tcase_add_loop_test(load, a_race_is_charged_where_the_adapter_has_a_sanitizer_for_threads,
                            0, 4);
    tcase_add_loop_test(load, a_sanitized_adapter_is_charged_with_its_defect_and_nothing_else, 0,
                        2);
    suite_add_tcase(suite, load);
    return suite;
}
