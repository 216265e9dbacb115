/* SPDX-License-Identifier: Apache-2.0 */
#include "compare.h"

#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "literal.h"

Suite *ref_compare_suite(void);

static void same(const struct ArrowSchema *schema, const struct ArrowArray *a,
                 const struct ArrowArray *b) {
    struct adi_error error = {""};
    ck_assert_msg(adi_array_compare(schema, a, schema, b, &error) == 0, "%s", error.text);
    ck_assert_int_eq(adi_array_compare(schema, b, schema, a, NULL), 0);
}

static void differ(const struct ArrowSchema *schema, const struct ArrowArray *a,
                   const struct ArrowArray *b, const char *sentence) {
    struct adi_error error = {""};
    ck_assert_int_eq(adi_array_compare(schema, a, schema, b, &error), EILSEQ);
    ck_assert_str_eq(error.text, sentence);
    ck_assert_int_eq(adi_array_compare(schema, b, schema, a, NULL), EILSEQ);
}

START_TEST(numbers_are_compared_by_value)
{
    const int32_t v[] = {9, 1, 2, -3}, w[] = {1, 2, -3, 7};
    struct ArrowSchema of = SCHEMA("i");
    struct ArrowArray a = ARRAY(.length = 3, .offset = 1, BUFFERS(NULL, v));
    struct ArrowArray b = ARRAY(.length = 3, BUFFERS(NULL, w));
    same(&of, &a, &b);
    a.offset = 0;
    differ(&of, &a, &b, "[0]: saw 9, wanted 1");
    a.offset = 1;
    b.offset = 1;
    differ(&of, &a, &b, "[0]: saw 1, wanted 2 (at offset 1, wanted at offset 1)");
    b.length = 2;
    differ(&of, &a, &b, "length: saw 3, wanted 2");
    struct ArrowSchema other = SCHEMA("I");
    ck_assert_int_eq(adi_array_compare(&of, &a, &other, &a, NULL), EILSEQ);
}
END_TEST

START_TEST(nulls_count_and_what_lies_under_them_does_not)
{
    const uint8_t v[] = {5, 6, 7}, w[] = {5, 99, 7}, full[] = {0xff}, hole[] = {0xfd};
    const uint8_t shifted[] = {0xfb}, wide[] = {0, 5, 1, 7};
    struct ArrowSchema of = SCHEMA("C");
    struct ArrowArray a = ARRAY(.length = 3, .null_count = 1, BUFFERS(hole, v));
    struct ArrowArray b = ARRAY(.length = 3, .null_count = -1, BUFFERS(hole, w));
    same(&of, &a, &b);
    struct ArrowArray c = ARRAY(.length = 3, .offset = 1, .null_count = 1, BUFFERS(shifted, wide));
    same(&of, &a, &c);
    struct ArrowArray no_bitmap = ARRAY(.length = 3, BUFFERS(NULL, v));
    struct ArrowArray full_bitmap = ARRAY(.length = 3, .null_count = -1, BUFFERS(full, v));
    same(&of, &no_bitmap, &full_bitmap);
    differ(&of, &a, &no_bitmap, "[1]: saw null, wanted 6");
    differ(&of, &no_bitmap, &b, "[1]: saw 6, wanted null");
    differ(&of, &full_bitmap, &b, "[1]: saw 6, wanted null");
}
END_TEST

START_TEST(floats_are_compared_by_bits)
{
    const double v[] = {NAN, 0.0, 1.5}, w[] = {NAN, -0.0, 1.5};
    uint64_t payload = UINT64_C(0x7ff8000000000001);
    struct ArrowSchema of = SCHEMA("g");
    struct ArrowArray a = ARRAY(.length = 1, BUFFERS(NULL, v));
    struct ArrowArray b = ARRAY(.length = 1, BUFFERS(NULL, w));
    same(&of, &a, &b);
    a.offset = b.offset = 1;
    differ(&of, &a, &b, "[0]: saw 0, wanted -0 (at offset 1, wanted at offset 1)");
    struct ArrowArray c = ARRAY(.length = 1, BUFFERS(NULL, &payload));
    a.offset = 0;
    differ(&of, &a, &c, "[0]: saw nan, wanted nan");
}
END_TEST

