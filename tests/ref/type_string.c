/* SPDX-License-Identifier: Apache-2.0 */
#include "type_string.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "type.h"

Suite *ref_type_string_suite(void);

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static struct adi_error error;

static const struct {
    const char *text, *unit;
    char order, kind;
    int64_t multiple, number, bytes;
} parsed[] = {
    {"<f8", "", '<', 'f', 1, 8, 8},
    {">i4", "", '>', 'i', 1, 4, 4},
    {"|b1", "", '|', 'b', 1, 1, 1},
    {"<i1", "", '<', 'i', 1, 1, 1},
    {"|u1", "", '|', 'u', 1, 1, 1},
    {"<c16", "", '<', 'c', 1, 16, 16},
    {"|O8", "", '|', 'O', 1, 8, 8},
    {"|S0", "", '|', 'S', 1, 0, 0},
    {"|V516", "", '|', 'V', 1, 516, 516},
    {"<U16", "", '<', 'U', 1, 16, 64},
    {"|t1", "", '|', 't', 1, 1, 1},
    {"<t17", "", '<', 't', 1, 17, 3},
    {"<M8", "", '<', 'M', 1, 8, 8},
    {"<M8[ns]", "ns", '<', 'M', 1, 8, 8},
    {">m8[s]", "s", '>', 'm', 1, 8, 8},
    {"<M8[M]", "M", '<', 'M', 1, 8, 8},
    {"<m8[m]", "m", '<', 'm', 1, 8, 8},
    {"<m8[25ms]", "ms", '<', 'm', 25, 8, 8},
    {"|V9223372036854775807", "", '|', 'V', 1, INT64_MAX, INT64_MAX},
};

START_TEST(a_type_string_says_order_kind_and_size)
{
    struct adi_type_string out;
    memset(&out, 0x5a, sizeof out);
    ck_assert_msg(adi_type_string_parse(parsed[_i].text, &out, &error) == 0, "%s", error.text);
    ck_assert_int_eq(out.order, parsed[_i].order);
    ck_assert_int_eq(out.kind, parsed[_i].kind);
    ck_assert_str_eq(out.unit, parsed[_i].unit);
    ck_assert_int_eq(out.multiple, parsed[_i].multiple);
    ck_assert_int_eq(out.number, parsed[_i].number);
    ck_assert_int_eq(out.bytes, parsed[_i].bytes);
}
END_TEST

static const struct {
    const char *text, *says;
} malformed[] = {
    {"", "typestr \"\": wanted <, > or | at byte 0"},
    {"f8", "wanted <, > or | at byte 0"},
    {"=f8", "wanted <, > or | at byte 0"},
    {"<", "wanted one of tbiufcmMOSUV at byte 1"},
    {"<x8", "wanted one of tbiufcmMOSUV at byte 1"},
    {"<f", "wanted a number of bytes at byte 2"},
    {"<f-8", "wanted a number of bytes at byte 2"},
    {"<f8 ", "wanted its end at byte 3"},
    {"<f8[ns]", "wanted its end at byte 3"},
    {"|V9223372036854775808", "wanted a smaller number at byte 20"},
    {"<U2305843009213693952", "wanted a smaller number before at byte 21"},
    {"<M8[xs]", "wanted a unit of time and a ] at byte 4"},
    {"<M8[ns", "wanted a unit of time and a ] at byte 4"},
    {"<M8[]", "wanted a unit of time and a ] at byte 4"},
    {"<M8[0s]", "wanted a unit of some length before at byte 7"},
    {"<M8[ns]]", "wanted its end at byte 7"},
    {"|i4", "| leaves the order of its 4 bytes open"},
    {"|M8[ns]", "| leaves the order of its 8 bytes open"},
};

START_TEST(what_is_no_type_string_is_refused_at_its_place)
{
    struct adi_type_string out;
    ck_assert_int_eq(adi_type_string_parse(malformed[_i].text, &out, &error), EINVAL);
    ck_assert_msg(strstr(error.text, malformed[_i].says) != NULL, "%s", error.text);
    ck_assert_int_eq(adi_type_string_parse(malformed[_i].text, &out, NULL), EINVAL);
}
END_TEST

