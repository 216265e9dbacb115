/* SPDX-License-Identifier: Apache-2.0
 *
 * The public functions, which alone take the lock for a call: the engine beneath them calls none.
 */
#include "public.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "memory.h"
#include "queue.h"
#include "registry.h"

#define CALL_NS 1000 /* what a call takes in virtual time */
#define NAME    63   /* bytes of a call's name and of a topic, and of a text, at most */
#define TEXT    1000

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static struct sim_settings wanted = {.seed = 1, .memory = (uint64_t)16 << 30};
static bool environment_read;
static atomic_bool started;

/* Of this thread. Initial-exec: a signal handler reads them. */
#define OF_THREAD static _Thread_local __attribute__((tls_model("initial-exec")))
OF_THREAD unsigned begun;
OF_THREAD struct sim_site begun_site;

static void read_environment(void) {
    if (!environment_read) sim_settings_read(&wanted);
    environment_read = true;
}

static void at_exit(void) {
    bool any = sim.settings.leaks || sim_merge_has_more();
    if (!atomic_load(&started) || !any || !sim_lock()) return;
    sim.site = (struct sim_site){sim.calls, "exit", 0};
    if (sim.settings.leaks) sim_registry_leaks(NULL);
    if (sim.settings.leaks) sim_own_leaks(NULL);
    sim_merge_end();
    sim_unlock();
}

__attribute__((destructor)) static void unload(void) {
    at_exit();
}

static int start(void) {
    read_environment();
    sim.settings = wanted;
    sim.random = wanted.seed;
    int code = sim_log_open();
    if (code == 0) code = sim_memory_start();
    if (code == 0) code = sim_registry_start();
    if (code == 0) code = sim_lock_start();
    if (code == 0) atomic_store(&started, true);
    return code;
}

static int start_once(void) {
    if (sim_is_child()) return ENOTCONN;
    if (atomic_load(&started)) return 0;
    pthread_mutex_lock(&starting);
    int code = atomic_load(&started) ? 0 : start();
    pthread_mutex_unlock(&starting);
    return code;
}

/* Why there is no lock: it is a child, or this thread has it and runs a kernel. */
static int refusal(void) {
    return sim_is_child() ? ENOTCONN : EPERM;
}

static int leave(int code) {
    sim_unlock();
    return code;
}

/* Lets go, and then hands a result out: where it goes may be a page that is closed, and the handler
 * that opens it needs the lock. So what a call is given by address is copied before. */
static int give(int code, void *out, const void *result, size_t bytes) {
    sim_unlock();
    if (code == 0 && out != NULL) memcpy(out, result, bytes);
    return code;
}

#define FAILS  false
#define SURELY true

/* Starts the engine if need be, takes the lock, counts the call, closes what a touch opened, puts
 * the signal handler back in front, and lets a fault that was asked for happen. The lock is held
 * only if it returns 0. A call within one that a runtime has begun is part of that one. */
static int enter(const char *name, bool surely) {
    int code = start_once();
    if (code != 0) return code;
    if (!sim_lock()) return refusal();
    if (begun == 0) {
        sim.site = (struct sim_site){++sim.calls, name, sim_party()};
        sim.now += CALL_NS;
        sim_host_note_call();
    } else {
        sim.site = begun_site;
    }
    if (begun == 0) {
        sim_memory_close_touched();
        sim_touch_arm();
    }
    if (sim_in_host_function()) {
        sim_violate(SIM_CALL_IN_HOST_FUNCTION, "%s is called from within a host function", name);
        return leave(EPERM);
    }
    if (begun == 0 && !surely) code = sim_fault_call(name);
    return code == 0 ? 0 : leave(code);
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
    bool first = begun == 0, keeps = alone && !sim_lock_is_kept();
    if (sim_is_inside()) return EPERM; /* a kernel */
    if (!is_text(name, NAME)) return EINVAL;
    int code = first ? enter(name, surely) : keeps && !sim_lock() ? refusal() : 0;
    if (code != 0) return code;
    if (first) begun_site = sim.site;
    begun++;
    if (keeps) sim_lock_keep(begun);
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
    if (begun == 0 || sim_is_inside()) return;
    sim_lock_end(begun--);
}

uint64_t adi_sim_locks(void) {
    return sim_locks();
}

int adi_sim_remark(const char *topic, const char *text) {
    char topic_copy[NAME + 1], text_copy[TEXT + 1];
    if (!is_text(topic, NAME) || !is_text(text, TEXT)) return EINVAL;
    strcpy(topic_copy, topic);
    strcpy(text_copy, text);
    SIM_TRY(enter("adi_sim_remark", SURELY));
    sim_remark(topic_copy, text_copy);
    return leave(0);
}

int adi_sim_violate(const char *violation, unsigned maker, bool is_event, const char *text) {
    enum sim_violation which;
    char text_copy[TEXT + 1];
    if (maker >= ADI_SIM_PARTIES || !is_text(violation, NAME) || !is_text(text, TEXT) ||
        !sim_violation_named(violation, &which))
        return EINVAL;
    strcpy(text_copy, text);
    SIM_TRY(enter("adi_sim_violate", SURELY));
    sim.about = (struct sim_about){true, is_event, false, maker};
    sim_violate(which, "%s", text_copy);
    return leave(0);
}

