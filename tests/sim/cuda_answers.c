/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulation's answers to misuse are those of the list, and where a driver might crash it
 * reports what is wrong. (The same list asks a driver in tests/sim/gpu/.)
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/cuda_misuse.h"
#include "sim/played.h"

Suite *sim_cuda_answers_suite(void);

static void take_simulation(void) {
#define CALL(base, since, name, begin, parameters, ...)           cu.name = name;
#define STREAM(base, since, name, suffix, begin, parameters, ...) cu.name = name;
#define PLAIN(base, since, name, parameters, ...)                 cu.name = name;
#define BY_NAME(base, since, name, begin, parameters, ...)
#define ALIAS(older, name)
#include "functions.def"
#undef CALL
#undef BY_NAME
#undef STREAM
#undef PLAIN
#undef ALIAS
}

static const struct cuda_misuse *playing;

static void misuse(void) {
    take_simulation();
    CUresult code = playing->play();
    if (code == playing->answer) return;
    fprintf(stderr, "%s: %d, not %d\n", playing->name, (int)code, (int)playing->answer);
    _Exit(3);
}

START_TEST(the_answer_is_that_of_the_list)
{
    playing = &cuda_misuses[_i];
    sim_play_with("ADI_SIM_KERNELS", "opaque");
    for (size_t i = 0; i < 3; i++) {
        char *log = sim_play(misuse, sim_way_at(i), 0);
        if (playing->source == OURS)
            ck_assert_msg(sim_count_errors(log) == 1, "%s is not reported:\n%s", playing->name,
                          log);
        free(log);
    }
}
END_TEST

START_TEST(there_are_forty_at_least_and_each_names_its_source)
{
    ck_assert_uint_ge(cuda_n_misuses, 40);
    for (size_t i = 0; i < cuda_n_misuses; i++)
        ck_assert_msg(cuda_misuses[i].source != DOCUMENTED || *cuda_misuses[i].where != '\0', "%s",
                      cuda_misuses[i].name);
}
END_TEST

Suite *sim_cuda_answers_suite(void) {
    Suite *suite = suite_create("sim_cuda_answers");
    TCase *tests = tcase_create("answers");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, the_answer_is_that_of_the_list, 0, (int)cuda_n_misuses);
    tcase_add_test(tests, there_are_forty_at_least_and_each_names_its_source);
    suite_add_tcase(suite, tests);
    return suite;
}
