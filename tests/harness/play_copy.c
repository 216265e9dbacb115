/* SPDX-License-Identifier: Apache-2.0
 *
 * What is told of a host copy that is wrong.
 */
#include <check.h>
#include <errno.h>
#include <string.h>

#include "heard.h"
#include "move.h"
#include "play.h"
#include "sample.h"

Suite *harness_play_copy_suite(void);

/* A struct that was copied, and what it is to be. */
static struct ArrowSchema schema, wanted_schema;
static struct ArrowArray copy, wanted;
static struct heard heard;

static void set_up(void) {
    const struct adi_sample_type *type = adi_sample_type_named("struct");
    const struct adi_sample_shape *shape = adi_sample_shape_named("many");
    ck_assert_int_eq(adi_sample(type, shape, 1, &schema, &copy, NULL), 0);
    ck_assert_int_eq(adi_sample(type, shape, 1, &wanted_schema, &wanted, NULL), 0);
    heard_open(&heard);
}

static void tear_down(void) {
    adi_schema_release(&schema);
    adi_schema_release(&wanted_schema);
    adi_array_release(&copy);
    adi_array_release(&wanted);
}

static int judge(void) {
    struct adi_error why = {""};
    return adi_play_judge_copy(&heard.sink, &schema, &copy, &wanted_schema, &wanted, &why);
}

static void expect_told(const char *message) {
    heard_only(&heard, "array/misread", "the copy");
    ck_assert_msg(strncmp(heard.findings[0].sight.message, message, strlen(message)) == 0, "%s",
                  heard.findings[0].sight.message);
}

START_TEST(a_copy_that_is_right_is_not_blamed)
{
    ck_assert_int_eq(judge(), 0);
    heard_only(&heard, "", "the copy");
}
END_TEST

START_TEST(advice_that_a_copy_does_not_take_is_not_told)
{
    schema.flags |= 64;
    ck_assert_int_eq(judge(), 0);
    heard_only(&heard, "", "the copy");
}
END_TEST

START_TEST(a_must_is_told_where_advice_was_broken_first)
{
    schema.flags |= 64; /* schema/flags-unknown, SHOULD */
    const char *format = schema.children[0]->format;
    schema.children[0]->format = "?";
    ck_assert_int_eq(judge(), EINVAL);
    schema.children[0]->format = format;
    expect_told("the host copy is unsound: schema/format-invalid: children[0].format");
    ck_assert_str_eq(heard.findings[0].sight.seen, "\"?\"");
}
END_TEST

START_TEST(what_makes_the_array_unsound_is_told_where_its_schema_is_only_unwise)
{
    schema.flags |= 64;
    int64_t length = copy.children[1]->length;
    copy.children[1]->length = -3;
    ck_assert_int_eq(judge(), EBADMSG);
    copy.children[1]->length = length;
    expect_told("the host copy is unsound: array/length-negative: children[1].length");
    ck_assert_str_eq(heard.findings[0].sight.seen, "-3");
}
END_TEST

START_TEST(of_two_that_are_as_grave_the_first_is_told)
{
    int64_t lengths[] = {copy.children[0]->length, copy.children[1]->length};
    copy.children[0]->length = -1;
    copy.children[1]->length = -3;
    ck_assert_int_eq(judge(), EBADMSG);
    for (int i = 0; i < 2; i++) copy.children[i]->length = lengths[i];
    expect_told("the host copy is unsound: array/length-negative: children[0].length");
}
END_TEST

Suite *harness_play_copy_suite(void) {
    Suite *suite = suite_create("harness_play_copy");
    TCase *copies = tcase_create("copies");
    tcase_add_checked_fixture(copies, set_up, tear_down);
    tcase_add_test(copies, a_copy_that_is_right_is_not_blamed);
    tcase_add_test(copies, advice_that_a_copy_does_not_take_is_not_told);
    tcase_add_test(copies, a_must_is_told_where_advice_was_broken_first);
    tcase_add_test(copies, what_makes_the_array_unsound_is_told_where_its_schema_is_only_unwise);
    tcase_add_test(copies, of_two_that_are_as_grave_the_first_is_told);
    suite_add_tcase(suite, copies);
    return suite;
}
