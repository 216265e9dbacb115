/* SPDX-License-Identifier: Apache-2.0 */
#include "type.h"

#include <check.h>
#include <errno.h>
#include <string.h>

#include "literal.h"

Suite *ref_type_suite(void);

static const struct {
    const char *format, *name;
    enum adi_layout layout;
    int64_t bits, buffers;
    int32_t n_children;
} types[] = {
    {"n", "null", ADI_LAYOUT_NULL, 0, 0, 0},
    {"b", "bool", ADI_LAYOUT_FIXED, 1, 2, 0},
    {"c", "int8", ADI_LAYOUT_FIXED, 8, 2, 0},
    {"C", "uint8", ADI_LAYOUT_FIXED, 8, 2, 0},
    {"s", "int16", ADI_LAYOUT_FIXED, 16, 2, 0},
    {"S", "uint16", ADI_LAYOUT_FIXED, 16, 2, 0},
    {"i", "int32", ADI_LAYOUT_FIXED, 32, 2, 0},
    {"I", "uint32", ADI_LAYOUT_FIXED, 32, 2, 0},
    {"l", "int64", ADI_LAYOUT_FIXED, 64, 2, 0},
    {"L", "uint64", ADI_LAYOUT_FIXED, 64, 2, 0},
    {"e", "float16", ADI_LAYOUT_FIXED, 16, 2, 0},
    {"f", "float32", ADI_LAYOUT_FIXED, 32, 2, 0},
    {"g", "float64", ADI_LAYOUT_FIXED, 64, 2, 0},
    {"d:38,10", "decimal128", ADI_LAYOUT_FIXED, 128, 2, 0},
    {"d:9,0,32", "decimal32", ADI_LAYOUT_FIXED, 32, 2, 0},
    {"d:18,-3,64", "decimal64", ADI_LAYOUT_FIXED, 64, 2, 0},
    {"d:1,-2147483648,128", "decimal128", ADI_LAYOUT_FIXED, 128, 2, 0},
    {"d:76,2147483647,256", "decimal256", ADI_LAYOUT_FIXED, 256, 2, 0},
    {"z", "binary", ADI_LAYOUT_BINARY, 32, 3, 0},
    {"Z", "large_binary", ADI_LAYOUT_BINARY, 64, 3, 0},
    {"u", "utf8", ADI_LAYOUT_BINARY, 32, 3, 0},
    {"U", "large_utf8", ADI_LAYOUT_BINARY, 64, 3, 0},
    {"vz", "binary_view", ADI_LAYOUT_VIEW, 0, 3, 0},
    {"vu", "utf8_view", ADI_LAYOUT_VIEW, 0, 3, 0},
    {"w:0", "fixed_size_binary", ADI_LAYOUT_FIXED, 0, 2, 0},
    {"w:2147483647", "fixed_size_binary", ADI_LAYOUT_FIXED, INT64_C(17179869176), 2, 0},
    {"tdD", "date32", ADI_LAYOUT_FIXED, 32, 2, 0},
    {"tdm", "date64", ADI_LAYOUT_FIXED, 64, 2, 0},
    {"tts", "time32", ADI_LAYOUT_FIXED, 32, 2, 0},
    {"ttm", "time32", ADI_LAYOUT_FIXED, 32, 2, 0},
    {"ttu", "time64", ADI_LAYOUT_FIXED, 64, 2, 0},
    {"ttn", "time64", ADI_LAYOUT_FIXED, 64, 2, 0},
    {"tss:", "timestamp", ADI_LAYOUT_FIXED, 64, 2, 0},
    {"tsm:UTC", "timestamp", ADI_LAYOUT_FIXED, 64, 2, 0},
    {"tsu:Europe/Z\xc3\xbcrich", "timestamp", ADI_LAYOUT_FIXED, 64, 2, 0},
    {"tsn:+01:00", "timestamp", ADI_LAYOUT_FIXED, 64, 2, 0},
    {"tDs", "duration", ADI_LAYOUT_FIXED, 64, 2, 0},
    {"tDm", "duration", ADI_LAYOUT_FIXED, 64, 2, 0},
    {"tDu", "duration", ADI_LAYOUT_FIXED, 64, 2, 0},
    {"tDn", "duration", ADI_LAYOUT_FIXED, 64, 2, 0},
    {"tiM", "interval_months", ADI_LAYOUT_FIXED, 32, 2, 0},
    {"tiD", "interval_day_time", ADI_LAYOUT_FIXED, 64, 2, 0},
    {"tin", "interval_month_day_nano", ADI_LAYOUT_FIXED, 128, 2, 0},
    {"+l", "list", ADI_LAYOUT_LIST, 32, 2, 1},
    {"+L", "large_list", ADI_LAYOUT_LIST, 64, 2, 1},
    {"+vl", "list_view", ADI_LAYOUT_LIST_VIEW, 32, 3, 1},
    {"+vL", "large_list_view", ADI_LAYOUT_LIST_VIEW, 64, 3, 1},
    {"+w:0", "fixed_size_list", ADI_LAYOUT_FIXED_LIST, 0, 1, 1},
    {"+w:3", "fixed_size_list", ADI_LAYOUT_FIXED_LIST, 0, 1, 1},
    {"+s", "struct", ADI_LAYOUT_STRUCT, 0, 1, -1},
    {"+m", "map", ADI_LAYOUT_LIST, 32, 2, 1},
    {"+ud:0,1", "dense_union", ADI_LAYOUT_DENSE_UNION, 0, 2, 2},
    {"+us:127,0,5", "sparse_union", ADI_LAYOUT_SPARSE_UNION, 0, 1, 3},
    {"+us:", "sparse_union", ADI_LAYOUT_SPARSE_UNION, 0, 1, 0},
    {"+ud:", "dense_union", ADI_LAYOUT_DENSE_UNION, 0, 2, 0},
    {"+r", "run_end_encoded", ADI_LAYOUT_RUN_END, 0, 0, 2},
};