/* ---- descr ---- */

#define FIELD(name_, ...)                                                                          \
    { .name = name_, .typestr = __VA_ARGS__ }
#define FIELDS(array) array, sizeof array / sizeof *(array)

/* The page's own examples. */
static const struct adi_array_field complex_double[] = {FIELD("real", ">f4"), FIELD("imag", ">f4")};
static const struct adi_array_field inner[] = {FIELD("", "<u2"), FIELD("", "|u1"),
                                               FIELD("", "|u1")};
static const struct adi_array_field nested[] = {FIELD("", "<i4"),
                                                {.name = "sub", .fields = inner, .n_fields = 3}};
static const int64_t sixteen_by_four[] = {16, 4};
static const struct adi_array_field repeated[] = {
    FIELD("", ">i4"), FIELD("", ">f8", .shape = sixteen_by_four, .n_dimensions = 2)};
static const struct adi_array_field padded[] = {FIELD("", ">i4"), FIELD("", "|V4"),
                                                FIELD("", ">f8")};

START_TEST(parts_make_up_an_item)
{
    ck_assert_int_eq(adi_array_fields_check(FIELDS(complex_double), 8, &error), 0);
    ck_assert_int_eq(adi_array_fields_check(FIELDS(nested), 8, &error), 0);
    ck_assert_int_eq(adi_array_fields_check(FIELDS(repeated), 516, &error), 0);
    ck_assert_int_eq(adi_array_fields_check(FIELDS(padded), 16, &error), 0);
    ck_assert_int_eq(adi_array_fields_check(FIELDS(padded), 15, &error), EINVAL);
    ck_assert_str_eq(error.text, "descr: 16 bytes in all, but typestr says 15");
    ck_assert(!adi_array_fields_say_nothing(FIELDS(padded), "|V16"));
    ck_assert(adi_array_fields_say_nothing(padded, 1, ">i4"));
    ck_assert(!adi_array_fields_say_nothing(padded, 1, "<i4"));
    ck_assert(!adi_array_fields_say_nothing(&repeated[1], 1, ">f8"));
    ck_assert(!adi_array_fields_say_nothing(&nested[1], 1, "|V4"));
}
END_TEST

/* Whatever the other dimensions are. */
START_TEST(a_part_that_is_never_there_has_no_bytes)
{
    static const int64_t never[] = {INT64_MAX, INT64_MAX, 0}, negative[] = {0, -1};
    struct adi_array_field part = FIELD("", "<u2", .shape = never, .n_dimensions = 3);
    ck_assert_msg(adi_array_fields_check(&part, 1, 0, &error) == 0, "%s", error.text);
    part.shape = negative;
    part.n_dimensions = 2;
    ck_assert_int_eq(adi_array_fields_check(&part, 1, 0, &error), EINVAL);
}
END_TEST

static const int64_t huge[] = {INT64_MAX}, negative[] = {-1};
static const struct adi_array_field wrong_inner[] = {FIELD("", "|u1"), FIELD("", "x")};
static const struct adi_array_field halves[] = {FIELD("", "|V9223372036854775807"),
                                                FIELD("", "|V1")};

static const struct {
    struct adi_array_field field;
    const char *says;
} wrong[] = {
    {{.name = NULL, .typestr = "|u1"}, "descr[0]: no name"},
    {{.name = "", .typestr = "u1"}, "descr[0]: typestr \"u1\": wanted <, > or |"},
    {{.name = ""}, "descr[0]: neither a type string nor parts"},
    {{.name = "", .fields = wrong_inner}, "descr[0]: neither a type string nor parts"},
    {{.name = "", .fields = wrong_inner, .n_fields = 2}, "descr[0].descr[1]: typestr \"x\""},
    {FIELD("", "|u1", .shape = negative, .n_dimensions = 1), "descr[0]: a negative shape"},
    {FIELD("", "|u1", .n_dimensions = 1), "descr[0]: a shape of 1 dimensions, and it is NULL"},
    {FIELD("", "|u1", .shape = negative, .n_dimensions = -1), "descr[0]: a shape of -1 dimensions"},
    {FIELD("", "<u2", .shape = huge, .n_dimensions = 1),
     "descr[0]: more bytes than can be counted"},
    {{.name = "", .fields = halves, .n_fields = 2},
     "descr[0].descr[1]: more bytes than can be counted"},
};

