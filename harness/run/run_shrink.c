/* SPDX-License-Identifier: Apache-2.0
 *
 * The shortest program that shows a finding. Each try is played alone in a fresh worker, since many
 * a finding is the death of one; the program that is left is played twice more.
 */

#include "case.h"
#include "model.h"
#include "move.h"
#include "run_internal.h"
#include "shrink.h"

#define RUNS 200 /* the most */

struct shrinking {
    struct adi_run *run;
    size_t runs;
    struct ArrowSchema schema;
    const struct adi_outcome *first; /* as it was found */
    struct adi_outcome shown;        /* as it shows in the last try that showed it */
    struct adi_outcome tried;
};

static void take(void *context, struct adi_task *task) {
    struct shrinking *s = context;
    struct adi_outcome *outcome = adi_outcomes_find(&task->outcomes, s->first->index);
    if (outcome == NULL) return;
    s->tried = *outcome;
    *outcome = (struct adi_outcome){0};
}

/* How much a verdict weighs; 0: it is none of a program. */
static int weight(const struct adi_result *row) {
    static const int weights[ADI_VERDICTS] = {
        [ADI_FAIL] = 3, [ADI_CRASH] = 3, [ADI_WARN] = 2, [ADI_NOTE] = 1};
    return weights[row->verdict];
}

/* Is there anything in it that is as bad, of the same party? */
static bool is_as_bad(const struct adi_outcome *outcome, const struct adi_outcome *first) {
    for (size_t i = 0; i < first->n_rows; i++)
        for (size_t k = 0; k < outcome->n_rows && weight(&first->rows[i]) > 0; k++)
            if (outcome->rows[k].party == first->rows[i].party &&
                weight(&outcome->rows[k]) >= weight(&first->rows[i]))
                return true;
    return false;
}

static bool shows(void *context, const struct adi_program *program) {
    struct shrinking *s = context;
    const char *rule;
    size_t at, index = (size_t)s->first->index;
    if (!adi_program_is_legal(program, &s->schema, &at, &rule) || s->runs++ == RUNS) return false;
    struct adi_task *task = adi_run_task(s->run, &index, 1);
    task->job.program = program;
    task->done = take;
    task->context = s;
    adi_pool_submit(&s->run->pool, task);
    bool shown = adi_pool_run(&s->run->pool, NULL) == 0 && is_as_bad(&s->tried, s->first);
    if (shown) {
        adi_outcome_clear(&s->shown);
        s->shown = s->tried;
        s->tried = (struct adi_outcome){0};
    }
    adi_outcome_clear(&s->tried);
    return shown;
}

/* Can what was found be found again in a program played alone? What hangs would take too long, and
 * what needs preceding cases is not one program's. */
static bool can_shrink(const struct adi_outcome *outcome) {
    bool any = false;
    for (size_t i = 0; i < outcome->n_rows; i++) {
        if (outcome->rows[i].preceding[0] != '\0' || outcome->rows[i].at_limit) return false;
        any = any || weight(&outcome->rows[i]) > 0;
    }
    return any && outcome->program != NULL;
}

static bool shrink(struct shrinking *s, struct adi_program *program) {
    if (!shows(s, program)) return false;
    adi_shrink(program, shows, s);
    s->runs = 0;
    return shows(s, program) && shows(s, program);
}

bool adi_run_shrink(struct adi_run *run, struct adi_outcome *outcome) {
    struct ArrowArray array;
    struct shrinking s = {.run = run, .first = outcome};
    if (!can_shrink(outcome)) return true;
    const struct adi_case *played = adi_case((size_t)outcome->index);
    struct adi_program program = *outcome->program;
    if (adi_sample(played->type, played->shape, run->seed, &s.schema, &array, NULL) != 0)
        return true;
    bool shown = shrink(&s, &program);
    if (shown) {
        s.shown.ms = outcome->ms;
        s.shown.ended = true;
        adi_outcome_clear(outcome);
        *outcome = s.shown;
    } else {
        adi_outcome_clear(&s.shown);
    }
    adi_array_release(&array);
    adi_schema_release(&s.schema);
    return shown;
}