static const struct {
    const char *format, *sentence; /* what comes behind `format "...": expected ` */
} malformed[] = {
    {"", "one of + n b c C s S i I l L e f g d z Z u U v w t at byte 0"},
    {"q", "one of + n b c C s S i I l L e f g d z Z u U v w t at byte 0"},
    {"i7", "the end at byte 1"},
    {"ii", "the end at byte 1"},
    {"v", "one of z u at byte 1"},
    {"+", "one of s l L v w m u r at byte 1"},
    {"+vx", "one of l L at byte 2"},
    {"d", ": at byte 1"},
    {"d10,2", ": at byte 1"},
    {"d:", "a precision from 1 to 76 at byte 2"},
    {"d:0,2", "a precision from 1 to 76 at byte 2"},
    {"d:-1,2", "a precision from 1 to 76 at byte 2"},
    {"d:77,2,256", "a precision from 1 to 76 at byte 2"},
    {"d:39,2", "a precision from 1 to 38 at byte 2"},
    {"d:10,2,32", "a precision from 1 to 9 at byte 2"},
    {"d:19,2,64", "a precision from 1 to 18 at byte 2"},
    {"d:10", "a comma at byte 4"},
    {"d:10,", "a scale from -2147483648 to 2147483647 at byte 5"},
    {"d:10,-", "a scale from -2147483648 to 2147483647 at byte 5"},
    {"d:10,2147483648", "a scale from -2147483648 to 2147483647 at byte 5"},
    {"d:10,2,", "a bit width from 32 to 256 at byte 7"},
    {"d:10,2,96", "the bit width 32, 64, 128 or 256 at byte 7"},
    {"d:10,2,128,", "the end at byte 10"},
    {"w", ": at byte 1"},
    {"w:", "a number of bytes from 0 to 2147483647 at byte 2"},
    {"w:-1", "a number of bytes from 0 to 2147483647 at byte 2"},
    {"w:+1", "a number of bytes from 0 to 2147483647 at byte 2"},
    {"w: 1", "a number of bytes from 0 to 2147483647 at byte 2"},
    {"w:2147483648", "a number of bytes from 0 to 2147483647 at byte 2"},
    {"w:99999999999999999999999999", "a number of bytes from 0 to 2147483647 at byte 2"},
    {"w:3x", "the end at byte 3"},
    {"+w:", "a number of values from 0 to 2147483647 at byte 3"},
    {"tss", ": at byte 3"},
    {"tsx:", "one of s m u n at byte 2"},
    {"ttD", "one of s m u n at byte 2"},
    {"tdDx", "the end at byte 3"},
    {"+us", ": at byte 3"},
    {"+us:128", "a type id from 0 to 127 at byte 4"},
    {"+us:-1", "a type id from 0 to 127 at byte 4"},
    {"+us:0,", "a type id from 0 to 127 at byte 6"},
    {"+us:,0", "a type id from 0 to 127 at byte 4"},
    {"+us:0;1", "a comma at byte 5"},
    {"+ud:3,4,3", "a type id that has not been given before at byte 8"},
    {"tss:\xff", "UTF-8 at byte 4"},
    {"tss:\xc0\x80", "UTF-8 at byte 4"},
    {"tss:a\xed\xa0\x80", "UTF-8 at byte 5"},
    {"tss:\xf4\x90\x80\x80", "UTF-8 at byte 4"},
    {"tss:\xe2\x82", "UTF-8 at byte 4"},
};

