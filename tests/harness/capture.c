/* SPDX-License-Identifier: Apache-2.0 */
#include "run_capture.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Suite *harness_capture_suite(void);

static struct adi_capture capture;

static void set_up(void) {
    ck_assert_int_eq(adi_capture_begin(&capture), 0);
}

static void tear_down(void) {
    adi_capture_end(&capture);
}

static void put(const char *text) {
    ck_assert_int_eq(write(capture.fd, text, strlen(text)), (ssize_t)strlen(text));
}

static void put_many(size_t bytes) {
    static char exported[1 << 20];
    memset(exported, 'x', sizeof exported);
    for (size_t i = 0; i < bytes; i += sizeof exported)
        ck_assert_int_eq(write(capture.fd, exported, sizeof exported), sizeof exported);
}

static int64_t size_of_file(void) {
    struct stat status;
    ck_assert_int_eq(fstat(capture.fd, &status), 0);
    return status.st_size;
}

static int64_t memory_of_file(void) {
    struct stat status;
    ck_assert_int_eq(fstat(capture.fd, &status), 0);
    return (int64_t)status.st_blocks * 512;
}

static void cut_at(int64_t mark) {
    const int64_t marks[] = {0, mark};
    adi_capture_cut(&capture, marks, mark == 0 ? 1 : 2);
}

static void expect_part(int64_t from, int64_t to, const char *wanted) {
    char *text = adi_capture_text(&capture, from, to);
    ck_assert_str_eq(text, wanted);
    free(text);
}

static void expect_text(const char *wanted) {
    expect_part(0, INT64_MAX, wanted);
}

START_TEST(a_short_text_is_kept_as_it_is)
{
    expect_text("");
    put("one\ntwo\n\n");
    cut_at(0);
    expect_text("one\ntwo");
}
END_TEST

START_TEST(a_nul_does_not_end_the_text)
{
    ck_assert_int_eq(write(capture.fd, "a\0b", 3), 3);
    expect_text("a b");
}
END_TEST

START_TEST(a_part_is_what_lies_between_its_marks)
{
    put("one\n");
    put("two\n");
    put("three\n");
    expect_part(0, 4, "one");
    expect_part(4, 8, "two");
    expect_part(8, INT64_MAX, "three");
    expect_part(8, 8, "");
    expect_part(INT64_C(1) << 40, INT64_MAX, ""); /* somebody has emptied the file */
}
END_TEST

START_TEST(memory_is_given_back_and_positions_stay)
{
    put("first");
    put_many((size_t)ADI_CAPTURE_MOST);
    ck_assert(adi_capture_is_large(&capture));
    ck_assert_int_gt(memory_of_file(), ADI_CAPTURE_MOST);
    cut_at(0);
    ck_assert(!adi_capture_is_large(&capture));
    ck_assert_int_lt(memory_of_file(), ADI_CAPTURE_MOST / 64);
    put("last");
    ck_assert_int_eq(size_of_file(), ADI_CAPTURE_MOST + 9);
}
END_TEST

/* However often it was cut, the beginning is the first and the end the last that was written. */
START_TEST(beginning_and_end_are_kept)
{
    put("first");
    for (int i = 0; i < _i; i++) {
        put_many((size_t)ADI_CAPTURE_MOST + 1);
        cut_at(0);
    }
    put_many(1 << 20);
    put("last");
    char *text = adi_capture_text(&capture, 0, INT64_MAX);
    ck_assert_int_eq(strncmp(text, "firstxx", 7), 0);
    ck_assert_ptr_nonnull(strstr(text, " bytes left out ...]\nxx"));
    ck_assert_str_eq(text + strlen(text) - 6, "xxlast");
    ck_assert_uint_lt(strlen(text), 2 * ADI_CAPTURE_KEPT + 128);
    free(text);
}
END_TEST

START_TEST(each_part_keeps_its_own_beginning_and_end)
{
    put("first");
    put_many((size_t)ADI_CAPTURE_MOST / 2);
    put("last");
    int64_t mark = size_of_file();
    put("begin");
    put_many((size_t)ADI_CAPTURE_MOST);
    cut_at(mark);
    put("end");
    ck_assert_int_lt(memory_of_file(), ADI_CAPTURE_MOST / 64);
    const int64_t marks[] = {0, mark, INT64_MAX};
    static const char *const words[][2] = {{"firstxx", "xxlast"}, {"beginxx", "xxend"}};
    for (size_t i = 0; i < 2; i++) {
        char *text = adi_capture_text(&capture, marks[i], marks[i + 1]);
        ck_assert_int_eq(strncmp(text, words[i][0], 7), 0);
        ck_assert_ptr_nonnull(strstr(text, " bytes left out ...]\nxx"));
        ck_assert_str_eq(text + strlen(text) - strlen(words[i][1]), words[i][1]);
        free(text);
    }
}
END_TEST

Suite *harness_capture_suite(void) {
    Suite *suite = suite_create("harness_capture");
    TCase *text = tcase_create("text");
    tcase_add_checked_fixture(text, set_up, tear_down);
    tcase_set_timeout(text, 30);
    tcase_add_test(text, a_short_text_is_kept_as_it_is);
    tcase_add_test(text, a_nul_does_not_end_the_text);
    tcase_add_test(text, a_part_is_what_lies_between_its_marks);
    tcase_add_test(text, memory_is_given_back_and_positions_stay);
    tcase_add_loop_test(text, beginning_and_end_are_kept, 0, 4);
    tcase_add_test(text, each_part_keeps_its_own_beginning_and_end);
    suite_add_tcase(suite, text);
    return suite;
}