START_TEST(bits_and_bytes_are_compared)
{
    const uint8_t v[] = {0xb6}, w[] = {0x5b};
    struct ArrowSchema bools = SCHEMA("b"), fixed = SCHEMA("w:2"), empty = SCHEMA("w:0");
    struct ArrowArray a = ARRAY(.length = 7, .offset = 1, BUFFERS(NULL, v));
    struct ArrowArray b = ARRAY(.length = 7, BUFFERS(NULL, w));
    same(&bools, &a, &b);
    a.offset = 0;
    differ(&bools, &a, &b, "[0]: saw false, wanted true");
    struct ArrowArray c = ARRAY(.length = 2, BUFFERS(NULL, "abc\"")), d = c;
    d.buffers = (const void *[]){NULL, "abcd"};
    differ(&fixed, &c, &d,
           "[1]: saw fixed_size_binary \"c\\x22\", wanted fixed_size_binary \"cd\"");
    d.buffers[1] = c.buffers[1] = NULL;
    same(&empty, &c, &d);
}
END_TEST

START_TEST(strings_are_compared_wherever_they_lie)
{
    const int32_t v[] = {0, 1, 3, 3}, w[] = {7, 8, 10, 10};
    struct ArrowSchema of = SCHEMA("u");
    struct ArrowArray a = ARRAY(.length = 3, BUFFERS(NULL, v, "abc"));
    struct ArrowArray b = ARRAY(.length = 3, BUFFERS(NULL, w, "-------abc"));
    same(&of, &a, &b);
    struct ArrowArray c = ARRAY(.length = 3, BUFFERS(NULL, v, "abd"));
    differ(&of, &a, &c, "[1]: saw \"bc\", wanted \"bd\"");
    const int32_t none[] = {0, 0};
    struct ArrowArray d = ARRAY(.length = 1, BUFFERS(NULL, none, NULL)), e = d;
    same(&of, &d, &e);
}
END_TEST

/* A view of `text`, inline where that is possible, else at `offset` of variadic buffer `index`. */
static void view(int32_t *out, const char *text, int32_t index, int32_t offset) {
    int32_t bytes = (int32_t)strlen(text);
    memset(out, 0, 16);
    out[0] = bytes;
    memcpy(out + 1, text, bytes <= 12 ? (size_t)bytes : 4);
    if (bytes > 12) out[2] = index, out[3] = offset;
}

START_TEST(views_are_compared_however_they_are_split)
{
    int32_t v[12], w[12];
    const int64_t lengths[] = {13, 13};
    view(v, "short", 0, 0), view(v + 4, "twelve bytes", 0, 0), view(v + 8, "thirteen byte", 0, 0);
    view(w, "short", 0, 0), view(w + 4, "twelve bytes", 0, 0), view(w + 8, "thirteen byte", 1, 2);
    struct ArrowSchema of = SCHEMA("vu");
    struct ArrowArray a = ARRAY(.length = 3, BUFFERS(NULL, v, "thirteen byte", lengths));
    struct ArrowArray b = ARRAY(.length = 3, BUFFERS(NULL, w, "", "--thirteen byte", lengths));
    same(&of, &a, &b);
    struct ArrowArray c = ARRAY(.length = 3, BUFFERS(NULL, w, "", "--thirteen bits", lengths));
    differ(&of, &a, &c, "[2]: saw \"thirteen byte\", wanted \"thirteen bits\"");
    a.length = c.length = 2;
    same(&of, &a, &c);
}
END_TEST

