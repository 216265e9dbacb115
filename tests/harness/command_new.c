/* SPDX-License-Identifier: Apache-2.0
 *
 * adicheck new: what it writes in each language, that what it writes in C and C++ builds and plays,
 * and that it leaves nothing half written. tests/new/frames.sh plays what it writes in Rust and Go.
 */
#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/shell.h"

Suite *harness_command_new_suite(void);

#define ONE "--case int32/nulls/export --device cpu"

/* Builds mine.c or mine.cc as it says itself. */
#define BUILD_WITH(flags, source)                                                                  \
    "rm -f libmine.so; eval \"$(sed -nE 's,^( [*]|//)   (cc|c[+][+]) ,\\2 " flags " ,p' " source   \
    ")\" && test -f libmine.so"
#define WARN      "-Wall -Wextra -pedantic -Werror"
#define BUILD_C   BUILD_WITH("-std=c99 " WARN, "mine.c")
#define BUILD_CPP BUILD_WITH("-std=c++11 " WARN, "mine.cc")

static const struct language {
    const char *name;
    const char *first; /* what must not be there yet */
    const char *file;  /* what is to be filled in */
    const char *said;
} languages[] = {
    {"c", "mine.c", "mine.c", "mine.c is written|cc -shared|-o libmine.so|run ./libmine.so"},
    {"cpp", "mine.cc", "mine.cc", "mine.cc is written|c++ -shared|-o libmine.so|run ./libmine.so"},
    {"rust", "mine", "mine/src/lib.rs", "mine/ is written|cd mine|cargo build|libmine_adapter.so"},
    {"go", "mine", "mine/main.go", "mine/ is written|cd mine|go build -buildmode=c-shared"},
};
#define LANGUAGES ((int)(sizeof languages / sizeof *languages))

/* Expects the same of a line, in which %s is the language. */
static void expect_in(const struct language *language, const char *line, int status,
                      const char *words) {
    char text[512];
    snprintf(text, sizeof text, line, language->name);
    expect(text, status, words);
}

START_TEST(a_frame_is_written_and_says_what_to_type)
{
    const struct language *language = &languages[_i];
    char line[128];
    expect_in(language, "$A new mine --lang %s", 0, language->said);
    snprintf(line, sizeof line, "! grep -rn '@' mine* && cat %s", language->file);
    expect(line, 0, "produce|consume|ENOTSUP|ADI_PRODUCES");
}
END_TEST

START_TEST(nothing_is_written_over)
{
    const struct language *language = &languages[_i];
    char line[128];
    snprintf(line, sizeof line, "echo precious > %s", language->first);
    expect(line, 0, "");
    expect_in(language, "$A new mine --lang %s", 254, "is there already");
    snprintf(line, sizeof line, "cat %s && rm %s && mkdir %s", language->first, language->first,
             language->first);
    expect(line, 0, "precious");
    snprintf(line, sizeof line, "echo precious > %s/main.go", language->first);
    expect(line, 0, "");
    expect_in(language, "$A new mine --lang %s", 254, "is there already");
    expect("test \"$(echo * */*)\" = \"$(echo mine*) $(echo mine*/main.go)\" && cat */main.go", 0,
           "precious");
}
END_TEST

START_TEST(where_nothing_can_be_written_it_says_so)
{ expect_in(&languages[_i], "cd /proc && $A new mine --lang %s", 254, "mine| cannot be written"); }
END_TEST

START_TEST(nothing_is_left_half_written)
{
    expect_in(&languages[_i], "trap '' XFSZ; ulimit -f 1; $A new mine --lang %s", 2,
              "could not be written to its end: File too large");
    expect("ls -A | grep -c .", 1, "0");
}
END_TEST

START_TEST(bad_input_is_said)
{
    expect("$A new mine --lang java", 254, "--lang 'java': wanted c, cpp, rust or go");
    expect("$A new mine --lang ''", 254, "wanted c, cpp, rust or go");
    expect("$A new mine --lang", 254, "needs a value");
    expect("$A new --lang rust", 254, "wanted one name");
    expect("$A new one two", 254, "wanted one name");
    expect("$A new ../mine --lang go", 254, "is no name");
    expect("$A new mine.c", 254, "is no name");
    expect("$A new ''", 254, "is no name");
    expect("$A new 1st --lang rust", 254, "wanted a letter");
    expect("ls -A | grep -c .", 1, "0");
    expect("$A new My-own --lang rust", 0, "cd My-own|libmy_own_adapter.so");
    expect("$A new --help", 0, "--lang LANGUAGE|c, cpp, rust or go (c)");
}
END_TEST

START_TEST(a_frame_in_c_compiles_as_c_and_as_cplusplus)
{
    expect("$A new mine", 0, "");
    expect(BUILD_C, 0, "");
    expect("command -v c++ >/dev/null || exit 0; eval \"$(sed -n 's/^ \\*   cc /c++ -x c++ "
           "-std=c++11 " WARN " /p' mine.c)\"",
           0, "");
}
END_TEST

/* ---- C and C++, filled in ---- */

/* Replaces the first `from` in the file of the language. */
static void replace(const struct language *language, const char *from, const char *to) {
    char path[128], text[8192];
    snprintf(path, sizeof path, "%s/%s", folder, language->file);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    char *at = strstr(text, from);
    ck_assert_msg(at != NULL, "no '%s' in\n%s", from, text);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    fclose(file);
}

