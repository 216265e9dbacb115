/* SPDX-License-Identifier: Apache-2.0
 *
 * A context that is closed with all that is in it: also what was wrong there is named.
 */
#include <check.h>
#include <stdlib.h>

#include "sim/played.h"

Suite *sim_closing_suite(void);

static const struct sim_way lazy = {"lazy", 1};

/* ---- with memory ---- */

static bool wrong;

static void leave_pinned_memory(void) {
    adi_sim_context context;
    void *bytes;
    SIM_WANT(adi_sim_context_open("ext_dev", 0, &context) == 0);
    SIM_WANT(adi_sim_alloc(context, ADI_SIM_PINNED, 100, &bytes) == 0);
    *at(bytes, wrong ? 100 : 99) = 1;
    SIM_WANT(adi_sim_context_discard(context) == 0);
}

START_TEST(a_red_zone_is_looked_at_if_the_context_ends_the_memory)
{
    for (int i = 0; i < 2; i++) {
        wrong = i == 1;
        char *log = sim_play(leave_pinned_memory, lazy, 0);
        ck_assert_uint_eq(sim_count(log, "red-zone-written"), wrong);
        ck_assert_uint_eq(sim_count_errors(log), wrong);
        free(log);
    }
}
END_TEST

Suite *sim_closing_suite(void) {
    Suite *suite = suite_create("sim_closing");
    TCase *tests = tcase_create("closing");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_red_zone_is_looked_at_if_the_context_ends_the_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
