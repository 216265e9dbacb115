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
    ck_assert_msg(adi_life_edge(s, o)->kind != ADI_EDGE_MISSING, "EDGE(%s, %s, ...)",
                  adi_life_state_name(s), adi_life_operation_name(o));
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
            if (!reached[s] || edge->kind != ADI_EDGE_GOES) continue;
            reached[edge->to] = true;
            if (o == ADI_DO_move_child) reached[adi_life_child_of(s)] = true;
        }
    for (enum adi_life_state s = 0; s < ADI_LIFE_STATES; s++)
        ck_assert_msg(reached[s], "nothing leads to %s", adi_life_state_name(s));
}
END_TEST

START_TEST(every_word_of_a_program_is_another)
{
    for (enum adi_life_operation a = 0; a < ADI_LIFE_OPERATIONS; a++)
        for (enum adi_life_operation b = 0; b < a; b++)
            ck_assert_msg(adi_life_letter(a) == 0 || adi_life_letter(a) != adi_life_letter(b),
                          "%s and %s", adi_life_operation_name(a), adi_life_operation_name(b));
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
    tcase_add_test(tests, every_rule_that_is_violated_exists);
    tcase_add_test(tests, every_state_is_reached);
    tcase_add_test(tests, every_word_of_a_program_is_another);
    tcase_add_test(tests, a_release_is_judged_alike_on_every_thread);
    tcase_add_test(tests, the_page_is_the_committed_one);
    tcase_add_test(tests, a_rule_is_explained_by_its_edges);
    suite_add_tcase(suite, tests);
    return suite;
}