START_TEST(every_format_gives_its_layout)
{
    struct adi_type type;
    struct adi_error error;
    ck_assert_msg(adi_type_parse(types[_i].format, &type, &error) == 0, "%s", error.text);
    ck_assert_str_eq(type.name, types[_i].name);
    ck_assert_int_eq(type.layout, types[_i].layout);
    ck_assert_int_eq(type.bits, types[_i].bits);
    ck_assert_int_eq(type.n_children, types[_i].n_children);
    ck_assert_int_eq(adi_type_buffers(&type), types[_i].buffers);
    ck_assert_int_eq(type.is_integer, strlen(types[_i].format) == 1 &&
                                          strchr("cCsSiIlL", *types[_i].format) != NULL);
    ck_assert_int_eq(type.is_signed, type.is_integer && strchr("csil", *types[_i].format) != NULL);
}
END_TEST

/* But for the ids, of which as many count as there are. */
START_TEST(what_was_there_before_is_in_no_type)
{
    struct adi_type a, b;
    memset(&a, 0x00, sizeof a);
    memset(&b, 0xA5, sizeof b);
    ck_assert_int_eq(adi_type_parse(types[_i].format, &a, NULL), 0);
    ck_assert_int_eq(adi_type_parse(types[_i].format, &b, NULL), 0);
    ck_assert(a.name == b.name && a.layout == b.layout && a.bits == b.bits && a.size == b.size);
    ck_assert(a.n_children == b.n_children && a.precision == b.precision && a.scale == b.scale);
    ck_assert(a.is_integer == b.is_integer && a.is_signed == b.is_signed);
    ck_assert(a.timezone == b.timezone && a.n_type_ids == b.n_type_ids);
    ck_assert_mem_eq(a.type_ids, b.type_ids, (size_t)a.n_type_ids);
}
END_TEST

START_TEST(a_malformed_format_is_refused_at_its_place)
{
    struct adi_type type;
    struct adi_error error = {""};
    ck_assert_int_eq(adi_type_parse(malformed[_i].format, &type, &error), EINVAL);
    const char *said = strstr(error.text, "\": expected ");
    ck_assert_msg(said != NULL, "%s", error.text);
    ck_assert_str_eq(said + strlen("\": expected "), malformed[_i].sentence);
}
END_TEST

START_TEST(no_format_at_all_is_refused)
{
    struct adi_type type;
    ck_assert_int_eq(adi_type_parse(NULL, &type, NULL), EINVAL);
}
END_TEST

