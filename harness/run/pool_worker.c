/* SPDX-License-Identifier: Apache-2.0 */
#include "pool_worker.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "case.h"
#include "charge.h"
#include "process.h"
#include "program.h"
#include "run_need.h"

#define SECOND INT64_C(1000000000)

/* When it last moved on. */
static int64_t mark_of(const struct adi_pool_worker *worker) {
    int64_t mark = worker->task->outcomes.mark_ns, moved = adi_log_moved_ns(worker->process.log);
    return mark == 0 ? worker->process.started_ns : moved > mark ? moved : mark;
}

void adi_pool_worker_kill(struct adi_pool_worker *worker, enum adi_end end, int64_t value) {
    if (worker->end == ADI_END_ITSELF) {
        worker->end = end;
        worker->killed_mark_ns = mark_of(worker);
        worker->killed_value = value;
    }
    adi_spawned_kill(&worker->process);
}

void adi_pool_worker_stop(const struct adi_pool *pool, struct adi_pool_worker *worker) {
    struct adi_outcomes *outcomes = &worker->task->outcomes;
    bool first = worker->end == ADI_END_ITSELF;
    adi_outcomes_read(&worker->task->outcomes, &worker->process.reader);
    struct adi_outcome *now = adi_outcomes_now(outcomes);
    if (first && pool->stops != NULL && !outcomes->finished && !now->ended)
        pool->stops(pool->context, &worker->task->job, now, adi_now_ns() - mark_of(worker));
    adi_pool_worker_kill(worker, ADI_END_STOPPED, 0);
}

/* How long what it is at may take. */
static int64_t time_limit(const struct adi_pool *pool, struct adi_task *task) {
    struct adi_outcomes *outcomes = &task->outcomes;
    if (outcomes->finished) return pool->exit_hangs ? SECOND / 20 : pool->limits.load_ns;
    if (outcomes->count > 0 && adi_outcomes_now(outcomes)->index == ADI_PHASE_CLOSE)
        return pool->close_hangs ? SECOND : pool->limits.step_ns;
    if (outcomes->n_begun > 0) return task->step_ns != 0 ? task->step_ns : pool->limits.step_ns;
    return task->load_ns != 0 ? task->load_ns : pool->limits.load_ns;
}

/* The worker ends a case of programs itself, between two of them; this is for what it does not. */
static bool is_long(const struct adi_pool_worker *worker, int64_t limit, int64_t now) {
    struct adi_outcomes *outcomes = &worker->task->outcomes;
    if (outcomes->n_begun == 0 || outcomes->finished) return false;
    const struct adi_outcome *played = adi_outcomes_now(outcomes);
    return played->index >= 0 && !played->ended &&
           now - played->begun_ns > (ADI_CASE_LIMITS + 1) * limit;
}

static void keep_time(const struct adi_pool *pool, struct adi_pool_worker *worker) {
    pid_t pid = worker->process.pid;
    int64_t limit = time_limit(pool, worker->task), mark = mark_of(worker);
    int64_t now = adi_now_ns();
    if (is_long(worker, limit, now))
        adi_pool_worker_kill(worker, ADI_END_LONG, ADI_CASE_LIMITS * limit);
    if (now - mark <= limit / ADI_WATCHDOG_LOOKS) return;
    switch (adi_watchdog_look(&worker->watchdog, mark, now, adi_process_time(pid), limit,
                              pool->processors)) {
    case ADI_IN_TIME:
        return;
    case ADI_HANGS:
        adi_pool_worker_kill(worker, ADI_END_TIME, limit);
        return;
    case ADI_STARVED:
        adi_pool_worker_kill(worker, ADI_END_STARVED, ADI_STARVED_LIMITS * limit);
    }
}

static void bound_output(struct adi_pool_worker *worker) {
    const struct adi_outcomes *outcomes = &worker->task->outcomes;
    if (!adi_capture_is_large(&worker->process.output)) return;
    int64_t *marks = adi_need(calloc(outcomes->count + 1, sizeof *marks)); /* the first is 0 */
    for (size_t i = 0; i < outcomes->count; i++) marks[i] = outcomes->list[i].output_from;
    adi_capture_cut(&worker->process.output, marks, outcomes->count > 0 ? outcomes->count : 1);
    free(marks);
}

