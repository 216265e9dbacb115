/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of the life cycle is whole, its rules exist, and what is written from it is what is
 * committed.
 */
#include "life.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "life_page.h"
#include "page.h"
#include "rule.h"

Suite *harness_life_suite(void);

#define FOR_EACH_PAIR(state, operation)                                                            \
    for (enum adi_life_state state = 0; state < ADI_LIFE_STATES; state++)                          \
        for (enum adi_life_operation operation = 0; operation < ADI_LIFE_OPERATIONS; operation++)

START_TEST(every_pair_has_a_row)
{
    FOR_EACH_PAIR(s, o)
    ck_assert_msg(adi_life_has_row(s, o) == adi_life_needs_row(s, o), "EDGE(%s, %s, ...)",
                  adi_life_state_name(s), adi_life_operation_name(o));
}
END_TEST

/* What is put at a place where something of another kind lives is what the kind says of that; where
 * that has ended, the place is as an empty one. */
START_TEST(what_no_row_says_follows)
{
    FOR_EACH_PAIR(s, o) {
        const struct adi_edge *edge = adi_life_edge(s, o);
        if (adi_life_has_row(s, o)) continue;
        bool puts = adi_life_edge(ADI_IS_empty, o)->kind == ADI_EDGE_GOES;
        if (puts && adi_life_is_free(s)) {
            ck_assert_ptr_eq(edge, adi_life_edge(ADI_IS_empty, o));
            continue;
        }
        ck_assert_ptr_eq(edge->rule, puts ? adi_life_edge(s, ADI_DO_receive)->rule : NULL);
        ck_assert_int_eq(edge->kind, puts ? ADI_EDGE_VIOLATES : ADI_EDGE_CANNOT);
    }
}
END_TEST

START_TEST(every_rule_that_is_violated_exists)
{
    FOR_EACH_PAIR(s, o) {
        const char *rule = adi_life_edge(s, o)->rule;
        ck_assert_msg(rule == NULL || adi_rule_named(rule) != NULL, "%s", rule);
    }
}
END_TEST

/* From an empty place; a structure's other states come from its parent. */
START_TEST(every_state_is_reached)
{
    bool reached[ADI_LIFE_STATES] = {[ADI_IS_empty] = true, [ADI_IS_inner] = true};
    for (int round = 0; round < ADI_LIFE_STATES; round++) FOR_EACH_PAIR(s, o) {
            const struct adi_edge *edge = adi_life_edge(s, o);
            bool gives = edge->kind == ADI_EDGE_GIVES;
            if (!reached[s] || (edge->kind != ADI_EDGE_GOES && !gives)) continue;
            reached[edge->to] = true;
            if (gives) reached[edge->other] = true;
            if (o == ADI_DO_move_child) reached[adi_life_child_of(s)] = true;
        }
    for (enum adi_life_state s = 0; s < ADI_LIFE_STATES; s++)
        ck_assert_msg(reached[s], "nothing leads to %s", adi_life_state_name(s));
}
END_TEST

/* What is put there comes from nowhere, and is another kind's to do. */
START_TEST(an_export_is_of_its_kind)
{
    for (enum adi_life_operation o = 0; o < ADI_LIFE_OPERATIONS; o++) {
        if (!adi_life_puts(o)) continue;
        enum adi_life_state put = adi_life_edge(ADI_IS_empty, o)->to;
        ck_assert_int_eq(adi_life_kind_of(put), adi_life_kind_of_operation(o));
        ck_assert_str_eq(adi_life_pattern(o), "S");
    }
}
END_TEST

static const char *prefix_of(enum adi_life_operation operation) {
    return adi_life_prefix(adi_life_kind_of_operation(operation));
}

START_TEST(every_word_of_a_program_is_another)
{
    for (enum adi_life_operation a = 0; a < ADI_LIFE_OPERATIONS; a++)
        for (enum adi_life_operation b = 0; b < a; b++)
            ck_assert_msg(adi_life_letter(a) == 0 || adi_life_letter(a) != adi_life_letter(b) ||
                              strcmp(prefix_of(a), prefix_of(b)) != 0,
                          "%s and %s", adi_life_operation_name(a), adi_life_operation_name(b));
    for (enum adi_life_kind kind = 0; kind < ADI_LIFE_KINDS; kind++)
        for (enum adi_life_operation o = 0; o < ADI_LIFE_OPERATIONS; o++)
            ck_assert_msg(*adi_life_prefix(kind) == '\0' || *prefix_of(o) != '\0' ||
                              *adi_life_prefix(kind) != adi_life_letter(o),
                          "%s and the words of %s", adi_life_operation_name(o),
                          adi_life_kind_name(kind));
}
END_TEST

/* On which thread a callback runs is no matter of the table. */
START_TEST(a_release_is_judged_alike_on_every_thread)
{
    for (enum adi_life_state s = 0; s < ADI_LIFE_STATES; s++)
        ck_assert_mem_eq(adi_life_edge(s, ADI_DO_release),
                         adi_life_edge(s, ADI_DO_release_elsewhere), sizeof(struct adi_edge));
}
END_TEST

START_TEST(the_page_is_the_committed_one)
{ expect_page("docs/life-cycle.md", adi_life_page); }
END_TEST

START_TEST(a_rule_is_explained_by_its_edges)
{
    char *made = NULL;
    size_t length = 0;
    FILE *page = open_memstream(&made, &length);
    adi_life_explain("sync/read-before-wait", page);
    adi_life_explain("array/data-differs", page);
    fclose(page);
    ck_assert_ptr_nonnull(strstr(made, "broken    in state pending ("));
    ck_assert_ptr_nonnull(strstr(made, ") by read\n"));
    ck_assert_ptr_null(strstr(made, "live"));
    free(made);
}
END_TEST

Suite *harness_life_suite(void) {
    Suite *suite = suite_create("harness_life");
    TCase *tests = tcase_create("table");
    tcase_add_test(tests, every_pair_has_a_row);
    tcase_add_test(tests, what_no_row_says_follows);
    tcase_add_test(tests, every_rule_that_is_violated_exists);
    tcase_add_test(tests, every_state_is_reached);
    tcase_add_test(tests, an_export_is_of_its_kind);
    tcase_add_test(tests, every_word_of_a_program_is_another);
    tcase_add_test(tests, a_release_is_judged_alike_on_every_thread);
    tcase_add_test(tests, the_page_is_the_committed_one);
    tcase_add_test(tests, a_rule_is_explained_by_its_edges);
    suite_add_tcase(suite, tests);
    return suite;
}
