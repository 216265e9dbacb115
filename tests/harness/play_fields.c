/* SPDX-License-Identifier: Apache-2.0
 *
 * What is told of flags, names and metadata that were not handed on, and where in the tree.
 */
#include <check.h>
#include <string.h>

#include "observed.h"
#include "play.h"

Suite *harness_play_fields_suite(void);

/* A struct of an int32 and a list of ordered categories whose values are a struct. */
struct tree {
    struct ArrowSchema root, number, list, category, values, text;
    struct ArrowSchema *of_root[2], *of_list[1], *of_values[1];
};

static struct tree seen, wanted;
static struct adi_scenario scenario;
static struct adi_case played;
static struct adi_test test;
static struct observed observed;

static void plant(struct tree *tree) {
    *tree = (struct tree){
        .root = {.format = "+s", .n_children = 2, .children = tree->of_root},
        .number = {.format = "i", .name = "n", .flags = ARROW_FLAG_NULLABLE},
        .list = {.format = "+l", .name = "l", .n_children = 1, .children = tree->of_list},
        .category = {.format = "c",
                     .flags = ARROW_FLAG_NULLABLE | ARROW_FLAG_DICTIONARY_ORDERED,
                     .dictionary = &tree->values},
        .values = {.format = "+s",
                   .flags = ARROW_FLAG_NULLABLE,
                   .n_children = 1,
                   .children = tree->of_values},
        .text = {.format = "u", .name = "t", .flags = ARROW_FLAG_NULLABLE},
    };
    tree->of_root[0] = &tree->number;
    tree->of_root[1] = &tree->list;
    tree->of_list[0] = &tree->category;
    tree->of_values[0] = &tree->text;
}

static void on_finding(struct adi_sink *sink, const struct adi_found *finding) {
    (void)sink;
    observed.sink.violated(&observed.sink, finding);
}

static void set_up(void) {
    plant(&seen);
    plant(&wanted);
    observed_open(&observed);
    scenario.role = ADI_RELAYS;
    played.scenario = &scenario;
    test = (struct adi_test){.now = &played, .sink = {.violated = on_finding}};
}

static void expect(const char *rule, const char *message) {
    adi_exported_fields(&test, &seen.root, &wanted.root);
    observed_only(&observed, rule, "the schema");
    if (*rule != '\0') ck_assert_str_eq(observed.findings[0].message, message);
}

START_TEST(what_is_handed_on_as_it_was_is_not_blamed)
{ expect("", ""); }
END_TEST

START_TEST(who_says_more_is_not_blamed)
{
    seen.root.flags = seen.list.flags = ARROW_FLAG_NULLABLE;
    seen.number.name = NULL;
    seen.number.metadata = "\0\0\0\0";
    expect("", "");
}
END_TEST

START_TEST(the_order_of_a_dictionary_is_a_finding_of_its_own)
{
    seen.category.flags = ARROW_FLAG_NULLABLE;
    expect("schema/dictionary-order-dropped", "schema.children[1].children[0].flags has lost "
                                              "ARROW_FLAG_DICTIONARY_ORDERED, which was handed "
                                              "over");
    ck_assert_str_eq(observed.findings[0].seen, "2");
    ck_assert_str_eq(observed.findings[0].wanted, "3");
}
END_TEST

START_TEST(it_is_not_hidden_by_a_field_before_it)
{
    seen.number.flags = 0;
    seen.category.flags = 0;
    adi_exported_fields(&test, &seen.root, &wanted.root);
    ck_assert_uint_eq(observed.violated, 2);
    static const char *const rules[] = {"schema/dictionary-order-dropped", "schema/flags-dropped"};
    for (size_t i = 0; i < 2; i++) ck_assert_str_eq(observed.findings[i].rule->id, rules[i]);
}
END_TEST

START_TEST(a_field_that_is_no_longer_nullable_is_told_with_its_place)
{
    seen.number.flags = 0;
    expect("schema/flags-dropped",
           "schema.children[0].flags has lost ARROW_FLAG_NULLABLE, which was handed over");
}
END_TEST

START_TEST(the_values_of_a_dictionary_are_no_field)
{
    seen.values.flags = 0;
    expect("", "");
}
END_TEST

/* ... but have a type, and its flags say something. */
START_TEST(that_the_keys_of_maps_in_a_dictionary_are_sorted_is_told)
{
    seen.values.flags = 0;
    wanted.values.flags = ARROW_FLAG_NULLABLE | ARROW_FLAG_MAP_KEYS_SORTED;
    expect("schema/flags-dropped", "schema.children[1].children[0].dictionary.flags has lost "
                                   "ARROW_FLAG_MAP_KEYS_SORTED, which was handed over");
}
END_TEST

START_TEST(a_field_within_the_values_of_a_dictionary_is_one)
{
    seen.text.flags = 0;
    expect("schema/flags-dropped", "schema.children[1].children[0].dictionary.children[0].flags "
                                   "has lost ARROW_FLAG_NULLABLE, which was handed over");
}
END_TEST

START_TEST(a_name_and_metadata_are_told_with_their_places)
{
    seen.text.name = "u";
    expect("schema/names-differ", "schema.children[1].children[0].dictionary.children[0].name is "
                                  "another one than was handed over");
    observed_open(&observed);
    seen.text.name = "t";
    static const struct {
        int32_t pairs, key_bytes;
        char key[4];
        int32_t value_bytes;
    } metadata = {1, 4, "key", 0};
    wanted.list.metadata = (const char *)&metadata;
    expect("schema/metadata-dropped",
           "schema.children[1].metadata has lost a pair that was handed over");
    observed_open(&observed);
    scenario.role = ADI_PRODUCES; /* who only produces need not keep it */
    expect("", "");
}
END_TEST

Suite *harness_play_fields_suite(void) {
    Suite *suite = suite_create("harness_play_fields");
    TCase *fields = tcase_create("fields");
    tcase_add_checked_fixture(fields, set_up, NULL);
    tcase_add_test(fields, what_is_handed_on_as_it_was_is_not_blamed);
    tcase_add_test(fields, who_says_more_is_not_blamed);
    tcase_add_test(fields, the_order_of_a_dictionary_is_a_finding_of_its_own);
    tcase_add_test(fields, it_is_not_hidden_by_a_field_before_it);
    tcase_add_test(fields, a_field_that_is_no_longer_nullable_is_told_with_its_place);
    tcase_add_test(fields, the_values_of_a_dictionary_are_no_field);
    tcase_add_test(fields, that_the_keys_of_maps_in_a_dictionary_are_sorted_is_told);
    tcase_add_test(fields, a_field_within_the_values_of_a_dictionary_is_one);
    tcase_add_test(fields, a_name_and_metadata_are_told_with_their_places);
    suite_add_tcase(suite, fields);
    return suite;
}
