/* SPDX-License-Identifier: Apache-2.0
 *
 * Whatever the command asks for may be refused: memory, descriptors, processes, room on the disk.
 * Each call of tests/calls/calls.def fails once, early and late, in the parent and in its workers.
 * Then nobody is blamed who would not have been, what did not work out is said, and what calls
 * itself a success has left a whole report.
 */
#include <check.h>
#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "slow.h"

Suite *harness_calls_suite(void);

/* One in so many calls is refused to each program, others to the next program, unless ADI_TEST_FULL
 * asks for all. */
#ifndef SHARE
#define SHARE (IS_SANITIZED ? 37 : 13)
#endif

#define MOST 100000 /* calls of one function: more is no end */

static const char *const calls[] = {
#define CALL(type, name, parameters, arguments, failure, code) #name,
#define VARIADIC(name)                                         #name,
#include "../calls/calls.def"
};
#define CALLS (sizeof calls / sizeof *calls)

#define REPORTS "--json json --junit junit --tap tap --sarif sarif --html html --known known"

/* Command lines, $A being the command and $B the build; their exit status when nothing fails. */
static const struct program {
    const char *line;
    int status;
    const char *json; /* the whole JSON that it writes; NULL: none */
} programs[] = {
    {"$A run --case 'int32/nulls/*' --device cpu --jobs 1 " REPORTS, 0, "json"},
    {"$A run $B/tests/mutants/correct.so --case 'struct/nulls/*' --device cpu --jobs 1", 0, NULL},
    {"ADI_CUDA=off $A run $B/tests/adapters/vendor.so --case 'dictionary_int8_utf8/nulls/*' "
     "--device cuda:1 "
     "--jobs 1",
     0, NULL},
    {"$A run --case 'struct/many/program-*' --device cpu --jobs 1", 0, NULL},
    {"$A run $B/tests/mutants/never_releases.so --case dense_union/many/consume --device "
     "cpu " REPORTS,
     1, "json"},
    {"$A run $B/tests/hostile/crash.so --case 'int*/many/export' --device cpu --jobs 1 " REPORTS, 1,
     "json"},
    {"$A run --in-process --case int32/nulls/consume --device cpu", 0, NULL},
    {"$A devices --json json", 0, "json"},
    {"$A replay 'cpu struct e0 m01 r1 c1.0>2 x1 r2 x2'", 0, NULL},
    {"$A new mine && rm mine.c", 0, NULL},
    {"$A new mine --lang rust && rm -r mine", 0, NULL},
};
#define PROGRAMS ((int)(sizeof programs / sizeof *programs))

static char build[PATH_MAX], folder[64], said[16384];

static void set_up(void) {
    const char *named = getenv("ADI_TEST_BUILD");
    ck_assert_ptr_nonnull(realpath(named == NULL ? "build" : named, build));
    snprintf(folder, sizeof folder, "/tmp/adicheck-calls-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void tear_down(void) {
    char line[96];
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(line), 0);
}

/* A case that is given up keeps what nobody could look at: that is no leak to speak of. */
static int run(const char *line, const char *setting) {
    char *whole = NULL;
    ck_assert_int_ge(
        asprintf(
            &whole,
            "cd %s && rm -f failed json && : > known && "
            "export ASAN_OPTIONS=detect_leaks=0 ADI_TEST_FAIL='%s' ADI_TEST_FAILED=%s/failed && "
            "A='timeout 60 %s/calls/adicheck' && B='%s' && { %s\n} 2>&1",
            folder, setting, folder, build, build, line),
        0);
    FILE *pipe = popen(whole, "r");
    free(whole);
    ck_assert_ptr_nonnull(pipe);
    said[fread(said, 1, sizeof said - 1, pipe)] = '\0';
    while (fgetc(pipe) != EOF) continue;
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool exists(const char *name) {
    char path[96];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static bool is_whole_json(const char *name) {
    char path[96];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    json_t *json = json_load_file(path, 0, NULL);
    bool whole = json != NULL;
    json_decref(json);
    return whole;
}

/* Undecided, or a mistake of whoever called it: what a command may say when it could not do what it
 * was asked. */
static bool gave_up(int status) {
    return status == 2 || status == 254;
}

static void expect_no_harm(const struct program *program, const char *setting, int status) {
    ck_assert_msg(status == program->status || gave_up(status), "%s, of %s: exit %d\n%.1500s",
                  setting, program->line, status, said);
    ck_assert_msg(said[0] != '\0' || status == program->status, "%s, of %s: exit %d, unsaid",
                  setting, program->line, status);
    if (status == program->status && program->json != NULL)
        ck_assert_msg(is_whole_json(program->json) || (status != 0 && strstr(said, ": --json: ")),
                      "%s, of %s: half a report, unsaid\n%.1500s", setting, program->line, said);
}

/* Lets the first, the second and ever later calls fail until there are no more of them. Returns
 * how many did. */
static int fail_each(const struct program *program, const char *where, const char *call) {
    const bool each = is_full();
    int failed = 0;
    for (int n = 1; n < MOST; n += each ? 1 : n) {
        char setting[128];
        snprintf(setting, sizeof setting, "%s %s %d", where, call, n);
        int status = run(program->line, setting);
        if (!exists("failed")) return failed;
        failed++;
        expect_no_harm(program, setting, status);
    }
    ck_abort_msg("%s: there is no end to the calls of %s", program->line, call);
    return failed;
}

START_TEST(nobody_is_blamed_for_a_call_that_fails)
{
    const struct program *program = &programs[_i];
    ck_assert_msg(run(program->line, "") == program->status, "%s: %s", program->line, said);
    ck_assert(!exists("failed"));
    int failed = 0;
    size_t share = is_full() ? 1 : SHARE;
    for (size_t c = (size_t)_i % share; c < CALLS; c += share) {
        failed += fail_each(program, "parent", calls[c]);
        if (program->status == 0) failed += fail_each(program, "worker", calls[c]);
    }
    printf("  %d calls failed in: %s\n", failed, program->line);
    fflush(stdout);
    ck_assert(failed > 0 || share > 1);
}
END_TEST

Suite *harness_calls_suite(void) {
    Suite *suite = suite_create("harness_calls");
    TCase *tests = tcase_create("calls");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, nobody_is_blamed_for_a_call_that_fails, 0, PROGRAMS);
    suite_add_tcase(suite, tests);
    return suite;
}
