/* SPDX-License-Identifier: Apache-2.0 */
#include "nearest.h"

#include <check.h>
#include <string.h>

Suite *harness_nearest_suite(void);

static const char *fruit(size_t index) {
    static const char *const names[] = {"apple", "apricot", "banana", "cherry"};
    return index < sizeof names / sizeof *names ? names[index] : NULL;
}

static const char *nothing(size_t index) {
    (void)index;
    return NULL;
}

START_TEST(a_distance_counts_insertions_deletions_replacements_and_swaps)
{
    static const struct {
        const char *glob, *text;
        size_t distance;
    } rows[] = {
        {"", "", 0},         {"abc", "abc", 0},  {"abc", "", 3},     {"", "abc", 3},
        {"abc", "abd", 1},   {"abc", "acb", 1},  {"abc", "abxc", 1}, {"abc", "ac", 1},
        {"jbos", "jobs", 1}, {"*", "abcdef", 0}, {"a*f", "abcf", 0}, {"a?c", "abc", 0},
        {"ax*", "abcd", 1},  {"*", "", 0},       {"x*", "", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(adi_edit_distance(rows[i].glob, rows[i].text) == rows[i].distance,
                      "%s to %s: %zu", rows[i].glob, rows[i].text,
                      adi_edit_distance(rows[i].glob, rows[i].text));
}
END_TEST

START_TEST(a_very_long_word_is_compared_by_its_beginning)
{
    char word[4096];
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    ck_assert_uint_ge(adi_edit_distance(word, "y"), 100);
    ck_assert_uint_eq(adi_edit_distance(word, word), 0);
}
END_TEST

START_TEST(the_nearest_come_first_and_far_ones_not_at_all)
{
    const char *out[ADI_NEAREST];
    ck_assert_uint_eq(adi_nearest("aple", fruit, out), 1);
    ck_assert_str_eq(out[0], "apple");
    struct adi_error text;
    adi_nearest_text("chery", fruit, &text);
    ck_assert_str_eq(text.text, "; nearest: cherry");
    adi_nearest_text("chery", nothing, &text);
    ck_assert_str_eq(text.text, "");
}
END_TEST

START_TEST(ties_keep_the_order_of_the_list)
{
    const char *out[ADI_NEAREST];
    ck_assert_uint_eq(adi_nearest("*", fruit, out), ADI_NEAREST);
    ck_assert_str_eq(out[0], "apple");
    ck_assert_str_eq(out[2], "banana");
}
END_TEST

/* The list is walked with a table that is kept from name to name and left early: the same must come
 * out as name by name. */
START_TEST(the_nearest_are_those_of_the_least_distance)
{
    static const char *const words[] = {
        "array/resreved",        "life/*-twice", "x", "sync/raed-before",
        "array/buffer-mutatedd", "?ife/leaked",  ""};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const char *out[ADI_NEAREST], *name;
        size_t found = adi_nearest(words[w], adi_rule_id_at, out), last = 0, better = 0;
        for (size_t i = 0; i < found; i++) {
            size_t distance = adi_edit_distance(words[w], out[i]);
            ck_assert_uint_ge(distance, last);
            last = distance;
        }
        for (size_t i = 0; (name = adi_rule_id_at(i)) != NULL; i++)
            better += adi_edit_distance(words[w], name) < last;
        ck_assert_msg(better < found, "%s: %zu are nearer than the last of %zu", words[w], better,
                      found);
    }
}
END_TEST

START_TEST(a_device_glob_matches_the_type_or_the_full_name)
{
    ck_assert(adi_glob_matches_device("cpu", "cpu:-1"));
    ck_assert(adi_glob_matches_device("cpu:*", "cpu:-1"));
    ck_assert(adi_glob_matches_device("c*", "cpu:-1"));
    ck_assert(adi_glob_matches_device(NULL, "cpu:-1"));
    ck_assert(!adi_glob_matches_device("cp", "cpu:-1"));
    ck_assert(!adi_glob_matches_device("cpu:0", "cpu:-1"));
    ck_assert(!adi_glob_matches_device("cuda", "cuda_host:0"));
}
END_TEST

/* What is asked before a device is opened: no device whose full name matches may be missed. */
START_TEST(a_device_glob_that_names_ids_may_match_the_type)
{
    static const struct {
        const char *glob, *type;
        bool may;
    } rows[] = {
        {NULL, "cpu", true},           {"cpu:-1", "cpu", true},
        {"c*:0", "cuda", true},        {"c*:0", "vpi", false},
        {"cuda", "cuda_host", false},  {"@(cpu|vpi)", "vpi", true},
        {"@(cpu|vpi)", "cuda", false}, {"@(cpu:-1|vpi:1)", "vpi", true},
        {"[cv]p[iu]:?", "vpi", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(adi_glob_may_match_type(rows[i].glob, rows[i].type) == rows[i].may, "%s, %s",
                      rows[i].glob, rows[i].type);
}
END_TEST

START_TEST(a_glob_goes_past_slashes)
{
    ck_assert(adi_glob_matches("int32/*", "int32/nulls/export"));
    ck_assert(!adi_glob_matches("int32", "int32/nulls/export"));
    ck_assert(adi_glob_matches_any("ban*", fruit));
    ck_assert(!adi_glob_matches_any("ban", fruit));
}
END_TEST

Suite *harness_nearest_suite(void) {
    Suite *suite = suite_create("harness_nearest");
    TCase *names = tcase_create("names");
    tcase_add_test(names, a_distance_counts_insertions_deletions_replacements_and_swaps);
    tcase_add_test(names, a_very_long_word_is_compared_by_its_beginning);
    tcase_add_test(names, the_nearest_come_first_and_far_ones_not_at_all);
    tcase_add_test(names, the_nearest_are_those_of_the_least_distance);
    tcase_add_test(names, ties_keep_the_order_of_the_list);
    tcase_add_test(names, a_device_glob_matches_the_type_or_the_full_name);
    tcase_add_test(names, a_device_glob_that_names_ids_may_match_the_type);
    tcase_add_test(names, a_glob_goes_past_slashes);
    suite_add_tcase(suite, names);
    return suite;
}
