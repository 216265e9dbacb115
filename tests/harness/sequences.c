/* SPDX-License-Identifier: Apache-2.0
 *
 * All legal sequences of a few operations over two slots, each played from the start on real arrays
 * of the reference in guarded memory: what is legal on paper is no finding, whatever went before.
 * The cover (cover.c) has every step once; this has every way to it.
 */
#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "cover.h"
#include "devices.h"
#include "execution.h"
#include "move.h"
#include "slow.h"

Suite *harness_sequences_suite(void);

#define STACK_BYTES ((size_t)256 << 10) /* see cover.c */
#define SLOTS       2

/* Those of seven are the full test's, where a program is not slow. */
#define LONGEST (is_full() && !IS_SANITIZED ? 7 : 4)

struct tour {
    struct adi_sink sink; /* first */
    const struct adi_rule *rule;
    struct adi_cover cover;
    struct adi_execution execution;
    struct adi_program program;
    size_t longest, sequences, played;
};

static void on_finding(struct adi_sink *sink, const struct adi_found *finding) {
    ((struct tour *)(void *)sink)->rule = finding->rule;
}

static void play(struct tour *tour) {
    char text[256];
    for (size_t i = 0; i < tour->program.n; i++) {
        int code = adi_execution_step(&tour->execution, &tour->program.steps[i]);
        if (code != 0 || tour->rule != NULL)
            ck_abort_msg("step %zu of %s: %s", i + 1,
                         adi_program_text(&tour->program, text, sizeof text),
                         tour->rule == NULL ? tour->execution.error.text : tour->rule->id);
    }
    ck_assert_int_eq(adi_execution_restart(&tour->execution), 0);
    tour->played++;
}

/* What is longest has all that is shorter in it. */
static void walk(struct tour *tour, size_t state, size_t n, bool elsewhere) {
    const struct adi_cover_state *now = &tour->cover.states[state];
    size_t steps = tour->program.n;
    tour->sequences++;
    if (n == tour->longest) {
        play(tour);
        return;
    }
    for (size_t i = now->first; i < now->first + now->n; i++) {
        const struct adi_cover_edge *edge = &tour->cover.edges[i];
        bool far = elsewhere;
        /* The slots are alike: the first that is used is slot 0. */
        if (edge->rule != NULL || (n == 0 && edge->step.slot != 0)) continue;
        adi_cover_append(edge, &far, &tour->program);
        walk(tour, edge->to, n + 1, far);
        tour->program.n = steps;
    }
}

static void *walk_all(void *unused) {
    static struct tour tour;
    struct adi_device device;
    struct ArrowSchema schema;
    struct ArrowArray array;
    const struct adi_sample_type *type = adi_sample_type_named("struct");
    const struct adi_sample_shape *shape = adi_sample_shape_named("many");
    tour.sink.violated = on_finding;
    tour.longest = LONGEST;
    const struct adi_device_ops *ops = adi_device_at(0);
    ck_assert_int_eq(ops->open(-1, &device, NULL), 0);
    adi_sample(type, shape, 1, &schema, &array, NULL);
    ck_assert_int_eq(
        adi_cover_open(&tour.cover, &schema, SLOTS, adi_cover_operations(ADI_LIFE_array), 0, false),
        0);
    ck_assert_int_eq(
        adi_execution_open(&tour.execution, &device, type, shape, 1, &tour.sink, NULL, NULL), 0);
    walk(&tour, 0, 0, false);
    printf("  sequences of up to %zu operations over %d slots: %zu, in %zu programs\n",
           tour.longest, SLOTS, tour.sequences, tour.played);
    fflush(stdout);
    adi_execution_close(&tour.execution);
    adi_cover_free(&tour.cover);
    adi_array_release(&array);
    adi_schema_release(&schema);
    ops->close(&device);
    ck_assert_uint_eq(tour.sequences, tour.longest == 7 ? 1799413 : 2518);
    return unused;
}

START_TEST(every_legal_sequence_is_no_finding)
{
    pthread_t thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK_BYTES);
    ck_assert_int_eq(pthread_create(&thread, &small, walk_all, NULL), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&small);
}
END_TEST

Suite *harness_sequences_suite(void) {
    Suite *suite = suite_create("harness_sequences");
    TCase *tests = tcase_create("sequences");
    tcase_set_timeout(tests, is_full() ? 3600 : 120);
    tcase_add_test(tests, every_legal_sequence_is_no_finding);
    suite_add_tcase(suite, tests);
    return suite;
}
