/* SPDX-License-Identifier: Apache-2.0
 *
 * The cases of a device are played in rounds: in each those are played that can be, until nothing
 * is under way; what was found by then says what becomes of the others (run_hung.h, run_sample.h).
 */
#include <errno.h>
#include <string.h>

#include "case.h"
#include "run_internal.h"
#include "run_need.h"

#define BATCHES_A_WORKER 2 /* many end more evenly, but each starts a process and its runtimes */
#define FEWEST           64
#define FEWEST_THAT_WAIT 12
#define FEWEST_LONG      6
#define MOST             1024
#define ATTEMPTS         3   /* workers that may end before their first case */
#define SCATTER          331 /* primes */
#define SCATTER_FEW      31
#define SHRUNK_MOST      4 /* findings of one cause that are shrunk */
#define LOAD_BRIEF_NS    (3 * ADI_BRIEF_NS)

/* Something came of it: it ended, or the worker ended on account of it. */
static bool is_complete(const struct adi_outcome *outcome) {
    return outcome->n_rows > 0 && (outcome->ended || adi_outcome_has_finding(outcome));
}

/* Is it one that a short limit was too short for, whatever the reason? */
static bool is_late(const struct adi_outcome *outcome) {
    return adi_outcome_at_limit(outcome) || adi_outcome_has_doubt(outcome, ADI_DOUBT_STARVED);
}

/* Something was found: what the next device does is not known any more. It begins in its turn. */
static void retract(struct adi_run *run) {
    if (run->ahead) adi_pool_drop(&run->pool);
    run->ahead = false;
}

/* ---- phases ---- */

/* What hung on an earlier device is waited for no more: no violation here. */
static void excuse_close(struct adi_run *run, struct adi_outcome *outcome) {
    struct adi_outcome left_out = {0};
    struct adi_error text;
    adi_error_set(&text, 0, "not judged: it %s on %s", run->close_did, run->close_hung);
    adi_outcome_add(&left_out, adi_rule_named("life/hang"), ADI_BOTH, ADI_SKIP, text.text, NULL,
                    NULL);
    adi_run_conclude(run, outcome->index, &left_out);
}

static void take_phase(struct adi_run *run, struct adi_outcome *outcome,
                       const struct adi_task *task) {
    bool *suspected = &run->phase_suspected[-1 - outcome->index],
         hangs = adi_outcome_at_limit(outcome);
    if (*suspected || !adi_outcome_has_finding(outcome)) return;
    retract(run);
    if (outcome->index == ADI_PHASE_LOAD && is_late(outcome) && task->load_ns != 0) {
        adi_hung_excuse(run, outcome);
        adi_run_conclude(run, outcome->index, outcome);
        return;
    }
    if (outcome->index == ADI_PHASE_LOAD && hangs && !adi_hung_suspect(run, outcome)) return;
    *suspected = true;
    if (outcome->index != ADI_PHASE_LOAD && hangs && run->close_hung[0] != '\0')
        excuse_close(run, outcome);
    else
        adi_run_suspect(run, outcome, task->job.numbers, task->outcomes.n_begun);
}

/* ---- batches ---- */

static void take_batch(void *context, struct adi_task *task);

/* What was found in the meantime may leave some of its cases out. */
static void begin_batch(void *context, struct adi_task *task) {
    struct adi_run *run = context;
    enum adi_standing wanted = task->step_ns != 0 ? ADI_STANDING_BRIEF : ADI_STANDING_PLAY;
    if (task->early) return;
    size_t kept = 0, *numbers = (size_t *)(uintptr_t)task->job.numbers;
    for (size_t i = 0; i < task->job.n_numbers; i++)
        if (adi_hung_standing(run, numbers[i], NULL) <= wanted) numbers[kept++] = numbers[i];
    task->job.n_numbers = task->outcomes.n_expected = kept;
}

static void submit(struct adi_run *run, const size_t *cases, size_t n_cases, unsigned attempts,
                   bool brief) {
    if (n_cases == 0) return;
    struct adi_task *task = adi_run_task(run, cases, n_cases);
    task->early = run->device == run->next;
    task->begins = begin_batch;
    task->done = take_batch;
    task->context = run;
    task->attempts = attempts;
    if (brief) task->step_ns = ADI_BRIEF_NS;
    if (brief && adi_hung_load_is_tried(run)) task->load_ns = LOAD_BRIEF_NS;
    adi_pool_submit(&run->pool, task);
}

/* No worker gets to these cases: that is what came of them. */
static void give_up(struct adi_run *run, const size_t *cases, size_t n_cases) {
    for (size_t i = 0; i < n_cases; i++) {
        const struct adi_scenario *scenario = adi_case(cases[i])->scenario;
        struct adi_outcome none = {0};
        adi_outcome_add(&none, adi_rule_named(scenario->rule), scenario->party, ADI_ERROR,
                        "not played: workers ended before they came to it", NULL, NULL);
        adi_run_conclude(run, (int64_t)cases[i], &none);
    }
}