START_TEST(a_part_that_is_none_is_refused_at_its_place)
{
    ck_assert_int_eq(adi_array_fields_check(&wrong[_i].field, 1, 1, &error), EINVAL);
    ck_assert_msg(strncmp(error.text, wrong[_i].says, strlen(wrong[_i].says)) == 0, "%s",
                  error.text);
}
END_TEST

START_TEST(parts_have_a_depth)
{
    struct adi_array_field fields[ADI_ARRAY_FIELDS_DEPTH + 1];
    for (int i = 0; i < ADI_ARRAY_FIELDS_DEPTH; i++)
        fields[i] = (struct adi_array_field){.name = "", .fields = &fields[i + 1], .n_fields = 1};
    fields[ADI_ARRAY_FIELDS_DEPTH] = (struct adi_array_field)FIELD("", "|u1");
    ck_assert_int_eq(adi_array_fields_check(&fields[1], 1, 1, &error), 0);
    ck_assert_int_eq(adi_array_fields_check(&fields[0], 1, 1, &error), ENOTSUP);
    fields[1].fields = &fields[0]; /* within itself */
    ck_assert_int_eq(adi_array_fields_check(&fields[0], 1, 1, &error), ENOTSUP);
    ck_assert_int_eq(adi_array_fields_check(NULL, 0, 0, &error), EINVAL);
    ck_assert_int_eq(adi_array_fields_check(NULL, 1, 0, &error), EINVAL);
    ck_assert_str_eq(error.text, "descr: no parts");
}
END_TEST

/* ---- Arrow ---- */

static const struct {
    const char *text, *format;
    unsigned needs;
} mapped[] = {
    {"|i1", "c", 0},        {"|u1", "C", 0},
    {"<i2", "s", 0},        {"<u2", "S", 0},
    {"<i4", "i", 0},        {"<u4", "I", 0},
    {"<i8", "l", 0},        {"<u8", "L", 0},
    {"<f2", "e", 0},        {"<f4", "f", 0},
    {"<f8", "g", 0},        {"|b1", "b", ADI_NEEDS_PACKING},
    {"<M8[s]", "tss:", 0},  {"<M8[ms]", "tsm:", 0},
    {"<M8[us]", "tsu:", 0}, {"<M8[ns]", "tsn:", 0},
    {"<m8[s]", "tDs", 0},   {"<m8[ms]", "tDm", 0},
    {"<m8[us]", "tDu", 0},  {"<m8[ns]", "tDn", 0},
    {"|V0", "w:0", 0},      {"|V2147483647", "w:2147483647", 0},
};

static int to_arrow(const char *text, char *format, unsigned *needs) {
    struct adi_type_string type;
    ck_assert_int_eq(adi_type_string_parse(text, &type, &error), 0);
    return adi_type_string_to_arrow(&type, format, needs, &error);
}

/* Little-endian machines. */
START_TEST(types_that_both_have_are_mapped_both_ways)
{
    char format[ADI_FORMAT_SIZE], text[ADI_TYPE_STRING_SIZE];
    struct adi_type_string string;
    struct adi_type type;
    unsigned needs = 99;
    ck_assert_msg(to_arrow(mapped[_i].text, format, &needs) == 0, "%s", error.text);
    ck_assert_str_eq(format, mapped[_i].format);
    ck_assert_uint_eq(needs, mapped[_i].needs);
    needs = 99;
    ck_assert_int_eq(adi_type_string_from_arrow(format, text, &needs, &error), 0);
    ck_assert_str_eq(text, mapped[_i].text);
    ck_assert_uint_eq(needs, mapped[_i].needs);
    ck_assert_int_eq(adi_type_parse(format, &type, &error), 0);
    ck_assert_int_eq(adi_type_string_parse(text, &string, &error), 0);
    ck_assert_int_eq(type.bits, needs == 0 ? string.bytes * 8 : 1);
}
END_TEST

