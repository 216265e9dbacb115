/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>

#include "queue.h"

#define COMMAND_NS   1000 /* virtual time: what a command takes, and what it moves in one ns */
#define BYTES_A_NS   16
#define RANDOM_STEPS 4

void sim_run_head(struct sim_queue *queue) {
    struct sim_op *op = sim_queue_head(queue);
    struct sim_device *device = queue->context->device;
    if (sim_fault_step(device->family, device->index)) {
        device->lost = true;
        sim_host_lost();
        return;
    }
    if (op->command == &sim_host_command) {
        sim_host_hand(queue);
        return;
    }
    if (queue->time < op->queued_at) queue->time = op->queued_at;
    if (op->command != &sim_wait_command) queue->time += COMMAND_NS + op->bytes / BYTES_A_NS;
    if (sim_logs())
        sim_log("\"run\":\"%s\",\"queue\":%" PRIu64 ",\"seq\":%" PRIu64 ",\"at\":%" PRIu64,
                op->command->name, queue->ordinal, queue->done + 1, queue->time);
    if (op->command->run != NULL) op->command->run(queue, op);
    if (op->command->drop != NULL) op->command->drop(op);
    sim_queue_pop(queue);
}

/* ---- what a policy runs by itself ---- */

static bool waits(const struct sim_op *op) {
    return op->command == &sim_wait_command &&
           !sim_queue_has_run((struct sim_tick){op->wait.component, op->wait.seq});
}

static bool may_run(struct sim_queue *queue, bool paused_too) {
    bool held = queue->paused || sim.paused[queue->party];
    const struct sim_op *op = sim_queue_head(queue);
    return (paused_too || !held) && !queue->running && !queue->context->device->lost &&
           !waits(op) && op->command != &sim_host_command;
}

/* Everything that can; what one gives way to comes in the next round. */
static void settle(bool paused_too) {
    for (bool progress = true; progress;) {
        progress = false;
        for (size_t i = sim_active.n; i > 0; i--) {
            /* The last one of the row moves to where an empty one was. */
            while (i <= sim_active.n) {
                struct sim_queue *queue = sim_active.at[i - 1];
                if (!may_run(queue, paused_too)) break;
                sim_run_head(queue);
                progress = true;
            }
        }
    }
}

static void run_some(void) {
    for (uint64_t n = sim_draw(&sim.random, RANDOM_STEPS); n > 0 && sim_active.n > 0; n--) {
        struct sim_queue *queue = sim_active.at[sim_draw(&sim.random, sim_active.n)];
        if (may_run(queue, false)) sim_run_head(queue);
    }
}

static void nothing(void) {}

static void settle_unheld(void) {
    settle(false);
}

void sim_run_policy(void) {
    static void (*const policies[])(void) = {
        [SIM_LAZY] = nothing, [SIM_EAGER] = settle_unheld, [SIM_RANDOM] = run_some};
    policies[sim.settings.policy]();
}

void sim_queue_push(struct sim_queue *queue, struct sim_op op) {
    sim_queue_put(queue, &op);
    sim_run_policy();
}

void sim_run_all(void) {
    settle(true);
}

/* ---- what is demanded ---- */

/* Commands that must have run, each for the sake of the one before. */
struct goals {
    struct sim_tick *at, few[16];
    size_t n, capacity;
};

static int add_goal(struct goals *goals, uint32_t component, uint64_t seq) {
    if (goals->n == goals->capacity) {
        size_t capacity = goals->capacity * 2;
        struct sim_tick *grown = sim_heap_new(capacity * sizeof *grown);
        if (grown == NULL) return ENOMEM;
        for (size_t i = 0; i < goals->n; i++) grown[i] = goals->at[i];
        if (goals->at != goals->few) sim_heap_free(goals->at);
        goals->at = grown;
        goals->capacity = capacity;
    }
    goals->at[goals->n++] = (struct sim_tick){component, seq};
    return 0;
}