START_TEST(parameters_are_taken)
{
    struct adi_type type;
    ck_assert_int_eq(adi_type_parse("d:12,-3,256", &type, NULL), 0);
    ck_assert_int_eq(type.precision, 12);
    ck_assert_int_eq(type.scale, -3);
    ck_assert_int_eq(adi_type_parse("+w:7", &type, NULL), 0);
    ck_assert_int_eq(type.size, 7);
    ck_assert_ptr_null(type.timezone);
    ck_assert_int_eq(adi_type_parse("tss:", &type, NULL), 0);
    ck_assert_str_eq(type.timezone, "");
    ck_assert_int_eq(adi_type_parse("tss:i:,x", &type, NULL), 0);
    ck_assert_str_eq(type.timezone, "i:,x");
    ck_assert_int_eq(adi_type_parse("+us:127,0,5", &type, NULL), 0);
    ck_assert_int_eq(type.n_type_ids, 3);
    ck_assert_int_eq(type.type_ids[0], 127);
    ck_assert_int_eq(type.type_ids[2], 5);
}
END_TEST

START_TEST(a_view_has_its_lengths_last)
{
    struct adi_type type;
    ck_assert_int_eq(adi_type_parse("vu", &type, NULL), 0);
    ck_assert_int_eq(adi_type_role(&type, 0, 5), ADI_BUFFER_VALIDITY);
    ck_assert_int_eq(adi_type_role(&type, 1, 5), ADI_BUFFER_VIEWS);
    ck_assert_int_eq(adi_type_role(&type, 3, 5), ADI_BUFFER_VARIADIC);
    ck_assert_int_eq(adi_type_role(&type, 4, 5), ADI_BUFFER_VARIADIC_LENGTHS);
    ck_assert_int_eq(adi_type_role(&type, 2, 3), ADI_BUFFER_VARIADIC_LENGTHS);
    ck_assert_str_eq(adi_buffer_role_name(ADI_BUFFER_VARIADIC_LENGTHS), "variadic lengths");
}
END_TEST

static int64_t bytes_of(const char *format, const struct ArrowArray *array, int64_t index) {
    struct adi_type type;
    struct adi_error error;
    int64_t bytes = -1;
    ck_assert_int_eq(adi_type_parse(format, &type, NULL), 0);
    ck_assert_msg(adi_type_buffer_bytes(&type, array, index, NULL, &bytes, &error) == 0, "%s",
                  error.text);
    return bytes;
}

START_TEST(buffers_reach_to_length_plus_offset)
{
    char some[1] = {0};
    struct ArrowArray array = ARRAY(.length = 6, .offset = 3, BUFFERS(some, some, some));
    ck_assert_int_eq(bytes_of("b", &array, 0), 2);
    ck_assert_int_eq(bytes_of("b", &array, 1), 2);
    ck_assert_int_eq(bytes_of("i", &array, 1), 36);
    ck_assert_int_eq(bytes_of("w:5", &array, 1), 45);
    ck_assert_int_eq(bytes_of("u", &array, 1), 40);
    ck_assert_int_eq(bytes_of("+L", &array, 1), 80);
    ck_assert_int_eq(bytes_of("+vL", &array, 1), 72);
    ck_assert_int_eq(bytes_of("+vl", &array, 2), 36);
    ck_assert_int_eq(bytes_of("+ud:1", &array, 0), 9);
    ck_assert_int_eq(bytes_of("+ud:1", &array, 1), 36);
    ck_assert_int_eq(bytes_of("vu", &array, 1), 144);
    array.buffers[0] = NULL;
    ck_assert_int_eq(bytes_of("i", &array, 0), 0);
}
END_TEST