static void keep_limits(struct adi_pool *pool, struct adi_pool_worker *worker, bool look_below) {
    const struct adi_outcomes *outcomes = &worker->task->outcomes;
    int64_t bytes = adi_process_resident(worker->process.pid);
    size_t count = 1;
    if (look_below) {
        struct adi_process_tree tree = adi_process_tree(worker->process.pid);
        bytes = tree.resident;
        count = tree.count;
        keep_time(pool, worker);
    }
    if (outcomes->damaged) adi_pool_worker_kill(worker, ADI_END_DAMAGED, 0);
    if (bytes > pool->limits.bytes) adi_pool_worker_kill(worker, ADI_END_MEMORY, bytes >> 20);
    if (count >= ADI_PROCESSES) adi_pool_worker_kill(worker, ADI_END_PROCESSES, (int64_t)count);
    bound_output(worker);
}

void adi_pool_worker_watch(struct adi_pool *pool, struct adi_pool_worker *worker, bool look_below) {
    worker->status = (siginfo_t){0};
    bool ended = waitid(P_PID, (id_t)worker->process.pid, &worker->status,
                        WEXITED | WNOHANG | WNOWAIT) != 0 ||
                 worker->status.si_pid != 0;
    worker->process.reader.writers_gone = ended;
    adi_outcomes_read(&worker->task->outcomes, &worker->process.reader);
    if (ended) {
        worker->state = ADI_POOL_WORKER_ENDED;
        worker->ended_ns = adi_now_ns();
    } else {
        keep_limits(pool, worker, look_below);
    }
}

/* ---- how it ended, in words ---- */

static const char *signal_name(int number, char out[32]) {
    const char *name = sigabbrev_np(number);
    if (name != NULL)
        snprintf(out, 32, "SIG%s", name);
    else
        snprintf(out, 32, "signal %d", number);
    return out;
}

/* "SUMMARY: AddressSanitizer: 232 byte(s) leaked in 6 allocation(s)." */
static bool is_of_leaks(const char *words) {
    return strspn(words, "0123456789") > 0 &&
           strncmp(words + strspn(words, "0123456789"), " byte(s) leaked", 15) == 0;
}

/* A sanitizer's own words: "AddressSanitizer: heap-use-after-free", "runtime error: ...". What it
 * says of leaks does not count: at the end of a process they may be anybody's, the harness's too,
 * which does not release what is unsound. Memory is weighed from call to call. */
static bool find_sanitizer(const char *output, char out[96]) {
    static const struct {
        const char *words, *until;
    } reports[] = {{"AddressSanitizer: ", " \n"},
                   {"ThreadSanitizer: ", "(\n"},
                   {"MemorySanitizer: ", " \n"},
                   {"runtime error: ", "\n"}};
    out[0] = '\0';
    for (size_t i = 0; i < sizeof reports / sizeof *reports && out[0] == '\0'; i++) {
        const char *found = strstr(output, reports[i].words);
        size_t prefix = strlen(reports[i].words);
        while (found != NULL && is_of_leaks(found + prefix))
            found = strstr(found + prefix, reports[i].words);
        if (found == NULL) continue;
        int length = (int)(prefix + strcspn(found + prefix, reports[i].until));
        snprintf(out, 96, "%.*s, ", length < 92 ? length : 92, found);
    }
    return out[0] != '\0';
}

/* What is said of a worker that was killed; and how much of what is said one of its
 * `killed_value` is. */
static const struct {
    const char *words;
    double unit;
} killed[] = {
    [ADI_END_TIME] = {"did not end within %.3g s; killed", 1e-9},
    [ADI_END_STARVED] = {"did not end within %.3g s; killed. It waited for a processor for most of "
                         "them: the machine is busy",
                         1e-9},
    [ADI_END_LONG] = {"cut after %.3g s: it moved on, but did not come to its end", 1e-9},
    [ADI_END_MEMORY] = {"used %.0f MB of memory; killed", 1},
    [ADI_END_PROCESSES] = {"started %.0f processes; killed", 1},
    [ADI_END_DAMAGED] = {"wrote over memory of the harness (the log of the worker); killed", 1},
    [ADI_END_STOPPED] = {NULL, 0},
};

static void say_end(const struct adi_pool_worker *worker, const char *output, char out[256]) {
    char name[32], sanitizer[96];
    if (killed[worker->end].words != NULL) {
        snprintf(out, 256, killed[worker->end].words,
                 (double)worker->killed_value * killed[worker->end].unit);
        return;
    }
    find_sanitizer(output, sanitizer);
    if (worker->status.si_code == CLD_EXITED)
        snprintf(out, 256, "%sended the process with exit status %d", sanitizer,
                 worker->status.si_status);
    else
        snprintf(out, 256, "%skilled by %s", sanitizer,
                 signal_name(worker->status.si_status, name));
}

/* ---- whom it is charged to ---- */

/* Ambiguity 39: who is given buffers that begin at odd addresses may end at them; not in the
 * release of what it has made of them. */