START_TEST(lists_are_compared_by_elements)
{
    const int32_t v[] = {1, 2, 3}, w[] = {0, 3, 1, 2}, ends[] = {0, 2, 3, 3};
    const int64_t at[] = {0, 2, 2}, sizes[] = {2, 1, 0}, large[] = {0, 2, 3, 3};
    struct ArrowSchema item = SCHEMA("i"), of = SCHEMA("+l", SCHEMAS(&item));
    struct ArrowSchema views = SCHEMA("+vL", SCHEMAS(&item)), larges = SCHEMA("+L", SCHEMAS(&item));
    struct ArrowArray items = ARRAY(.length = 3, BUFFERS(NULL, v));
    struct ArrowArray others = ARRAY(.length = 3, .offset = 1, BUFFERS(NULL, w));
    struct ArrowArray a = ARRAY(.length = 3, BUFFERS(NULL, ends), ARRAYS(&items));
    struct ArrowArray b = ARRAY(.length = 3, BUFFERS(NULL, ends), ARRAYS(&others));
    differ(&of, &a, &b, "[0][0]: saw 1, wanted 3 (at offset 0, wanted at offset 1)");
    const int64_t ordered[] = {0, 2, 1};
    struct ArrowArray c = ARRAY(.length = 3, BUFFERS(NULL, ordered, sizes), ARRAYS(&items));
    const int64_t gaps[] = {1, 0, 2};
    struct ArrowArray d = ARRAY(.length = 3, BUFFERS(NULL, gaps, sizes), ARRAYS(&others));
    same(&views, &c, &d);
    d.buffers = (const void *[]){NULL, at, sizes};
    differ(&views, &c, &d, "[0][0]: saw 1, wanted 3 (at offset 0, wanted at offset 1)");
    const int64_t shorter[] = {1, 1, 0};
    d.buffers = (const void *[]){NULL, gaps, shorter};
    differ(&views, &c, &d, "[0]: saw a list of 2, wanted a list of 1");
    struct ArrowArray e = ARRAY(.length = 2, .offset = 1, BUFFERS(NULL, large), ARRAYS(&items));
    struct ArrowArray f = e;
    same(&larges, &e, &f);
}
END_TEST

START_TEST(fixed_size_lists_are_compared_from_their_offset)
{
    const int8_t v[] = {1, 2, 3, 4, 5, 6}, w[] = {3, 4, 5, 7};
    struct ArrowSchema item = SCHEMA("c"), of = SCHEMA("+w:2", SCHEMAS(&item));
    struct ArrowArray items = ARRAY(.length = 6, BUFFERS(NULL, v));
    struct ArrowArray others = ARRAY(.length = 4, BUFFERS(NULL, w));
    struct ArrowArray a = ARRAY(.length = 1, .offset = 1, BUFFERS(NULL), ARRAYS(&items));
    struct ArrowArray b = ARRAY(.length = 1, BUFFERS(NULL), ARRAYS(&others));
    same(&of, &a, &b);
    a.length = b.length = 2;
    differ(&of, &a, &b, "[1][1]: saw 6, wanted 7");
}
END_TEST

START_TEST(nulls_of_a_struct_hide_its_children)
{
    const int8_t v[] = {0, 1, 2, 3}, w[] = {1, 9, 3}, x[] = {1, 9, 4};
    const uint8_t hole[] = {0x0a}, same_hole[] = {0x05};
    struct ArrowSchema plain = SCHEMA("c"), of = SCHEMA("+s", SCHEMAS(&plain, &plain));
    struct ArrowArray seen = ARRAY(.length = 4, BUFFERS(NULL, v));
    struct ArrowArray wanted = ARRAY(.length = 3, BUFFERS(NULL, w));
    struct ArrowArray wrong = ARRAY(.length = 3, BUFFERS(NULL, x));
    struct ArrowArray a = ARRAY(.length = 3, .offset = 1, BUFFERS(hole), ARRAYS(&seen, &seen));
    struct ArrowArray b = ARRAY(.length = 3, BUFFERS(same_hole), ARRAYS(&wanted, &wanted));
    struct ArrowArray c = ARRAY(.length = 3, BUFFERS(same_hole), ARRAYS(&wanted, &wrong));
    same(&of, &a, &b);
    differ(&of, &a, &c, "children[1][2]: saw 3, wanted 4");
    struct ArrowArray d = ARRAY(.length = 3, BUFFERS(NULL), ARRAYS(&wanted, &wanted));
    differ(&of, &a, &d, "[1]: saw null, wanted a struct (at offset 1, wanted at offset 0)");
}
END_TEST

