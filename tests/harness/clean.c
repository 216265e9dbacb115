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

/* U+202E would show what follows it from right to left. */
static const struct {
    const char *text, *wanted;
} tricks[] = {
    {"\xc2\x85", "\\xc2\\x85"},          /* U+0085: C1 */
    {"\xc2\xad", "\\xc2\\xad"},          /* U+00AD: a soft hyphen */
    {"\xd8\x9c", "\\xd8\\x9c"},          /* U+061C: bidi */
    {"\xe2\x80\x8b", "\\xe2\\x80\\x8b"}, /* U+200B: no width */
    {"\xe2\x80\x8d", "\\xe2\\x80\\x8d"}, /* U+200D */
    {"\xe2\x80\x8f", "\\xe2\\x80\\x8f"}, /* U+200F: bidi */
    {"\xe2\x80\xa8", "\\xe2\\x80\\xa8"}, /* U+2028: a line ends */
    {"ok\xe2\x80\xae liaf", "ok\\xe2\\x80\\xae liaf"},
    {"\xe2\x81\xa6", "\\xe2\\x81\\xa6"},          /* U+2066: bidi */
    {"\xef\xbb\xbf", "\\xef\\xbb\\xbf"},          /* U+FEFF */
    {"\xef\xbf\xb9", "\\xef\\xbf\\xb9"},          /* U+FFF9: annotation */
    {"\xf3\xa0\x80\xa0", "\\xf3\\xa0\\x80\\xa0"}, /* U+E0020: a tag */
};

START_TEST(what_is_not_seen_is_written_as_hex)
{
    expect(tricks[_i].text, ADI_CLEAN_LINE, tricks[_i].wanted);
    expect(tricks[_i].text, ADI_CLEAN_LINES, tricks[_i].wanted);
    expect(tricks[_i].text, ADI_CLEAN_UTF8, tricks[_i].text);
}
END_TEST

/* Their neighbours are letters, spaces and signs like others. */
START_TEST(what_is_seen_stays)
{
    static const char good[] = "\xc2\xa0\xc2\xac\xc2\xae \xd8\x9b\xd8\x9d \xd7\xa9\xd7\x9c "
                               "\xe2\x80\x8a\xe2\x80\x90\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xb0 "
                               "\xef\xbb\xbe\xef\xbf\xbc\xf3\xa0\x84\x80";
    expect(good, ADI_CLEAN_LINE, good);
}
END_TEST

Suite *harness_clean_suite(void) {
    Suite *suite = suite_create("harness_clean");
    TCase *text = tcase_create("text");
    tcase_add_test(text, good_text_stays_as_it_is);
    tcase_add_test(text, what_is_no_utf8_is_written_as_hex);
    tcase_add_test(text, control_characters_are_kept_where_they_may_stand);
    tcase_add_loop_test(text, what_is_not_seen_is_written_as_hex, 0,
                        sizeof tricks / sizeof *tricks);
    tcase_add_test(text, what_is_seen_stays);
    suite_add_tcase(suite, text);
    return suite;
}