static void fill_in_roles(const struct language *language) {
    replace(language, "0u /* | ADI_PRODUCES | ADI_CONSUMES */;",
            "(unsigned)ADI_PRODUCES | (unsigned)ADI_CONSUMES;");
}

/* What a toy implementation adds: it hands host arrays through. */
static void fill_in_toy(const struct language *language, const char *produce, const char *consume) {
    fill_in_roles(language);
    replace(language, produce,
            "    *schema_out = *schema;\n"
            "    out->array = *host;\n"
            "    out->device_id = -1;\n"
            "    out->device_type = type;\n"
            "    out->sync_event = 0;\n"
            "    out->reserved[0] = out->reserved[1] = 0;\n"
            "    out->reserved[2] = 0;\n"
            "    schema->release = 0;\n"
            "    host->release = 0;\n"
            "    return 0;\n");
    replace(language, consume,
            "    if (in->device_type != ARROW_DEVICE_CPU) return ENOTSUP;\n"
            "    *schema_out = *schema;\n"
            "    *host_out = in->array;\n"
            "    schema->release = 0;\n"
            "    in->array.release = 0;\n"
            "    return 0;\n");
}

/* The place to fill in, in C++. */
#define PLACE(role) "        return failed(ENOTSUP, \"" role " is not filled in\");\n"

static bool has_cplusplus(const char *test) {
    if (run("command -v c++") == 0) return true;
    printf("  %s: skipped, there is no c++\n", test);
    return false;
}

START_TEST(a_frame_that_refuses_everything_is_not_judged)
{
    expect("$A new mine >said && " BUILD_C, 0, "");
    expect("$A run ./libmine.so " ONE, 2, "mine 0.0.0: undecided: nothing was judged");
    expect("grep undecided mine.c", 0, "exit status 2");
    if (!has_cplusplus("a_frame_that_refuses_everything_is_not_judged")) return;
    expect("$A new mine --lang cpp >said && " BUILD_CPP, 0, "");
    expect("$A run ./libmine.so " ONE, 2, "mine 0.0.0: undecided: nothing was judged");
}
END_TEST

START_TEST(a_role_that_is_not_filled_in_is_refused)
{
    expect("$A new mine", 0, "");
    fill_in_roles(&languages[0]);
    expect(BUILD_C, 0, "");
    expect("$A run ./libmine.so " ONE, 2, "mine 0.0.0: undecided: nothing was judged");
}
END_TEST

START_TEST(a_toy_implementation_takes_at_most_sixty_lines_and_is_judged)
{
    expect("$A new mine", 0, "");
    fill_in_toy(&languages[0], "    return ENOTSUP;\n", "    return ENOTSUP;\n");
    expect(BUILD_C, 0, "");
    expect("test $(wc -l < mine.c) -le 60", 0, "");
    expect("$A run ./libmine.so --case 'int32/nulls/*' --device cpu", 0, "mine 0.0.0: conformant");
}
END_TEST

START_TEST(a_toy_in_cplusplus_is_judged)
{
    if (!has_cplusplus("a_toy_in_cplusplus_is_judged")) return;
    expect("$A new mine --lang cpp", 0, "");
    fill_in_toy(&languages[1], PLACE("produce"), PLACE("consume"));
    expect(BUILD_CPP, 0, "");
    expect(BUILD_WITH("-std=c++20 " WARN, "mine.cc"), 0, "");
    expect("$A run ./libmine.so --case 'int32/nulls/*' --device cpu", 0, "mine 0.0.0: conformant");
}
END_TEST

START_TEST(an_exception_ends_in_the_frame_in_cplusplus)
{
    if (!has_cplusplus("an_exception_ends_in_the_frame_in_cplusplus")) return;
    expect("$A new mine --lang cpp", 0, "");
    fill_in_roles(&languages[1]);
    replace(&languages[1], PLACE("produce"), "return std::string(\"over\").at(5);\n");
    replace(&languages[1], PLACE("consume"), "throw 5;\n");
    expect(BUILD_CPP, 0, "");
    expect("$A run ./libmine.so " ONE, 2, "Input/output error|basic_string|nothing was judged");
    expect("$A run ./libmine.so --case int32/nulls/consume --device cpu", 2, "of no known type");
}
END_TEST

Suite *harness_command_new_suite(void) {
    Suite *suite = suite_create("harness_command_new");
    TCase *frames = tcase_create("frames");
    tcase_add_checked_fixture(frames, shell_open, shell_close);
    tcase_set_timeout(frames, 120);
    tcase_add_loop_test(frames, a_frame_is_written_and_says_what_to_type, 0, LANGUAGES);
    tcase_add_loop_test(frames, nothing_is_written_over, 0, LANGUAGES);
    tcase_add_loop_test(frames, where_nothing_can_be_written_it_says_so, 0, LANGUAGES);
    tcase_add_loop_test(frames, nothing_is_left_half_written, 0, LANGUAGES);
    tcase_add_test(frames, bad_input_is_said);
    tcase_add_test(frames, a_frame_in_c_compiles_as_c_and_as_cplusplus);
    tcase_add_test(frames, a_frame_that_refuses_everything_is_not_judged);
    tcase_add_test(frames, a_role_that_is_not_filled_in_is_refused);
    tcase_add_test(frames, a_toy_implementation_takes_at_most_sixty_lines_and_is_judged);
    tcase_add_test(frames, a_toy_in_cplusplus_is_judged);
    tcase_add_test(frames, an_exception_ends_in_the_frame_in_cplusplus);
    suite_add_tcase(suite, frames);
    return suite;
}
