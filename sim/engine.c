/* SPDX-License-Identifier: Apache-2.0 */
#include "engine.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "memory.h"
#include "queue.h"
#include "registry.h"

#define CALL_NS 1000 /* what a call takes in virtual time */
#define NAME    63   /* bytes of a call's name and of a topic, and of a text, at most */
#define TEXT    1000

struct sim_engine sim = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static struct sim_settings wishes = {.seed = 1, .memory = (uint64_t)16 << 30};
static bool environment_read;
static atomic_bool started, child;

/* Of this thread. Initial-exec: a signal handler reads them. */
#define OF_THREAD static _Thread_local __attribute__((tls_model("initial-exec")))
OF_THREAD bool inside, in_host_function; /* inside: it has the lock, and is in the engine's code */
OF_THREAD int cancel_state;              /* before it had the lock */
OF_THREAD unsigned begun, kept; /* kept: the one of the calls begun that keeps the lock; 0: none */
OF_THREAD uint64_t locks;
OF_THREAD struct sim_place begun_place;

static void become_child(void) {
    atomic_store(&child, true);
}

static void read_environment(void) {
    if (!environment_read) sim_settings_read(&wishes);
    environment_read = true;
}

static void at_exit(void) {
    bool any = sim.settings.leaks || sim_merge_has_more();
    if (!atomic_load(&started) || !any || !sim_lock()) return;
    sim.place = (struct sim_place){sim.calls, "exit", 0};
    if (sim.settings.leaks) sim_registry_leaks(NULL);
    sim_merge_end();
    sim_unlock();
}

__attribute__((destructor)) static void unload(void) {
    at_exit();
}

static int start(void) {
    pthread_condattr_t monotonic;
    read_environment();
    sim.settings = wishes;
    sim.random = wishes.seed;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&sim.work, &monotonic);
    pthread_cond_init(&sim.turn, &monotonic);
    pthread_condattr_destroy(&monotonic);
    int code = sim_log_open();
    if (code == 0) code = sim_memory_start();
    if (code == 0) code = sim_registry_start();
    if (code == 0) code = pthread_atfork(NULL, NULL, become_child);
    if (code == 0) atomic_store(&started, true);
    return code;
}

static int start_once(void) {
    if (atomic_load(&child)) return ENOTCONN;
    if (atomic_load(&started)) return 0;
    pthread_mutex_lock(&starting);
    int code = atomic_load(&started) ? 0 : start();
    pthread_mutex_unlock(&starting);
    return code;
}

