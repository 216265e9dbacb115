/* SPDX-License-Identifier: Apache-2.0 */
#include "clean.h"

#include <check.h>
#include <stdlib.h>

Suite *harness_clean_suite(void);

static void expect(const char *text, enum adi_clean how, const char *wanted) {
    char *clean = adi_clean_copy(text, how);
    ck_assert_str_eq(clean, wanted);
    free(clean);
}

START_TEST(good_text_stays_as_it_is)
{
    static const char good[] = "plain \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xef\xbf\xbd";
    expect(good, ADI_CLEAN_UTF8, good);
    expect(good, ADI_CLEAN_LINES, good);
    expect(good, ADI_CLEAN_LINE, good);
}
END_TEST

START_TEST(what_is_no_utf8_is_written_as_hex)
{
    expect("\xff", ADI_CLEAN_UTF8, "\\xff");
    expect("a\xc3", ADI_CLEAN_UTF8, "a\\xc3");        /* cut */
    expect("\xc0\xaf", ADI_CLEAN_UTF8, "\\xc0\\xaf"); /* written too long */
    expect("\xe0\x80\xaf", ADI_CLEAN_UTF8, "\\xe0\\x80\\xaf");
    expect("\xed\xa0\x80", ADI_CLEAN_UTF8, "\\xed\\xa0\\x80");          /* a surrogate */
    expect("\xf4\x90\x80\x80", ADI_CLEAN_UTF8, "\\xf4\\x90\\x80\\x80"); /* past U+10FFFF */
    expect("\xe2\x82(", ADI_CLEAN_UTF8, "\\xe2\\x82(");
}
END_TEST

START_TEST(control_characters_are_kept_where_they_may_stand)
{
    expect("a\x1b[31m\n\tb", ADI_CLEAN_UTF8, "a\x1b[31m\n\tb");
    expect("a\x1b[31m\n\tb\r", ADI_CLEAN_LINES, "a\\x1b[31m\n\tb\\x0d");
    expect("a\x1b[31m\n\tb", ADI_CLEAN_LINE, "a\\x1b[31m\\n\\x09b");
    expect("\xc2\x9b", ADI_CLEAN_LINE, "\\xc2\\x9b"); /* an escape sequence in one character */
    expect("\xef\xbf\xbe", ADI_CLEAN_LINES, "\\xef\\xbf\\xbe"); /* U+FFFE is not XML */
}
END_TEST

Suite *harness_clean_suite(void) {
    Suite *suite = suite_create("harness_clean");
    TCase *text = tcase_create("text");
    tcase_add_test(text, good_text_stays_as_it_is);
    tcase_add_test(text, what_is_no_utf8_is_written_as_hex);
    tcase_add_test(text, control_characters_are_kept_where_they_may_stand);
    suite_add_tcase(suite, text);
    return suite;
}
