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
    static char piece[1 << 20];
    memset(piece, 'x', sizeof piece);
    for (size_t i = 0; i < bytes; i += sizeof piece)
        ck_assert_int_eq(write(capture.fd, piece, sizeof piece), sizeof piece);
}

static int64_t size_of_file(void) {
    struct stat status;
    ck_assert_int_eq(fstat(capture.fd, &status), 0);
    return status.st_size;
}

static void expect_text(const char *wanted) {
    char *text = adi_capture_text(&capture);
    ck_assert_str_eq(text, wanted);
    free(text);
}

START_TEST(a_short_text_is_kept_as_it_is)
{
    expect_text("");
    put("one\ntwo\n\n");
    adi_capture_cut(&capture);
    expect_text("one\ntwo");
}
END_TEST

START_TEST(a_nul_does_not_end_the_text)
{
    ck_assert_int_eq(write(capture.fd, "a\0b", 3), 3);
    expect_text("a b");
}
END_TEST

START_TEST(the_file_is_emptied_before_it_is_large)
{
    put("first");
    put_many((size_t)ADI_CAPTURE_MOST);
    ck_assert_int_gt(size_of_file(), ADI_CAPTURE_MOST);
    adi_capture_cut(&capture);
    ck_assert_int_eq(size_of_file(), 0);
    put("last");
    ck_assert_int_eq(size_of_file(), 4);
    ck_assert_int_eq(capture.dropped, ADI_CAPTURE_MOST + 5);
}
END_TEST

/* However often it was emptied, the beginning is the first and the end the last that was written.
 */
START_TEST(beginning_and_end_are_kept)
{
    put("first");
    for (int i = 0; i < _i; i++) {
        put_many((size_t)ADI_CAPTURE_MOST + 1);
        adi_capture_cut(&capture);
    }
    put_many(1 << 20);
    put("last");
    char *text = adi_capture_text(&capture);
    ck_assert_int_eq(strncmp(text, "firstxx", 7), 0);
    ck_assert_ptr_nonnull(strstr(text, " bytes left out ...]\nxx"));
    ck_assert_str_eq(text + strlen(text) - 6, "xxlast");
    ck_assert_uint_lt(strlen(text), 2 * ADI_CAPTURE_KEPT + 128);
    free(text);
}
END_TEST

START_TEST(a_short_end_is_joined_to_what_was_dropped)
{
    put_many((size_t)ADI_CAPTURE_MOST);
    put("before");
    adi_capture_cut(&capture);
    put("after");
    char *text = adi_capture_text(&capture);
    ck_assert_str_eq(text + strlen(text) - 12, "xbeforeafter");
    free(text);
}
END_TEST

Suite *harness_capture_suite(void) {
    Suite *suite = suite_create("harness_capture");
    TCase *text = tcase_create("text");
    tcase_add_checked_fixture(text, set_up, tear_down);
    tcase_set_timeout(text, 30);
    tcase_add_test(text, a_short_text_is_kept_as_it_is);
    tcase_add_test(text, a_nul_does_not_end_the_text);
    tcase_add_test(text, the_file_is_emptied_before_it_is_large);
    tcase_add_loop_test(text, beginning_and_end_are_kept, 0, 4);
    tcase_add_test(text, a_short_end_is_joined_to_what_was_dropped);
    suite_add_tcase(suite, text);
    return suite;
}