int adi_sim_foreign(const void *pointer, const char *what) {
    char copy[NAME + 1];
    if (!is_text(what, NAME)) return EINVAL;
    strcpy(copy, what);
    SIM_TRY(enter("adi_sim_foreign", SURELY));
    return leave(sim_foreign(pointer, copy));
}

bool adi_sim_is_live(const void *handle, uint64_t *label) {
    uint64_t found = 0;
    if (enter("adi_sim_is_live", SURELY) != 0) return false;
    bool live = sim_registry_is_live(handle, &found);
    return give(live ? 0 : EBADF, label, &found, sizeof found) == 0;
}

int adi_sim_set(const char *name, const char *value) {
    if (name == NULL || value == NULL) return EINVAL;
    pthread_mutex_lock(&starting);
    int code = EBUSY;
    if (!atomic_load(&started)) {
        read_environment();
        code = sim_settings_put(&wanted, name, value);
    }
    pthread_mutex_unlock(&starting);
    return code;
}

int adi_sim_phase(const char *phase) {
    char text[sizeof sim.phase] = "";
    SIM_TRY(start_once());
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

size_t adi_sim_live(unsigned party) {
    if (party >= ADI_SIM_PARTIES || !sim_lock()) return 0;
    size_t n = sim.live[party];
    sim_unlock();
    return n;
}

int adi_sim_kernels_are_opaque(void) {
    return start_once() == 0 && sim.settings.opaque;
}

int adi_sim_reports_leaks(void) {
    return start_once() == 0 && sim.settings.leaks;
}

/* Also of a call that is under way, what comes later in it. */
unsigned adi_sim_party(unsigned party) {
    unsigned before = sim_set_party(party);
    if (begun > 0) begun_site.party = sim_party();
    return before;
}

bool adi_sim_readable(const void *pointer, size_t bytes) {
    return sim_readable(pointer, bytes);
}

bool adi_sim_writable(const void *pointer, size_t bytes) {
    return sim_writable(pointer, bytes);
}

/* ---- what is given by address ---- */

/* Families are names of programs' interfaces: they go into the log as they are. */
static bool is_family(const char *name) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
    size_t n = name == NULL ? 0 : strnlen(name, SIM_FAMILY);
    return n > 0 && n < SIM_FAMILY && strspn(name, letters) == n;
}

int adi_sim_context_open(const char *family, int index, adi_sim_context *out) {
    adi_sim_context made = NULL;
    char name[SIM_FAMILY];
    bool sense = out != NULL && is_family(family);
    if (sense) strcpy(name, family);
    SIM_TRY(enter(__func__, FAILS));
    int code = sense ? sim_context_open(name, index, &made) : EINVAL;
    return give(code, out, &made, sizeof made);
}

int adi_sim_callback(adi_sim_queue queue, void (*function)(const uintptr_t *data, int code),
                     const uintptr_t *data) {
    uintptr_t copy[ADI_SIM_CALLBACK_WORDS] = {0};
    if (data != NULL) memcpy(copy, data, sizeof copy);
    SIM_TRY(enter(__func__, FAILS));
    return leave(sim_callback(queue, data == NULL ? NULL : function, copy));
}

int adi_sim_launch(adi_sim_queue queue, adi_sim_kernel kernel, void *state,
                   const struct adi_sim_operand *operands, size_t n) {
    struct adi_sim_operand copies[ADI_SIM_OPERANDS];
    bool sense = kernel != NULL && n <= ADI_SIM_OPERANDS && (operands != NULL || n == 0);
    if (sense && n > 0) memcpy(copies, operands, n * sizeof *copies);
    SIM_TRY(enter(__func__, FAILS));
    return leave(sense ? sim_launch(queue, kernel, state, copies, n) : EINVAL);
}

/* ---- the others ---- */

typedef char label[ADI_SIM_LABEL];
typedef void *address;
typedef const char *text;

#define CALL(name, begin, parameters, ...)                                                         \
    int adi_sim_##name parameters {                                                                \
        int code = enter(__func__, begin);                                                         \
        return code == 0 ? leave(sim_##name(__VA_ARGS__)) : code;                                  \
    }
#define GIVE(name, begin, parameters, type, out, ...)                                              \
    int adi_sim_##name parameters {                                                                \
        type made = {0};                                                                           \
        int code = enter(__func__, begin);                                                         \
        if (code != 0) return code;                                                                \
        code = (out) == NULL ? EINVAL : sim_##name(__VA_ARGS__);                                   \
        return give(code, out, &made, sizeof made);                                                \
    }
#define GIVE_TWO(name, parameters, one_type, one, other_type, other, ...)                          \
    int adi_sim_##name parameters {                                                                \
        one_type first = {0};                                                                      \
        other_type second = {0};                                                                   \
        int code = enter(__func__, SURELY);                                                        \
        if (code != 0) return code;                                                                \
        code = give(sim_##name(__VA_ARGS__), one, &first, sizeof first);                           \
        if (code == 0 && (other) != NULL) *(other) = second;                                       \
        return code;                                                                               \
    }
#include "public.def"
