/* SPDX-License-Identifier: Apache-2.0 */
#include "schema.h"

#include <check.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "literal.h"
#include "metadata.h"
#include "move.h"

Suite *ref_schema_suite(void);

/* struct<a: dictionary<int32, utf8>, b: list<bool>>, with metadata at `b`. */
static void make(struct ArrowSchema *out) {
    static char metadata[64];
    const struct adi_pair pairs[] = {{"k", "v", 1, 1}, {"k2", "v\0", 2, 2}};
    adi_metadata_write(pairs, 2, metadata);
    struct ArrowSchema values = SCHEMA("u"), item = SCHEMA("b", .name = "item", .flags = 2);
    struct ArrowSchema a = SCHEMA("i", .name = "a", .dictionary = &values);
    struct ArrowSchema b = SCHEMA("+l", .name = "b", .metadata = metadata, SCHEMAS(&item));
    struct ArrowSchema root = SCHEMA("+s", .flags = 2, SCHEMAS(&a, &b));
    ck_assert_int_eq(adi_schema_export(&root, out, NULL), 0);
}

START_TEST(an_export_is_a_deep_copy)
{
    char format[] = "+s", name[] = "root";
    struct ArrowSchema child = SCHEMA("i"), out;
    struct ArrowSchema root = SCHEMA(format, .name = name, .flags = 7, SCHEMAS(&child));
    ck_assert_int_eq(adi_schema_export(&root, &out, NULL), 0);
    format[0] = name[0] = '?';
    ck_assert_str_eq(out.format, "+s");
    ck_assert_str_eq(out.name, "root");
    ck_assert_int_eq(out.flags, 7);
    ck_assert_ptr_null(out.metadata);
    ck_assert_ptr_null(out.children[0]->name);
    ck_assert(out.children[0] != &child && out.children[0]->format != child.format);
    adi_schema_release(&out);
    ck_assert(out.release == NULL);
}
END_TEST

START_TEST(a_child_outlives_its_parent_wherever_it_moved)
{
    struct ArrowSchema root, moved, child, values;
    make(&root);
    adi_schema_move(&root, &moved);
    adi_schema_move(moved.children[1], &child);
    adi_schema_move(moved.children[0]->dictionary, &values);
    adi_schema_release(&moved);
    ck_assert_str_eq(child.name, "b");
    ck_assert_str_eq(child.children[0]->name, "item");
    ck_assert_uint_eq(adi_metadata_bytes(child.metadata), 4 + 8 + 2 + 8 + 4);
    adi_schema_release(&child);
    ck_assert_str_eq(values.format, "u");
    adi_schema_release(&values);
}
END_TEST

START_TEST(deep_and_wide_schemas_are_exported)
{
    enum {
        DEEP = 100,
        WIDE = 1000
    };
    struct ArrowSchema nodes[DEEP], columns[WIDE], out;
    struct ArrowSchema *down[DEEP], *across[WIDE];
    for (int i = 0; i < DEEP; i++) {
        nodes[i] = (struct ArrowSchema)SCHEMA("+l", .n_children = 1, .children = &down[i]);
        down[i] = &nodes[i + 1 < DEEP ? i + 1 : i];
    }
    nodes[DEEP - 1] = (struct ArrowSchema)SCHEMA("i");
    for (int i = 0; i < WIDE; i++) {
        columns[i] = (struct ArrowSchema)SCHEMA("i", .name = "column");
        across[i] = &columns[i];
    }
    across[WIDE / 2] = &nodes[0];
    struct ArrowSchema root = SCHEMA("+s", .n_children = WIDE, .children = across);
    ck_assert_int_eq(adi_schema_export(&root, &out, NULL), 0);
    ck_assert_int_eq(adi_schema_compare(&out, &root, NULL), 0);
    adi_schema_release(&out);
}
END_TEST

START_TEST(schemas_with_the_same_content_are_the_same)
{
    struct ArrowSchema a, b;
    make(&a);
    make(&b);
    ck_assert_int_eq(adi_schema_compare(&a, &b, NULL), 0);
    b.name = "";
    ck_assert_int_eq(adi_schema_compare(&a, &b, NULL), 0);
    adi_schema_release(&a);
    adi_schema_release(&b);
}
END_TEST