/* The cases of a task that nothing came of, again. */
static void submit_rest(struct adi_run *run, const struct adi_task *task, const size_t *rest,
                        size_t n_rest) {
    bool progress = n_rest < task->job.n_numbers, brief = task->step_ns != 0;
    if (adi_pool_over(&run->pool) != 0) return;
    if (task->outcomes.damaged) {
        /* Whose doing that was is seen where there is but one. */
        submit(run, rest, n_rest / 2, 0, brief);
        submit(run, rest + n_rest / 2, n_rest - n_rest / 2, 0, brief);
    } else if (progress || task->attempts + 1 < ATTEMPTS) {
        submit(run, rest, n_rest, progress ? 0 : task->attempts + 1, brief);
    } else {
        give_up(run, rest, n_rest);
    }
}

/* A finding that will not be reported needs no confirmation. */
static bool has_wanted_finding(const struct adi_run *run, const struct adi_outcome *outcome) {
    for (size_t i = 0; i < outcome->n_rows; i++)
        if (adi_result_is_finding(&outcome->rows[i]) && adi_run_wants(run, outcome->rows[i].rule))
            return true;
    return false;
}

/* A case came to something. false: it is to be played again. */
static bool take_case(struct adi_run *run, struct adi_outcome *outcome, const struct adi_task *task,
                      size_t at) {
    bool hangs = adi_outcome_at_limit(outcome);
    if (adi_outcome_has_finding(outcome)) retract(run);
    adi_hung_count(run, outcome);
    if (task->step_ns != 0 && is_late(outcome)) {
        adi_hung_excuse(run, outcome);
    } else if (has_wanted_finding(run, outcome)) {
        if (hangs && !adi_hung_suspect(run, outcome)) return false;
        run->outstanding[outcome->index] = true;
        if (adi_sample_wants(run, outcome, task->job.numbers, at))
            adi_run_suspect(run, outcome, task->job.numbers, at);
        return true;
    }
    adi_run_conclude(run, outcome->index, outcome);
    return true;
}

static void take_batch(void *context, struct adi_task *task) {
    struct adi_run *run = context;
    struct adi_outcomes *outcomes = &task->outcomes;
    size_t *rest = adi_need(malloc((task->job.n_numbers + 1) * sizeof *rest)), n_rest = 0;
    for (size_t i = 0; i < task->job.n_numbers; i++) {
        /* The load comes before the cases. */
        struct adi_outcome *outcome =
            i < outcomes->n_begun ? adi_outcomes_find(outcomes, (int64_t)task->job.numbers[i])
                                  : NULL;
        if (outcome == NULL || !is_complete(outcome) || !take_case(run, outcome, task, i))
            rest[n_rest++] = task->job.numbers[i];
    }
    for (int64_t phase = ADI_PHASE_EXIT; phase <= ADI_PHASE_LOAD; phase++) {
        struct adi_outcome *outcome = adi_outcomes_find(outcomes, phase);
        if (outcome != NULL) take_phase(run, outcome, task);
    }
    for (size_t i = 0; i < ADI_RULES; i++) run->satisfied[i] += outcomes->satisfied[i];
    submit_rest(run, task, rest, n_rest);
    free(rest);
}

static size_t batch_size(const struct adi_run *run, size_t n_cases, enum adi_pace pace) {
    static const size_t fewest[] = {[ADI_PACE_BRISK] = FEWEST,
                                    [ADI_PACE_LONG] = FEWEST_LONG,
                                    [ADI_PACE_WAITS] = FEWEST_THAT_WAIT};
    const struct adi_pool *pool = &run->pool;
    size_t n_workers = pace == ADI_PACE_WAITS && pool->n_beside > 0
                           ? pool->n_beside
                           : pool->n_workers - pool->n_beside,
           size = n_cases / (n_workers * BATCHES_A_WORKER) + 1;
    return size < fewest[pace] ? fewest[pace] : size > MOST ? MOST : size;
}

/* Every other batch, then those between: what hangs is met in several operations at once. */
static void submit_batches(struct adi_run *run, const size_t *cases, size_t n_cases,
                           enum adi_pace pace, bool brief) {
    size_t size = batch_size(run, n_cases, pace);
    for (size_t half = 0; half < 2; half++)
        for (size_t at = half * size; at < n_cases; at += 2 * size)
            submit(run, cases + at, n_cases - at < size ? n_cases - at : size, 0, brief);
}

/* ---- rounds ---- */

static void leave_out(struct adi_run *run, size_t index, const char *why) {
    const struct adi_scenario *scenario = adi_case(index)->scenario;
    struct adi_outcome none = {.ended = true};
    adi_outcome_add(&none, adi_rule_named(scenario->rule), scenario->party, ADI_SKIP, why, NULL,
                    NULL)
        ->unplayed = true;
    adi_run_conclude(run, (int64_t)index, &none);
}

/* So that cases that follow each other are of other types and shapes: what hangs shows soon. */
static void scatter(size_t *cases, size_t n, size_t prime) {
    size_t *copy = adi_need(malloc((n + 1) * sizeof *copy));
    size_t step = n % prime != 0 ? prime : 1;
    if (n > 0) memcpy(copy, cases, n * sizeof *copy);
    for (size_t i = 0; i < n; i++) cases[i] = copy[i * step % n];
    free(copy);
}

