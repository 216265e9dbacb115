/* SPDX-License-Identifier: Apache-2.0 */
#include <check.h>
#include <errno.h>
#include <string.h>

#include "known_list.h"

Suite *harness_known_read_suite(void);

#define RULE "array/reserved-not-zero"
#define ROW  "# a comment\n\n" RULE " | int32/* | 19.* | not zeroed | https://a.b/1 | 2027-06-30\n"
#define OLD  RULE " | int32/* | * | not zeroed | https://a.b/1 | 2027-01-14\n"

START_TEST(a_bad_row_is_named_by_line_and_column)
{
    static const struct {
        const char *text, *wanted;
    } rows[] = {
        {"\n# x\n" RULE " | * | * | r | l", ":3:40: here the row ends; wanted, behind another "
                                            "'|', the last day, YYYY-MM-DD"},
        {"nonsense\n", ":1:9: here the row ends"},
        {RULE " | * | * | r | l | 2027-06-30 | x", ":1:54: a seventh field"},
        {RULE " | @(int32/* | * | r | l | 2027-06-30",
         ":1:27: no case is named '@(int32/*'; nearest: int32/"},
        {RULE " |  | * | r | l | 2027-06-30", ":1:26: an empty field; wanted a glob over case"},
        {"array/resreved-not-zero | * | * | r | l | 2027-06-30",
         ":1:1: no rule is named 'array/resreved-not-zero'; nearest: " RULE},
        {"  " RULE " | int33/* | * | r | l | 2027-06-30",
         ":1:29: no case is named 'int33/*'; nearest: int32/"},
        {RULE " | cuba:0 int32/* | * | r | l | 2027-06-30",
         ":1:27: no device is named 'cuba:0'; nearest: cuda"},
        {RULE " | * | * | r | l | 2027-02-29", ":1:43: no such day: '2027-02-29'"},
        {RULE " | * | * | r | l | 30.6.2027", ":1:43: no such day: '30.6.2027'"},
        {RULE " | * | * | r | l | 2027-13-01", ":1:43: no such day"},
        {RULE " | * | * | r | l | 2027-00-01", ":1:43: no such day"},
        {RULE " | * | * | r | l | 2027-01-00", ":1:43: no such day"},
        {RULE " | * | * | r | l | 2027-04-31", ":1:43: no such day"},
        {RULE " | * | * | r | l | 2100-02-29", ":1:43: no such day"},
        {RULE " | * | * | r | l | 2027/01/01", ":1:43: no such day"},
        {RULE " | * | * | r | l | 2027-0:-01", ":1:43: no such day"},
        {RULE " | * | * | r | l | 2027-01-0 ", ":1:43: no such day"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct adi_known *known = NULL;
        struct adi_error error = {""};
        ck_assert_int_eq(known_list_read(rows[i].text, strlen(rows[i].text), &known, &error),
                         EINVAL);
        ck_assert_ptr_null(known);
        ck_assert_msg(strstr(error.text, rows[i].wanted) != NULL, "%s: saw '%s'", rows[i].wanted,
                      error.text);
    }
}
END_TEST

START_TEST(a_zero_byte_is_no_text)
{
    static const char text[] = "a\0b\n";
    struct adi_known *known = NULL;
    struct adi_error error = {""};
    ck_assert_int_eq(known_list_read(text, sizeof text - 1, &known, &error), EINVAL);
    ck_assert_ptr_nonnull(strstr(error.text, ":1:2: a zero byte"));
}
END_TEST

START_TEST(good_lists_are_read_however_their_lines_end)
{
    adi_known_free(known_list_of(""));
    adi_known_free(known_list_of("  # only a comment"));
    adi_known_free(known_list_of(RULE "|*|*|r|l|2028-02-29\r\n\r\n"));
    adi_known_free(known_list_of(ROW OLD));
}
END_TEST

START_TEST(a_list_that_is_not_there_is_said)
{
    struct adi_known *known = NULL;
    struct adi_error error = {""};
    ck_assert_int_eq(adi_known_read("/nonexistent/known.txt", &known, &error), ENOENT);
    ck_assert_ptr_nonnull(strstr(error.text, "/nonexistent/known.txt: No such file"));
}
END_TEST

Suite *harness_known_read_suite(void) {
    Suite *suite = suite_create("harness_known_read");
    TCase *known = tcase_create("known_read");
    tcase_add_test(known, a_bad_row_is_named_by_line_and_column);
    tcase_add_test(known, a_zero_byte_is_no_text);
    tcase_add_test(known, good_lists_are_read_however_their_lines_end);
    tcase_add_test(known, a_list_that_is_not_there_is_said);
    suite_add_tcase(suite, known);
    return suite;
}
