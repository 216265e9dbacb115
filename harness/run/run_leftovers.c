/* SPDX-License-Identifier: Apache-2.0
 *
 * Processes that outlive their worker. A worker adopts whatever is detached below it, and this
 * process adopts it when the worker has ended: nothing gets away by setsid and a double fork.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "charge.h"
#include "pool_worker.h"
#include "process.h"

#define MOMENT_NS INT64_C(1000000000) /* a helper that notices its parent's end is gone by then */

static bool is_ours(const struct adi_pool *pool, pid_t pid) {
    for (size_t i = 0; i < pool->n_before; i++)
        if (pool->before[i] == pid) return false;
    for (size_t i = 0; i < pool->n_workers; i++)
        if (pool->workers[i].state != ADI_POOL_WORKER_FREE && pool->workers[i].process.pid == pid)
            return false;
    return true;
}

/* What is left over, without what has ended, which is reaped. */
static size_t find(const struct adi_pool *pool, pid_t out[ADI_PROCESSES]) {
    size_t all = adi_process_children(getpid(), out, ADI_PROCESSES), kept = 0;
    for (size_t i = 0; i < all; i++) {
        if (!is_ours(pool, out[i])) continue;
        if (adi_process_ended(out[i]))
            waitpid(out[i], NULL, WNOHANG);
        else
            out[kept++] = out[i];
    }
    return kept;
}

/* By what the worker said, by the environment, by the process group; else the first that ended. */
static struct adi_pool_worker *owner_of(const struct adi_pool *pool, pid_t pid) {
    char number[16] = "";
    adi_process_variable(pid, ADI_WORKER_VARIABLE, number, sizeof number);
    struct adi_pool_worker *any = NULL;
    for (size_t i = 0; i < pool->n_workers; i++) {
        struct adi_pool_worker *worker = &pool->workers[i];
        if (worker->state != ADI_POOL_WORKER_ENDED) continue;
        const struct adi_outcomes *outcomes = &worker->task->outcomes;
        for (size_t c = 0; c < outcomes->n_children; c++)
            if (outcomes->children[c].pid == pid) return worker;
        char own[16];
        snprintf(own, sizeof own, "%u", worker->process.number);
        if (strcmp(own, number) == 0 || getpgid(pid) == worker->process.pid) return worker;
        if (any == NULL) any = worker;
    }
    return any;
}

/* The case that made it; else the last one that was played. */
static struct adi_outcome *culprit(struct adi_outcomes *outcomes, pid_t pid) {
    struct adi_outcome *found = NULL;
    for (size_t i = 0; i < outcomes->n_children; i++)
        if (outcomes->children[i].pid == pid)
            found = adi_outcomes_find(outcomes, outcomes->children[i].index);
    for (size_t i = outcomes->count; i-- > 0 && found == NULL;)
        if (outcomes->list[i].index >= 0) found = &outcomes->list[i];
    return found != NULL ? found : adi_outcomes_now(outcomes);
}

static void blame(struct adi_pool_worker *worker, pid_t pid) {
    struct adi_outcome *outcome = culprit(&worker->task->outcomes, pid);
    const struct adi_rule *rule = adi_charge_rule(ADI_CHARGE_PROCESS, false);
    enum adi_verdict verdict = adi_verdict_of_violation(rule, worker->task->outcomes.strict);
    struct adi_result like = {.rule = rule, .verdict = verdict};
    if (adi_outcome_find(outcome, &like) != NULL) return;
    adi_outcome_add(outcome, rule, adi_charged(rule, adi_outcome_party(outcome)), verdict,
                    "a process that it started went on after the worker had ended; killed", NULL,
                    NULL);
}

/* Had the implementation the chance to end what it started? */
static bool ended_in_order(const struct adi_pool_worker *worker) {
    return worker->task->outcomes.finished && worker->end == ADI_END_ITSELF;
}

void adi_pool_collect(struct adi_pool *pool) {
    pid_t left[ADI_PROCESSES];
    size_t n = find(pool, left);
    int64_t now = adi_now_ns();
    for (size_t i = 0; i < n; i++) {
        struct adi_pool_worker *worker = owner_of(pool, left[i]);
        bool orderly = worker != NULL && ended_in_order(worker);
        if (orderly && now - worker->ended_ns < MOMENT_NS) continue;
        if (orderly) blame(worker, left[i]);
        if (worker != NULL) kill(-worker->process.pid, SIGKILL);
        kill(left[i], SIGKILL);
    }
}

bool adi_pool_worker_has_leftovers(const struct adi_pool *pool,
                                   const struct adi_pool_worker *worker) {
    pid_t left[ADI_PROCESSES];
    size_t n = find(pool, left);
    for (size_t i = 0; i < n; i++)
        if (owner_of(pool, left[i]) == worker) return true;
    return false;
}