/* Those of this pace in front, behind them the others, all in their order. Returns how many. */
static size_t part(size_t *cases, size_t n, enum adi_pace pace) {
    size_t *others = adi_need(malloc((n + 1) * sizeof *others)), n_others = 0, n_first = 0;
    for (size_t i = 0; i < n; i++)
        if (adi_case_pace(adi_case(cases[i])) == pace)
            cases[n_first++] = cases[i];
        else
            others[n_others++] = cases[i];
    if (n_others > 0) memcpy(cases + n_first, others, n_others * sizeof *cases);
    free(others);
    return n_first;
}

/* What waits comes first, since it takes longest. Programs come last, so that what hangs is met in
 * an operation, and in small batches, so that no worker is alone in the end. */
static void submit_list(struct adi_run *run, size_t *cases, size_t n, bool brief) {
    static const enum adi_pace paces[] = {ADI_PACE_WAITS, ADI_PACE_BRISK, ADI_PACE_LONG};
    for (size_t i = 0; i < sizeof paces / sizeof *paces; i++) {
        size_t n_part = part(cases, n, paces[i]);
        /* Some of them are played twice, and those follow each other. */
        if (paces[i] == ADI_PACE_WAITS) scatter(cases, n_part, SCATTER_FEW);
        submit_batches(run, cases, n_part, paces[i], brief);
        cases += n_part;
        n -= n_part;
    }
}

/* Submits what is to be played now and leaves out what is not to be played at all. Returns whether
 * anything is being played. */
static bool begin_round(struct adi_run *run) {
    size_t *lists[] = {adi_need(malloc((run->n_cases + 1) * sizeof(size_t))),
                       adi_need(malloc((run->n_cases + 1) * sizeof(size_t)))},
           n[2] = {0, 0};
    bool settles = adi_run_settle(run, false);
    adi_hung_begin_round(run);
    for (size_t i = 0; i < run->n_cases; i++) {
        size_t index = run->cases[i];
        struct adi_error why;
        if (run->final[index].rows != NULL || run->outstanding[index]) continue;
        enum adi_standing standing = adi_hung_standing(run, index, &why);
        if (standing == ADI_STANDING_SKIP)
            leave_out(run, index, why.text);
        else if (standing != ADI_STANDING_WAIT)
            lists[standing][n[standing]++] = index;
    }
    scatter(lists[ADI_STANDING_BRIEF], n[ADI_STANDING_BRIEF], SCATTER);
    for (size_t i = 0; i < 2; i++) {
        submit_list(run, lists[i], n[i], i == ADI_STANDING_BRIEF);
        free(lists[i]);
    }
    return settles || n[0] + n[1] > 0;
}

void adi_run_begin_ahead(void *context) {
    struct adi_run *run = context;
    const struct adi_probed *here = run->device;
    if (run->next == NULL || run->ahead || run->suspects != NULL || run->samples.n_parked > 0 ||
        !adi_hung_is_calm(&run->hung))
        return;
    run->device = run->next;
    size_t n_cases, *cases = adi_run_chosen(run, &n_cases);
    submit_list(run, cases, n_cases, false);
    free(cases);
    run->device = here;
    run->ahead = true;
}

/* The first round of a device that began ahead is under way. */
static bool joins(struct adi_run *run) {
    bool ahead = run->ahead;
    run->ahead = false;
    adi_pool_admit(&run->pool);
    return ahead;
}

static int play_rounds(struct adi_run *run, struct adi_error *error) {
    bool joined = joins(run);
    int code = adi_pool_over(&run->pool);
    for (bool released = false; code == 0; joined = false) {
        if (joined || begin_round(run)) {
            code = adi_pool_run(&run->pool, error);
            released = false;
        } else if (!released) {
            adi_hung_resume(run);
            released = true;
        } else {
            break;
        }
    }
    adi_run_give_up(run);
    adi_run_settle(run, true);
    for (size_t i = 0; i < run->n_cases && (code == ETIME || code == EINTR); i++) {
        if (run->final[run->cases[i]].rows != NULL) continue;
        run->report->n_unplayed++;
        if (code == ETIME)
            leave_out(run, run->cases[i], "not played: the time limit of the run was over");
    }
    return code;
}

/* The programs that findings were made in; of many with one cause a few. */
static void shrink_all(struct adi_run *run) {
    for (size_t i = 0; i < run->n_cases && adi_pool_over(&run->pool) == 0; i++) {
        struct adi_outcome *outcome = &run->final[run->cases[i]];
        if (adi_outcome_has_finding(outcome) && outcome->program != NULL &&
            adi_sample_shrinks(run, outcome) <= SHRUNK_MOST)
            adi_run_shrink(run, outcome);
    }
}

int adi_run_device(struct adi_run *run, struct adi_error *error) {
    adi_run_choose(run);
    adi_hung_begin_device(run);
    adi_sample_begin_device(run);
    int code = play_rounds(run, error);
    shrink_all(run);
    adi_run_unshow(run);
    adi_run_report(run);
    adi_run_forget_device(run);
    return code;
}