START_TEST(an_empty_array_needs_one_offset_unless_it_has_none)
{
    int32_t offsets[6] = {0, 0, 0, 0, 0, 9};
    struct ArrowArray array = ARRAY(.length = 0, BUFFERS(NULL, offsets, NULL));
    ck_assert_int_eq(bytes_of("u", &array, 1), 4);
    ck_assert_int_eq(bytes_of("u", &array, 2), 0);
    array.offset = 5;
    ck_assert_int_eq(bytes_of("u", &array, 1), 24);
    ck_assert_int_eq(bytes_of("u", &array, 2), 0); /* no slot has any of the data */
    array.buffers[2] = offsets;
    ck_assert_int_eq(bytes_of("u", &array, 2), 9);
    array.offset = 0;
    array.buffers[1] = NULL;
    ck_assert_int_eq(bytes_of("u", &array, 1), 0);
    ck_assert_int_eq(bytes_of("u", &array, 2), 0);
    ck_assert_int_eq(bytes_of("+vl", &array, 1), 0);
}
END_TEST

START_TEST(variadic_lengths_are_read)
{
    int64_t lengths[2] = {100, 7};
    struct ArrowArray array = ARRAY(.length = 1, BUFFERS(NULL, lengths, NULL, NULL, lengths));
    ck_assert_int_eq(bytes_of("vz", &array, 2), 100);
    ck_assert_int_eq(bytes_of("vz", &array, 3), 7);
    ck_assert_int_eq(bytes_of("vz", &array, 4), 16);
}
END_TEST

START_TEST(impossible_sizes_are_refused)
{
    int32_t offsets[2] = {0, -1};
    int64_t lengths[1] = {-1}, bytes;
    struct adi_type type;
    struct ArrowArray array = ARRAY(.length = 1, BUFFERS(NULL, offsets, NULL, lengths));
    ck_assert_int_eq(adi_type_parse("u", &type, NULL), 0);
    ck_assert_int_eq(adi_type_buffer_bytes(&type, &array, 2, NULL, &bytes, NULL), EINVAL);
    array.length = -1;
    ck_assert_int_eq(adi_type_buffer_bytes(&type, &array, 1, NULL, &bytes, NULL), EINVAL);
    array.length = INT64_MAX;
    ck_assert_int_eq(adi_type_buffer_bytes(&type, &array, 1, NULL, &bytes, NULL), EINVAL);
    array.offset = 1;
    ck_assert_int_eq(adi_type_buffer_bytes(&type, &array, 0, NULL, &bytes, NULL), EINVAL);
    array.offset = 0;
    array.length = INT64_MAX / 8;
    ck_assert_int_eq(adi_type_buffer_bytes(&type, &array, 1, NULL, &bytes, NULL), EINVAL);
    array.length = 1;
    array.buffers[1] = NULL;
    ck_assert_int_eq(adi_type_buffer_bytes(&type, &array, 2, NULL, &bytes, NULL), EINVAL);
    ck_assert_int_eq(adi_type_parse("vu", &type, NULL), 0);
    ck_assert_int_eq(adi_type_buffer_bytes(&type, &array, 2, NULL, &bytes, NULL), EINVAL);
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

Suite *ref_type_suite(void) {
    Suite *suite = suite_create("ref_type");
    TCase *parse = tcase_create("parse"), *size = tcase_create("size");
    tcase_add_loop_test(parse, every_format_gives_its_layout, 0, COUNT(types));
    tcase_add_loop_test(parse, what_was_there_before_is_in_no_type, 0, COUNT(types));
    tcase_add_loop_test(parse, a_malformed_format_is_refused_at_its_place, 0, COUNT(malformed));
    tcase_add_test(parse, no_format_at_all_is_refused);
    tcase_add_test(parse, parameters_are_taken);
    suite_add_tcase(suite, parse);
    tcase_add_test(size, a_view_has_its_lengths_last);
    tcase_add_test(size, buffers_reach_to_length_plus_offset);
    tcase_add_test(size, an_empty_array_needs_one_offset_unless_it_has_none);
    tcase_add_test(size, variadic_lengths_are_read);
    tcase_add_test(size, impossible_sizes_are_refused);
    suite_add_tcase(suite, size);
    return suite;
}
