/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine's one state and its lock, beneath everything else.
 */
#include <stdatomic.h>

#include "engine.h"

struct sim_engine sim = {.lock = PTHREAD_MUTEX_INITIALIZER};

static atomic_bool child;

/* Of this thread: `inside` the engine's code, with the lock; `kept`: the one of its calls begun
 * that keeps the lock, 0: none. Initial-exec: a signal handler reads them. */
#define OF_THREAD static _Thread_local __attribute__((tls_model("initial-exec")))
OF_THREAD bool inside, in_host_function;
OF_THREAD int cancel_state; /* before it had the lock */
OF_THREAD unsigned kept;
OF_THREAD uint64_t locks;

static void become_child(void) {
    atomic_store(&child, true);
}

int sim_lock_start(void) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&sim.work, &monotonic);
    pthread_cond_init(&sim.turn, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return pthread_atfork(NULL, NULL, become_child);
}

bool sim_is_child(void) {
    return atomic_load(&child);
}

bool sim_is_inside(void) {
    return inside;
}

uint64_t sim_locks(void) {
    return locks;
}

/* A thread that is cancelled (the log is written, conditions are waited for) ends behind it. */
static void take(void) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    pthread_mutex_lock(&sim.lock);
    locks++;
}

static void let_go(void) {
    pthread_mutex_unlock(&sim.lock);
    pthread_setcancelstate(cancel_state, NULL);
}

bool sim_lock(void) {
    if (inside || sim_is_child()) return false;
    if (kept == 0) take();
    inside = true;
    return true;
}

void sim_unlock(void) {
    inside = false;
    if (kept == 0) let_go();
}

bool sim_lock_is_kept(void) {
    return kept != 0;
}

void sim_lock_keep(unsigned call) {
    kept = call;
}

void sim_lock_end(unsigned call) {
    if (kept == call) sim_lock_give_up();
}

void sim_lock_give_up(void) {
    if (kept == 0 || inside) return;
    kept = 0;
    let_go();
}

/* Meanwhile a handler of this thread has nothing. */
void sim_wait(pthread_cond_t *condition, const struct timespec *end) {
    struct sim_site site = sim.site;
    unsigned keeps = kept;
    kept = 0;
    inside = false;
    if (end == NULL)
        pthread_cond_wait(condition, &sim.lock);
    else
        pthread_cond_timedwait(condition, &sim.lock, end);
    locks++;
    inside = true;
    kept = keeps;
    sim.site = site;
}

void sim_mark_host_function(bool running) {
    in_host_function = running;
}

bool sim_in_host_function(void) {
    return in_host_function;
}

/* splitmix64 */
uint64_t sim_draw(uint64_t *state, uint64_t below) {
    uint64_t z = *state += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return (z ^ (z >> 31)) % below;
}
