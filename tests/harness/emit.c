/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs as programs in C: they compile without a warning, need nothing of ours, are short, and
 * do what the table of the life cycle says: the illegal ones fail, the legal ones exit with 0.
 */
#include "emit.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cover.h"
#include "move.h"
#include "random_program.h"
#include "sample.h"

Suite *harness_emit_suite(void);

#define RANDOM 8 /* legal programs that are made up */

static char folder[64];

static void set_up(void) {
    snprintf(folder, sizeof folder, "/tmp/adicheck-emit-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void tear_down(void) {
    char line[96];
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(line), 0);
}

/* Writes the program to a file and looks at its lines. */
static int write_it(const struct adi_program *program, const char *type) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    char path[96], *text = NULL;
    size_t length, lines = 0, column = 0;
    ck_assert_int_eq(adi_sample(adi_sample_type_named(type), adi_sample_shape_named("many"), 1,
                                &schema, &array, NULL),
                     0);
    FILE *memory = open_memstream(&text, &length);
    int code = adi_emit_c(program, &schema, "words", memory);
    fclose(memory);
    for (const char *at = text; *at != '\0'; at++) {
        column = *at == '\n' ? 0 : column + 1;
        ck_assert_msg(column <= 100, "a line is too long:\n%s", text);
        lines += *at == '\n';
    }
    ck_assert_uint_le(lines, ADI_EMIT_LINES);
    snprintf(path, sizeof path, "%s/it.c", folder);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    free(text);
    adi_array_release(&array);
    adi_schema_release(&schema);
    return code;
}

/* Compiles and runs it. Its exit status; 255: a signal. */
static int run_it(const char *words) {
    char line[256];
    snprintf(line, sizeof line,
             "cd %s && gcc -std=c11 -Wall -Wextra -Werror -pthread it.c -o it && "
             "{ ./it 2>/dev/null || exit 1; }",
             folder);
    int status = system(line);
    snprintf(line, sizeof line, "%s/it", folder);
    ck_assert_msg(access(line, X_OK) == 0, "%s does not compile", words);
    unlink(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static const struct {
    const char *type, *text;
    bool legal;
} programs[] = {
    {"struct", "e0 m01 r1 x1", true},
    {"struct", "p0 w0 c0.0>1 d0>2 x0 t+ r1 x1", true},
    {"struct", "p0 w0 m01 y12 c2.0>3 t+ x2 t- u3", true},
    {"list_int32", "e0 c0.0>1 x0 r1 x1", true},
    {"dictionary_int8_utf8", "p0 m01 y10 d0>1 w0 x0 u1 z3", true},
    {"struct", "m01", false},            /* life/use-after-release */
    {"struct", "r0", false},             /* the same */
    {"struct", "e0 x0 r0", false},       /* the same */
    {"struct", "e0 m01 r0", false},      /* the same */
    {"struct", "e0 x0 x0", false},       /* life/release-twice */
    {"struct", "e0 m01 x0", false},      /* life/move-source-not-released */
    {"struct", "e0", false},             /* life/never-released */
    {"struct", "e0 z0", false},          /* the same */
    {"struct", "e0 e0", false},          /* the same */
    {"struct", "e0 e1 m01", false},      /* the same */
    {"struct", "e0 c0.0>1 x0", false},   /* the same, of a child */
    {"struct", "e0 X0.1", false},        /* life/child-released-by-consumer */
    {"struct", "e0 c0.0>1 X0.0", false}, /* a child that is gone */
    {"struct", "e0 c0.0>1 c0.0>2", false},
    {"struct", "e0 c0.0>1 x1", false},    /* life/parent-kept-after-child-move */
    {"struct", "e0 c0.1>2 r2", false},    /* the same */
    {"struct", "e0 c0.1>2 r0", false},    /* the same */
    {"struct", "e0 c0.1>2 m01", false},   /* the same */
    {"struct", "e0 c0.1>2 u0", false},    /* the same */
    {"struct", "p0 r0", false},           /* sync/read-before-wait */
    {"struct", "p0 m01 r1", false},       /* the same */
    {"struct", "p0 c0.0>1 x0 r1", false}, /* the same: too late to wait */
};

START_TEST(a_program_in_c_does_what_the_table_says)
{
    struct adi_program program;
    ck_assert_int_eq(adi_program_parse(programs[_i].text, &program, NULL), 0);
    ck_assert_int_eq(write_it(&program, programs[_i].type), 0);
    int status = run_it(programs[_i].text);
    ck_assert_msg((status == 0) == programs[_i].legal, "%s: status %d", programs[_i].text, status);
}
END_TEST

START_TEST(what_is_legal_exits_with_0)
{
    struct adi_random random = {.state = (uint64_t)_i};
    struct adi_program program;
    struct ArrowSchema schema;
    struct ArrowArray array;
    char text[1024];
    adi_sample(adi_sample_type_named("struct"), adi_sample_shape_named("many"), 1, &schema, &array,
               NULL);
    adi_program_random(&program, &schema, ADI_COVER_ALL & ~ADI_COVER(release_child), &random);
    adi_array_release(&array);
    adi_schema_release(&schema);
    adi_program_text(&program, text, sizeof text);
    int code = write_it(&program, "struct");
    ck_assert(code == 0 || code == E2BIG);
    if (code == 0) ck_assert_msg(run_it(text) == 0, "%s", text);
}
END_TEST

START_TEST(what_does_not_fit_is_not_written)
{
    struct adi_program program = {.n = 0};
    for (int i = 0; i < 100; i++) {
        program.steps[program.n++] = (struct adi_step){.operation = ADI_DO_export};
        program.steps[program.n++] = (struct adi_step){.operation = ADI_DO_release};
    }
    ck_assert_int_eq(write_it(&program, "struct"), E2BIG);
    program.n = 4;
    ck_assert_int_eq(write_it(&program, "struct"), 0);
    ck_assert_int_eq(run_it("e0 x0 e0 x0"), 0);
}
END_TEST

Suite *harness_emit_suite(void) {
    Suite *suite = suite_create("harness_emit");
    TCase *tests = tcase_create("in C");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, a_program_in_c_does_what_the_table_says, 0,
                        sizeof programs / sizeof programs[0]);
    tcase_add_loop_test(tests, what_is_legal_exits_with_0, 0, RANDOM);
    tcase_add_test(tests, what_does_not_fit_is_not_written);
    suite_add_tcase(suite, tests);
    return suite;
}