bool sim_is_child(void) {
    return atomic_load(&child);
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

void sim_lock_give_up(void) {
    if (kept == 0 || inside) return;
    kept = 0;
    let_go();
}

/* Meanwhile a handler of this thread has nothing. */
void sim_wait(pthread_cond_t *condition, const struct timespec *end) {
    struct sim_place place = sim.place;
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
    sim.place = place;
}

void sim_mark_host_function(bool running) {
    in_host_function = running;
}

bool sim_in_host_function(void) {
    return in_host_function;
}

/* Why there is no lock: it is a child, or this thread has it and runs a kernel. */
static int refusal(void) {
    return sim_is_child() ? ENOTCONN : EPERM;
}

/* A call within one that a runtime has begun is part of that one. */
static int enter(const char *name, bool surely) {
    int code = start_once();
    if (code != 0) return code;
    if (!sim_lock()) return refusal();
    if (begun == 0) {
        sim.place = (struct sim_place){++sim.calls, name, sim_party()};
        sim.now += CALL_NS;
        sim_queue_note_call();
    } else {
        sim.place = begun_place;
    }
    if (begun == 0) {
        sim_memory_close_touched();
        sim_touch_arm();
    }
    if (in_host_function) {
        sim_violate(SIM_CALL_IN_HOST_FUNCTION, "%s is called from within a host function", name);
        return sim_leave(EPERM);
    }
    if (begun == 0 && !surely) code = sim_fault_call(name);
    return code == 0 ? 0 : sim_leave(code);
}

int sim_enter(const char *name) {
    return enter(name, false);
}

int sim_enter_surely(const char *name) {
    return enter(name, true);
}

int sim_leave(int code) {
    sim_unlock();
    return code;
}

int sim_give(int code, void *out, const void *result, size_t bytes) {
    sim_unlock();
    if (code == 0 && out != NULL) memcpy(out, result, bytes);
    return code;
}

/* The log does not escape. */
static bool is_clean(char letter) {
    return letter >= ' ' && letter <= '~' && letter != '"' && letter != '\\';
}

static bool is_text(const char *text, size_t most) {
    size_t n = 0;
    if (text == NULL) return false;
    while (n <= most && is_clean(text[n])) n++;
    return n > 0 && n <= most && text[n] == '\0';
}

static int begin(const char *name, bool surely, bool alone) {
    bool first = begun == 0, keeps = alone && kept == 0;
    if (inside) return EPERM; /* a kernel */
    if (!is_text(name, NAME)) return EINVAL;
    int code = first ? enter(name, surely) : keeps && !sim_lock() ? refusal() : 0;
    if (code != 0) return code;
    if (first) begun_place = sim.place;
    begun++;
    if (keeps) kept = begun;
    if (first || keeps) sim_unlock();
    return 0;
}

int adi_sim_begin(const char *name) {
    return begin(name, false, false);
}

int adi_sim_begin_surely(const char *name) {
    return begin(name, true, false);
}

int adi_sim_begin_alone(const char *name, bool surely) {
    return begin(name, surely, true);
}

void adi_sim_end(void) {
    if (begun == 0 || inside) return;
    if (kept == begun) sim_lock_give_up();
    begun--;
}

uint64_t adi_sim_locks(void) {
    return locks;
}

int adi_sim_remark(const char *topic, const char *text) {
    char topic_copy[NAME + 1], text_copy[TEXT + 1];
    if (!is_text(topic, NAME) || !is_text(text, TEXT)) return EINVAL;
    strcpy(topic_copy, topic);
    strcpy(text_copy, text);
    int code = sim_enter_surely("adi_sim_remark");
    if (code != 0) return code;
    sim_remark(topic_copy, text_copy);
    return sim_leave(0);
}

bool adi_sim_is_live(const void *handle, uint64_t *label) {
    uint64_t found = 0;
    if (sim_enter_surely("adi_sim_is_live") != 0) return false;
    bool live = sim_registry_is_live(handle, &found);
    return sim_give(live ? 0 : EBADF, label, &found, sizeof found) == 0;
}

int adi_sim_set(const char *name, const char *value) {
    if (name == NULL || value == NULL) return EINVAL;
    pthread_mutex_lock(&starting);
    int code = EBUSY;
    if (!atomic_load(&started)) {
        read_environment();
        code = sim_settings_put(&wishes, name, value);
    }
    pthread_mutex_unlock(&starting);
    return code;
}

int adi_sim_phase(const char *phase) {
    char text[sizeof sim.phase] = "";
    int code = start_once();
    if (code != 0) return code;
    size_t n = phase == NULL ? 0 : strnlen(phase, sizeof text - 1);
    for (size_t i = 0; i < n; i++) text[i] = is_clean(phase[i]) ? phase[i] : '?';
    if (!sim_lock()) return refusal();
    memcpy(sim.phase, text, sizeof text);
    sim_unlock();
    return 0;
}

uint64_t adi_sim_violations(void) {
    if (!atomic_load(&started) || !sim_lock()) return 0;
    uint64_t errors = sim.errors;
    sim_unlock();
    return errors;
}

int adi_sim_log_error(void) {
    if (!atomic_load(&started) || !sim_lock()) return 0;
    int error = sim_log_error();
    sim_unlock();
    return error;
}

int adi_sim_leaks(void) {
    int code = sim_enter_surely("adi_sim_leaks");
    if (code != 0) return code;
    sim_registry_leaks(NULL);
    return sim_leave(0);
}