static void expect(const struct ArrowSchema *seen, const struct ArrowSchema *wanted,
                   const char *sentence, bool type_too) {
    struct adi_error error = {""};
    ck_assert_int_eq(adi_schema_compare(seen, wanted, &error), EILSEQ);
    ck_assert_str_eq(error.text, sentence);
    ck_assert_int_eq(adi_schema_compare_type(seen, wanted, NULL), type_too ? EILSEQ : 0);
}

START_TEST(a_difference_is_named_with_its_place)
{
    struct ArrowSchema seen, wanted;
    make(&seen);
    make(&wanted);
    wanted.flags = 0;
    expect(&seen, &wanted, "flags: 2, wanted 0", false);
    wanted.flags = 2;

    struct ArrowSchema *item = wanted.children[1]->children[0];
    item->flags = 0;
    expect(&seen, &wanted, "children[1].children[0].flags: 2, wanted 0", false);
    item->flags = 2;
    item->name = "element";
    expect(&seen, &wanted, "children[1].children[0].name: \"item\", wanted \"element\"", false);
    item->name = "item";
    item->format = "n";
    expect(&seen, &wanted, "children[1].children[0].format: \"b\", wanted \"n\"", true);
    item->format = "b";

    struct ArrowSchema *values = wanted.children[0]->dictionary;
    values->format = "U";
    expect(&seen, &wanted, "children[0].dictionary.format: \"u\", wanted \"U\"", true);
    values->format = "u";
    wanted.children[0]->dictionary = NULL;
    expect(&seen, &wanted, "children[0].dictionary: not wanted", true);
    expect(&wanted, &seen, "children[0].dictionary: missing", true);
    wanted.children[0]->dictionary = values;
    wanted.n_children = 1;
    expect(&seen, &wanted, "n_children: 2, wanted 1", true);
    wanted.n_children = 2;
    adi_schema_release(&seen);
    adi_schema_release(&wanted);
}
END_TEST

START_TEST(metadata_is_compared_pair_by_pair_in_any_order)
{
    const struct adi_pair pairs[] = {{"a", "1", 1, 1}, {"b", "2", 1, 1}, {"a", "1", 1, 1}};
    char ab[64], ba[64], aba[64], none[4];
    adi_metadata_write(pairs, 2, ab);
    adi_metadata_write(pairs + 1, 2, ba);
    adi_metadata_write(pairs, 3, aba);
    adi_metadata_write(NULL, 0, none);
    struct ArrowSchema seen = SCHEMA("i", .metadata = ab), wanted = SCHEMA("i", .metadata = ba);
    ck_assert_int_eq(adi_schema_compare(&seen, &wanted, NULL), 0);
    wanted.metadata = aba;
    expect(&seen, &wanted, "metadata: the pair \"a\" = \"1\" is missing", false);
    expect(&wanted, &seen, "metadata: the pair \"a\" = \"1\" is not wanted", false);
    wanted.metadata = NULL;
    expect(&seen, &wanted, "metadata: the pair \"a\" = \"1\" is not wanted", false);
    seen.metadata = none;
    ck_assert_int_eq(adi_schema_compare(&seen, &wanted, NULL), 0);
}
END_TEST

START_TEST(a_decimal_may_name_its_width)
{
    struct ArrowSchema seen = SCHEMA("d:10,2"), wanted = SCHEMA("d:10,2,128");
    ck_assert_int_eq(adi_schema_compare(&seen, &wanted, NULL), 0);
    wanted.format = "d:10,2,256";
    expect(&seen, &wanted, "format: \"d:10,2\", wanted \"d:10,2,256\"", true);
    wanted.format = "d:10,3";
    expect(&seen, &wanted, "format: \"d:10,2\", wanted \"d:10,3\"", true);
}
END_TEST

Suite *ref_schema_suite(void) {
    Suite *suite = suite_create("ref_schema");
    TCase *export = tcase_create("export"), *compare = tcase_create("compare");
    tcase_add_test(export, an_export_is_a_deep_copy);
    tcase_add_test(export, a_child_outlives_its_parent_wherever_it_moved);
    tcase_add_test(export, deep_and_wide_schemas_are_exported);
    suite_add_tcase(suite, export);
    tcase_add_test(compare, schemas_with_the_same_content_are_the_same);
    tcase_add_test(compare, a_difference_is_named_with_its_place);
    tcase_add_test(compare, metadata_is_compared_pair_by_pair_in_any_order);
    tcase_add_test(compare, a_decimal_may_name_its_width);
    suite_add_tcase(suite, compare);
    return suite;
}