static bool died_of_unaligned(const struct adi_pool_worker *worker, const struct adi_outcome *now) {
    static const char *const imports[] = {"produce ", "consume ", "relay "};
    const struct adi_case *played = now->index < 0 ? NULL : adi_case((size_t)now->index);
    if (played == NULL || (played->shape->traits & ADI_SHAPE_UNALIGNED) == 0) return false;
    if (worker->end != ADI_END_ITSELF || now->ended || now->n_steps == 0) return false;
    for (size_t i = 0; i < sizeof imports / sizeof *imports; i++)
        if (strncmp(now->steps[now->n_steps - 1], imports[i], strlen(imports[i])) == 0) return true;
    return false;
}

static const struct adi_rule *rule_of_death(const struct adi_pool_worker *worker,
                                            const struct adi_outcome *now,
                                            enum adi_verdict verdict) {
    const struct adi_outcomes *outcomes = &worker->task->outcomes;
    if (outcomes->crash_rule >= 0) return adi_rule((size_t)outcomes->crash_rule);
    if (verdict == ADI_TIMEOUT) return adi_charge_rule(ADI_CHARGE_HANG, false);
    return adi_charge_rule(
        died_of_unaligned(worker, now) ? ADI_CHARGE_DEATH_UNALIGNED : ADI_CHARGE_DEATH, false);
}

static enum adi_party party_of_death(const struct adi_outcomes *outcomes,
                                     const struct adi_outcome *now, const struct adi_rule *rule) {
    bool imports = !now->ended && outcomes->crash_party != ADI_BOTH;
    return adi_charged(rule, imports ? outcomes->crash_party : adi_outcome_party(now));
}

/* Signals that a process gets from others: a user, the out-of-memory killer, a limit of the shell
 * that it was started from. */
static bool is_killed_by_others(const struct adi_pool_worker *worker) {
    static const int theirs[] = {SIGKILL, SIGTERM, SIGXCPU, SIGHUP,
                                 SIGINT,  SIGQUIT, SIGUSR1, SIGUSR2};
    if (worker->end != ADI_END_ITSELF || worker->status.si_code == CLD_EXITED) return false;
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
        if (worker->status.si_status == theirs[i]) return true;
    return false;
}

static void add_end(const struct adi_pool_worker *worker, struct adi_outcome *now,
                    const char *text) {
    enum adi_verdict verdict = worker->end == ADI_END_TIME   ? ADI_TIMEOUT
                               : worker->end == ADI_END_LONG ? ADI_SKIP
                                                             : ADI_CRASH;
    const struct adi_rule *rule = rule_of_death(worker, now, verdict);
    if (worker->end == ADI_END_LONG)
        rule = adi_rule_named(adi_case((size_t)now->index)->scenario->rule);
    struct adi_result *row = adi_outcome_add(
        now, rule, party_of_death(&worker->task->outcomes, now, rule), verdict, text, NULL, NULL);
    unsigned step = now->ended ? 0 : adi_log_stood(worker->process.log);
    row->program_step = step <= ADI_PROGRAM_STEPS + 1 ? step : 0;
    row->step = now->ended ? 0 : now->n_steps;
    row->at_limit = worker->end == ADI_END_TIME || worker->end == ADI_END_MEMORY;
    if (is_killed_by_others(worker)) row->doubt = ADI_DOUBT_KILLED;
    if (worker->end == ADI_END_STARVED) {
        row->doubt = ADI_DOUBT_STARVED;
        adi_result_undecide(row);
    }
    if (worker->end == ADI_END_LONG) now->ended = true;
}

static void charge(struct adi_pool_worker *worker, struct adi_outcome *now, const char *output) {
    char text[256], where[384], word[ADI_STEP_TEXT];
    const unsigned step = adi_log_stood(worker->process.log);
    const struct adi_program *program = now->program;
    const bool imports = worker->task->outcomes.crash_party == ADI_CONSUMER;
    say_end(worker, output, text);
    if (now->ended)
        snprintf(where, sizeof where, "after the case: %s", text);
    else if (program != NULL && step > 0 && step <= program->n)
        snprintf(where, sizeof where, "in step %u (%s)%s: %s", step,
                 adi_step_text(&program->steps[step - 1], word),
                 imports ? ", while it imported what it was given" : "", text);
    else if (program != NULL && step == 0)
        snprintf(where, sizeof where, "before the first step%s: %s",
                 imports ? ", while it imported what it was given" : "", text);
    else if (now->n_steps > 0)
        snprintf(where, sizeof where, "in step %zu (%.*s)%s: %s", now->n_steps,
                 (int)strcspn(now->steps[now->n_steps - 1], " "), now->steps[now->n_steps - 1],
                 imports ? ", while it imported what it was given" : "", text);
    else
        snprintf(where, sizeof where, "%s", text);
    add_end(worker, now, where);
    now->ms = (worker->ended_ns - now->begun_ns) / 1000000;
}

