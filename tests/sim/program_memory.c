/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies from and to memory that the program does not have: a code and a violation, and
 * the engine goes on.
 */
#include <check.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "sim/played.h"

Suite *sim_program_memory_suite(void);

static void *by_address(uintptr_t address) {
    return (void *)address;
}

static void nowhere(void) {
    static const unsigned flags[] = {0, ADI_SIM_WAIT, ADI_SIM_STAGED};
    sim_scene_begin();
    for (size_t i = 0; i < 3; i++) {
        for (uintptr_t address = 0; address <= 8; address++) {
            SIM_WANT(adi_sim_copy(scene.q, by_address(address), scene.a, 8, flags[i]) == EFAULT);
            SIM_WANT(adi_sim_copy(scene.q, scene.a, by_address(address), 8, flags[i]) == EFAULT);
        }
    }
    for (uintptr_t address = 0; address <= 8; address++)
        SIM_WANT(!adi_sim_readable(by_address(address), 4));
    sim_scene_end();
}

START_TEST(the_first_page_is_no_memory)
{
    char *log = sim_play(nowhere, sim_way_at(0), 0);
    ck_assert_uint_eq(sim_count(log, "not-allocated"), 2 * 3 * 9);
    ck_assert_uint_eq(sim_count_errors(log), 2 * 3 * 9);
    free(log);
}
END_TEST

Suite *sim_program_memory_suite(void) {
    Suite *suite = suite_create("sim_program_memory");
    TCase *tests = tcase_create("program memory");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_first_page_is_no_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