START_TEST(unions_are_compared_by_type_id_and_slot)
{
    const int8_t v[] = {1, 2, 3}, ids[] = {7, 5, 7}, other_ids[] = {7, 7, 7};
    const int16_t w[] = {-1, -2, -3};
    const int32_t slots[] = {0, 0, 1}, far_slots[] = {0, 1, 2};
    const int8_t packed[] = {1, 3};
    struct ArrowSchema one = SCHEMA("c"), two = SCHEMA("s");
    struct ArrowSchema sparse = SCHEMA("+us:7,5", SCHEMAS(&one, &two));
    struct ArrowSchema dense = SCHEMA("+ud:7,5", SCHEMAS(&one, &two));
    struct ArrowArray x = ARRAY(.length = 3, BUFFERS(NULL, v)),
                      y = ARRAY(.length = 3, BUFFERS(NULL, w));
    struct ArrowArray z = ARRAY(.length = 2, BUFFERS(NULL, packed));
    struct ArrowArray last = ARRAY(.length = 1, .offset = 1, BUFFERS(NULL, w));
    struct ArrowArray a = ARRAY(.length = 3, BUFFERS(ids), ARRAYS(&x, &y));
    struct ArrowArray b = ARRAY(.length = 3, BUFFERS(other_ids), ARRAYS(&x, &y));
    differ(&sparse, &a, &b, "[1]: saw a value of type id 5, wanted a value of type id 7");
    struct ArrowArray c = ARRAY(.length = 3, BUFFERS(ids, slots), ARRAYS(&z, &last));
    struct ArrowArray d = ARRAY(.length = 3, BUFFERS(ids, far_slots), ARRAYS(&x, &y));
    same(&dense, &c, &d);
    const int8_t changed[] = {1, 2, 4};
    struct ArrowArray e = ARRAY(.length = 3, BUFFERS(NULL, changed));
    struct ArrowArray f = ARRAY(.length = 3, BUFFERS(ids), ARRAYS(&e, &y));
    differ(&sparse, &a, &f, "children[0][2]: saw 3, wanted 4");
    a.offset = f.offset = 1;
    a.length = f.length = 1;
    same(&sparse, &a, &f);
    struct ArrowSchema empty = SCHEMA("+us:");
    struct ArrowArray none = ARRAY(.length = 0, BUFFERS(NULL)), none_too = none;
    same(&empty, &none, &none_too);
}
END_TEST

START_TEST(runs_are_compared_expanded)
{
    const int32_t ends[] = {2, 3, 6}, other_ends[] = {1, 2, 3, 9};
    const int8_t v[] = {1, 2, 3}, w[] = {1, 1, 2, 3}, x[] = {1, 1, 2, 4};
    struct ArrowSchema end = SCHEMA("i"), value = SCHEMA("c"),
                       of = SCHEMA("+r", SCHEMAS(&end, &value));
    struct ArrowArray e = ARRAY(.length = 3, BUFFERS(NULL, ends)),
                      f = ARRAY(.length = 4, BUFFERS(NULL, other_ends));
    struct ArrowArray p = ARRAY(.length = 3, BUFFERS(NULL, v)),
                      q = ARRAY(.length = 4, BUFFERS(NULL, w));
    struct ArrowArray r = ARRAY(.length = 4, BUFFERS(NULL, x));
    struct ArrowArray a = ARRAY(.length = 6, ARRAYS(&e, &p)),
                      b = ARRAY(.length = 6, ARRAYS(&f, &q));
    struct ArrowArray c = ARRAY(.length = 6, ARRAYS(&f, &r));
    same(&of, &a, &b);
    differ(&of, &a, &c, "[3]: saw 3, wanted 4");
    a.offset = b.offset = 1;
    a.length = b.length = 5;
    same(&of, &a, &b);
    b.offset = 0;
    differ(&of, &a, &b, "[1]: saw 2, wanted 1");
}
END_TEST

START_TEST(dictionaries_are_compared_decoded)
{
    const uint8_t i[] = {0, 1, 200}, j[] = {1, 0, 0}, hole[] = {0x03}, null_word[] = {0x02};
    const int32_t ab[] = {0, 1, 2};
    struct ArrowSchema words = SCHEMA("u"), of = SCHEMA("C", .dictionary = &words);
    struct ArrowArray x = ARRAY(.length = 2, BUFFERS(NULL, ab, "ab")),
                      y = ARRAY(.length = 2, BUFFERS(NULL, ab, "ba"));
    struct ArrowArray z = ARRAY(.length = 2, BUFFERS(null_word, ab, "ab"));
    struct ArrowArray a = ARRAY(.length = 3, BUFFERS(hole, i), .dictionary = &x);
    struct ArrowArray b = ARRAY(.length = 3, BUFFERS(hole, j), .dictionary = &y);
    same(&of, &a, &b);
    struct ArrowArray c = ARRAY(.length = 3, BUFFERS(hole, i), .dictionary = &z);
    differ(&of, &a, &c, "[0]: saw \"a\", wanted null");
    struct ArrowArray d = ARRAY(.length = 3, BUFFERS(NULL, j), .dictionary = &y);
    differ(&of, &a, &d, "[2]: saw null, wanted \"b\"");
    const uint8_t no_hole[] = {0x06};
    struct ArrowArray e = ARRAY(.length = 1, BUFFERS(no_hole, i), .dictionary = &x);
    struct ArrowArray f = ARRAY(.length = 1, BUFFERS(NULL, i), .dictionary = &z);
    same(&of, &e, &f);
}
END_TEST

