/* SPDX-License-Identifier: Apache-2.0 */
#include "metadata.h"

#include <check.h>
#include <errno.h>
#include <string.h>

Suite *ref_metadata_suite(void);

static const struct adi_pair pairs[] = {{"key", "va\0lue", 3, 6}, {"", "", 0, 0}, {"k", "", 1, 0}};

START_TEST(what_is_written_is_read)
{
    char bytes[64];
    struct adi_metadata_reader reader;
    struct adi_pair pair;
    size_t all = adi_metadata_write(pairs, 3, NULL);
    ck_assert_uint_eq(all, 4 + 8 + 9 + 8 + 8 + 1);
    ck_assert_uint_eq(adi_metadata_write(pairs, 3, bytes), all);
    ck_assert_uint_eq(adi_metadata_bytes(bytes), all);
    ck_assert_int_eq(adi_metadata_open(bytes, all, &reader, NULL), 0);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(adi_metadata_next(&reader, &pair, NULL), 0);
        ck_assert_int_eq(pair.key_bytes, pairs[i].key_bytes);
        ck_assert_int_eq(pair.value_bytes, pairs[i].value_bytes);
        ck_assert_mem_eq(pair.key, pairs[i].key, (size_t)pair.key_bytes);
        ck_assert_mem_eq(pair.value, pairs[i].value, (size_t)pair.value_bytes);
    }
    ck_assert_int_eq(adi_metadata_next(&reader, &pair, NULL), ENOENT);
}
END_TEST

START_TEST(none_takes_no_bytes_and_no_pairs_take_four)
{
    char bytes[4];
    ck_assert_uint_eq(adi_metadata_bytes(NULL), 0);
    ck_assert_uint_eq(adi_metadata_write(NULL, 0, bytes), 4);
    ck_assert_uint_eq(adi_metadata_bytes(bytes), 4);
}
END_TEST

/* Cut anywhere, the encoding is refused and nothing behind the cut is read. */
START_TEST(a_cut_encoding_is_refused)
{
    char bytes[64];
    struct adi_metadata_reader reader;
    struct adi_pair pair;
    struct adi_error error;
    size_t all = adi_metadata_write(pairs, 3, bytes);
    for (size_t cut = 0; cut < all; cut++) {
        int code = adi_metadata_open(bytes, cut, &reader, &error);
        while (code == 0) code = adi_metadata_next(&reader, &pair, &error);
        ck_assert_int_eq(code, EINVAL);
    }
}
END_TEST

START_TEST(negative_numbers_are_refused)
{
    struct adi_metadata_reader reader;
    struct adi_pair pair;
    struct adi_error error;
    int32_t count = -1, key[] = {1, -5, 0};
    ck_assert_int_eq(adi_metadata_open((char *)&count, 4, &reader, &error), EINVAL);
    ck_assert_str_eq(error.text, "metadata: the count of pairs is -1");
    ck_assert_int_eq(adi_metadata_open((char *)key, sizeof key, &reader, &error), 0);
    ck_assert_int_eq(adi_metadata_next(&reader, &pair, &error), EINVAL);
    ck_assert_str_eq(error.text, "metadata: the length of a key is -5");
    key[1] = INT32_MAX;
    ck_assert_int_eq(adi_metadata_open((char *)key, sizeof key, &reader, &error), 0);
    ck_assert_int_eq(adi_metadata_next(&reader, &pair, &error), EINVAL);
}
END_TEST

Suite *ref_metadata_suite(void) {
    Suite *suite = suite_create("ref_metadata");
    TCase *tests = tcase_create("encoding");
    tcase_add_test(tests, what_is_written_is_read);
    tcase_add_test(tests, none_takes_no_bytes_and_no_pairs_take_four);
    tcase_add_test(tests, a_cut_encoding_is_refused);
    tcase_add_test(tests, negative_numbers_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