START_TEST(the_other_order_of_bytes_needs_swapping)
{
    char format[ADI_FORMAT_SIZE];
    unsigned needs;
    ck_assert_int_eq(to_arrow(">f8", format, &needs), 0);
    ck_assert_uint_eq(needs, ADI_NEEDS_SWAPPING);
    ck_assert_int_eq(to_arrow(">M8[ns]", format, &needs), 0);
    ck_assert_uint_eq(needs, ADI_NEEDS_SWAPPING);
    ck_assert_int_eq(to_arrow(">i1", format, &needs), 0);
    ck_assert_uint_eq(needs, 0);
    ck_assert_int_eq(to_arrow(">b1", format, &needs), 0);
    ck_assert_uint_eq(needs, ADI_NEEDS_PACKING);
    ck_assert_int_eq(to_arrow("|S5", format, &needs), 0);
    ck_assert_str_eq(format, "w:5");
}
END_TEST

static const struct {
    const char *text, *says;
} strangers[] = {
    {"<c8", "Arrow has no complex numbers"},
    {"<c16", "Arrow has no complex numbers"},
    {"<f16", "no numbers of that size"},
    {"<i16", "no numbers of that size"},
    {"<u3", "no numbers of that size"},
    {"|V2147483648", "no numbers of that size"},
    {"<b4", "a bool of Arrow is a bit"},
    {"|t1", "bit field"},
    {"|O8", "PyObject *"},
    {"<U4", "UCS-4"},
    {"<M8", "Arrow counts time in s, ms, us or ns"},
    {"<M8[D]", "Arrow counts time in s, ms, us or ns"},
    {"<m8[25s]", "Arrow counts time in s, ms, us or ns"},
};

START_TEST(what_arrow_lacks_is_refused_with_the_reason)
{
    char format[ADI_FORMAT_SIZE];
    unsigned needs;
    ck_assert_int_eq(to_arrow(strangers[_i].text, format, &needs), ENOTSUP);
    ck_assert_msg(strstr(error.text, strangers[_i].says) != NULL, "%s", error.text);
}
END_TEST

START_TEST(what_type_strings_lack_is_refused)
{
    static const char *const formats[] = {"n",  "u",   "+l",  "tdD",     "tts",
                                          "vu", "d:9", "tiM", "tsn:UTC", "+w:3"};
    char text[ADI_TYPE_STRING_SIZE];
    unsigned needs;
    const char *format = formats[_i];
    ck_assert_int_eq(adi_type_string_from_arrow(format, text, &needs, &error), ENOTSUP);
    ck_assert_ptr_nonnull(strstr(error.text, format));
    ck_assert((strstr(error.text, "time zone") != NULL) == (strcmp(format, "tsn:UTC") == 0));
}
END_TEST

Suite *ref_type_string_suite(void) {
    Suite *suite = suite_create("ref_type_string");
    TCase *parse = tcase_create("parse"), *descr = tcase_create("descr");
    TCase *arrow = tcase_create("arrow");
    tcase_add_loop_test(parse, a_type_string_says_order_kind_and_size, 0, COUNT(parsed));
    tcase_add_loop_test(parse, what_is_no_type_string_is_refused_at_its_place, 0, COUNT(malformed));
    suite_add_tcase(suite, parse);
    tcase_add_test(descr, parts_make_up_an_item);
    tcase_add_test(descr, a_part_that_is_never_there_has_no_bytes);
    tcase_add_loop_test(descr, a_part_that_is_none_is_refused_at_its_place, 0, COUNT(wrong));
    tcase_add_test(descr, parts_have_a_depth);
    suite_add_tcase(suite, descr);
    tcase_add_loop_test(arrow, types_that_both_have_are_mapped_both_ways, 0, COUNT(mapped));
    tcase_add_test(arrow, the_other_order_of_bytes_needs_swapping);
    tcase_add_loop_test(arrow, what_arrow_lacks_is_refused_with_the_reason, 0, COUNT(strangers));
    tcase_add_loop_test(arrow, what_type_strings_lack_is_refused, 0, 10);
    suite_add_tcase(suite, arrow);
    return suite;
}