START_TEST(nothing_is_null)
{
    struct ArrowSchema of = SCHEMA("n");
    struct ArrowArray a = ARRAY(.length = 3, .null_count = 3),
                      b = ARRAY(.length = 3, .null_count = -1);
    same(&of, &a, &b);
}
END_TEST

/* A chain of lists of one list each, down to `leaf`. */
enum {
    DEEP = 100,
    WIDE = 1000,
    ROWS = 10000
};

static const void *list_buffers[] = {NULL, (const int32_t[]){0, 1}};

static void chain(struct ArrowArray nodes[DEEP], struct ArrowArray *down[DEEP],
                  struct ArrowArray *leaf) {
    for (int i = 0; i < DEEP; i++) {
        nodes[i] = (struct ArrowArray)ARRAY(.length = 1, .n_buffers = 2, .buffers = list_buffers,
                                            .n_children = 1, .children = &down[i]);
        down[i] = i + 1 < DEEP ? &nodes[i + 1] : leaf;
    }
}

START_TEST(deep_and_wide_trees_are_compared)
{
    static struct ArrowSchema schemas[DEEP], *down[DEEP], *across[WIDE], leaf = SCHEMA("i");
    static struct ArrowArray a[DEEP], *a_down[DEEP], b[DEEP], *b_down[DEEP], *wide[WIDE];
    static int32_t v[ROWS], w[ROWS];
    w[0] = 1;
    struct ArrowArray x = ARRAY(.length = ROWS, BUFFERS(NULL, v));
    struct ArrowArray y = ARRAY(.length = ROWS, BUFFERS(NULL, w));
    chain(a, a_down, &x);
    chain(b, b_down, &y);
    for (int i = 0; i < DEEP; i++) {
        schemas[i] = (struct ArrowSchema)SCHEMA("+l", .n_children = 1, .children = &down[i]);
        down[i] = i + 1 < DEEP ? &schemas[i + 1] : &leaf;
    }
    same(&schemas[0], &a[0], &a[0]);
    ck_assert_int_eq(adi_array_compare(&schemas[0], &a[0], &schemas[0], &b[0], NULL), EILSEQ);
    for (int i = 0; i < WIDE; i++) {
        across[i] = &leaf;
        wide[i] = &x;
    }
    struct ArrowSchema root = SCHEMA("+s", .n_children = WIDE, .children = across);
    struct ArrowArray table =
        ARRAY(.length = ROWS, BUFFERS(NULL), .n_children = WIDE, .children = wide);
    same(&root, &table, &table);
}
END_TEST

Suite *ref_compare_suite(void) {
    Suite *suite = suite_create("ref_compare");
    TCase *tests = tcase_create("compare");
    tcase_add_test(tests, numbers_are_compared_by_value);
    tcase_add_test(tests, nulls_count_and_what_lies_under_them_does_not);
    tcase_add_test(tests, floats_are_compared_by_bits);
    tcase_add_test(tests, bits_and_bytes_are_compared);
    tcase_add_test(tests, strings_are_compared_wherever_they_lie);
    tcase_add_test(tests, views_are_compared_however_they_are_split);
    tcase_add_test(tests, lists_are_compared_by_elements);
    tcase_add_test(tests, fixed_size_lists_are_compared_from_their_offset);
    tcase_add_test(tests, nulls_of_a_struct_hide_its_children);
    tcase_add_test(tests, unions_are_compared_by_type_id_and_slot);
    tcase_add_test(tests, runs_are_compared_expanded);
    tcase_add_test(tests, dictionaries_are_compared_decoded);
    tcase_add_test(tests, nothing_is_null);
    tcase_add_test(tests, deep_and_wide_trees_are_compared);
    suite_add_tcase(suite, tests);
    return suite;
}