/* Was it killed for a limit that it had got past in the meantime? */
static bool was_innocent(const struct adi_pool_worker *worker) {
    bool late = worker->end == ADI_END_TIME || worker->end == ADI_END_STARVED;
    return late && mark_of(worker) != worker->killed_mark_ns;
}

static void conclude_exit(struct adi_pool *pool, struct adi_pool_worker *worker,
                          struct adi_outcome *now, const char *output) {
    char text[256], sanitizer[96];
    bool exited = worker->end == ADI_END_ITSELF && worker->status.si_code == CLD_EXITED;
    if (exited && worker->status.si_status == 0) return;
    bool is_told = find_sanitizer(output, sanitizer);
    /* It cannot look through all threads that runtimes have, and says nothing of leaks then. */
    if (exited && strstr(output, "LeakSanitizer has encountered a fatal error") != NULL) return;
    if (exited && !is_told && strstr(output, "LeakSanitizer: detected memory leaks") != NULL)
        return;
    if (exited && !is_told) {
        say_end(worker, output, text);
        adi_outcome_add(now, NULL, ADI_BOTH, ADI_ERROR, text, NULL, NULL);
        return;
    }
    if (worker->end == ADI_END_STARVED && pool->exit_hangs) return; /* it was hardly waited for */
    if (worker->end == ADI_END_TIME) pool->exit_hangs = true;
    charge(worker, now, output);
}

/* What the worker wrote between the beginning of this one and that of the next. */
static char *output_of(const struct adi_pool_worker *worker, const struct adi_outcome *outcome) {
    const struct adi_outcomes *outcomes = &worker->task->outcomes;
    bool last = outcome == &outcomes->list[outcomes->count - 1];
    return adi_capture_text(&worker->process.output, outcome->output_from,
                            last ? INT64_MAX : outcome[1].output_from);
}

static void attach_output(const struct adi_pool_worker *worker) {
    for (size_t i = 0; i < worker->task->outcomes.count; i++) {
        struct adi_outcome *outcome = &worker->task->outcomes.list[i];
        adi_outcome_settle(outcome);
        if (!adi_outcome_has_finding(outcome)) continue;
        outcome->output = output_of(worker, outcome);
        if (outcome->output[0] != '\0') continue;
        free(outcome->output);
        outcome->output = NULL;
    }
}

/* What was written over cannot say how far the worker had come: only if it had but one case to play
 * is it clear whose doing that was. */
static bool is_unclear(struct adi_outcomes *outcomes) {
    if (!outcomes->damaged || outcomes->n_expected == 0) return false;
    if (outcomes->n_expected > 1) return true;
    if (outcomes->n_begun == 0) {
        outcomes->n_begun = 1;
        adi_outcomes_begin(outcomes, (int64_t)outcomes->expected[0], outcomes->mark_ns);
    }
    return false;
}

/* Has what the worker ended for been told here, or by another case, which is why this is skipped?
 */
static bool is_told(const struct adi_outcome *now) {
    bool is_skipped = now->n_rows > 0 && now->rows[now->n_rows - 1].verdict == ADI_SKIP;
    return is_skipped || adi_outcome_has_finding(now);
}

void adi_pool_worker_conclude(struct adi_pool *pool, struct adi_pool_worker *worker) {
    struct adi_outcomes *outcomes = &worker->task->outcomes;
    bool unclear = is_unclear(outcomes);
    struct adi_outcome *now = adi_outcomes_now(outcomes);
    if (outcomes->damaged && worker->end == ADI_END_ITSELF) worker->end = ADI_END_DAMAGED;
    char text[256], *output = output_of(worker, now);
    if (worker->end == ADI_END_STOPPED || was_innocent(worker) || outcomes->refusal != NULL ||
        unclear) {
        /* Nobody's fault, or nobody knows whose. */
    } else if (outcomes->mark_ns == 0 && worker->end != ADI_END_DAMAGED) {
        say_end(worker, output, text);
        adi_outcome_add(now, NULL, ADI_BOTH, ADI_ERROR, text, "", "the worker starts");
    } else if (outcomes->finished) {
        conclude_exit(pool, worker, now, output);
    } else if (now->fatal && is_told(now)) {
        now->ended = true;
    } else {
        charge(worker, now, output);
    }
    attach_output(worker);
    free(output);
}