/* Runs at most `steps` commands towards it. EAGAIN: there are more. */
static int run_until(uint32_t component, uint64_t seq, uint64_t steps, bool patient) {
    struct goals goals = {.capacity = sizeof goals.few / sizeof *goals.few};
    goals.at = goals.few;
    int code = add_goal(&goals, component, seq);
    while (code == 0 && goals.n > 0) {
        struct sim_tick goal = goals.at[goals.n - 1];
        struct sim_queue *queue = sim_clock_queue(goal.component);
        if (sim_queue_has_run(goal)) {
            goals.n--;
        } else if (queue->context->device->lost) {
            code = sim_queue_lost();
        } else if (queue->running) {
            sim_host_wait(!patient);
            if (!patient) steps = 0;
            queue = sim_clock_queue(goal.component);
            if (!patient && queue != NULL && queue->running) code = EAGAIN;
        } else if (waits(sim_queue_head(queue))) {
            const struct sim_op *op = sim_queue_head(queue);
            code = add_goal(&goals, op->wait.component, op->wait.seq);
        } else if (steps == 0) {
            code = EAGAIN;
        } else {
            steps--;
            sim_run_head(queue);
        }
    }
    if (goals.at != goals.few) sim_heap_free(goals.at);
    return code;
}

static void log_known(uint32_t component, uint64_t seq) {
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"knows\":\"queue %" PRIu32 "\",\"seq\":%" PRIu64,
            sim.site.call, sim.site.name, component, seq);
}

static void learn(uint32_t component, uint64_t seq, const struct sim_clock *clock) {
    sim_clock_learn(component, seq);
    sim_clock_learn_all(clock);
    sim_shared_refresh();
    log_known(component, seq);
}

int sim_run_sync(struct sim_queue *queue, uint64_t seq) {
    queue->users++; /* it may be one that was destroyed */
    if (sim.settings.policy == SIM_RANDOM) run_some();
    /* Other threads may queue waits for more meanwhile. */
    struct sim_clock clock = sim_clock_copy(&queue->clock);
    int code = run_until(queue->component, seq, UINT64_MAX, true);
    if (code == 0) {
        if (sim.now < queue->time) sim.now = queue->time;
        learn(queue->component, seq, &clock);
    }
    if (code == EOWNERDEAD) sim_host_wait_for_callbacks(queue);
    sim_clock_free(&clock);
    queue->users--;
    sim_queue_tidy(queue);
    if (sim.settings.policy == SIM_EAGER) settle(false);
    return code;
}

int sim_run_before(struct sim_queue *queue, uint64_t seq) {
    return run_until(queue->component, seq - 1, UINT64_MAX, true);
}

int sim_run_towards(uint32_t component, uint64_t seq) {
    return run_until(component, seq - 1, UINT64_MAX, false);
}

int sim_run_query(uint32_t component, uint64_t seq, const struct sim_clock *clock) {
    /* Other threads may queue waits for more meanwhile. */
    struct sim_clock copy = sim_clock_copy(clock);
    int code = run_until(component, seq, 1, false);
    if (code == 0) learn(component, seq, &copy);
    sim_clock_free(&copy);
    return code;
}

static void wait_for_callbacks(uint32_t component) {
    struct sim_queue *queue = sim_clock_queue(component);
    if (queue == NULL) return;
    queue->users++;
    sim_host_wait_for_callbacks(queue);
    queue->users--;
    sim_queue_tidy(queue);
}

int sim_run_record(struct sim_record *record) {
    if (sim.settings.policy == SIM_RANDOM) run_some();
    record->held++;
    int code = run_until(record->component, record->seq, UINT64_MAX, true);
    if (code == 0) {
        if (sim.now < record->time) sim.now = record->time;
        sim_record_learn(record);
    }
    if (code == EOWNERDEAD) wait_for_callbacks(record->component);
    sim_record_release(record);
    if (sim.settings.policy == SIM_EAGER) settle(false);
    return code;
}

static int run_tick(struct sim_tick tick) {
    int code = run_until(tick.component, tick.seq, UINT64_MAX, true);
    const struct sim_queue *queue = sim_clock_queue(tick.component);
    if (code == EOWNERDEAD) wait_for_callbacks(tick.component);
    if (code != 0) return code;
    if (queue != NULL && sim.now < queue->time) sim.now = queue->time;
    log_known(tick.component, tick.seq);
    return 0;
}

int sim_run_clock(const struct sim_clock *clock) {
    if (sim.settings.policy == SIM_RANDOM) run_some();
    int code = sim_ticks_each(clock->ticks, run_tick);
    if (code == 0) {
        sim_clock_learn_all(clock);
        sim_shared_refresh();
    }
    if (sim.settings.policy == SIM_EAGER) settle(false);
    return code;
}

void sim_record_learn(const struct sim_record *record) {
    learn(record->component, record->seq, &record->clock);
}
