/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine's inside: one state, one lock. The public functions (public.c) take it; what is
 * declared here and in the headers beside it is called in between, with the lock held, unless it
 * says otherwise, and calls none of them. Functions return 0 or an errno value.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "sim.h"
#include "sim_heap.h"
#include "try.h"

/* The call in which something happened, and whose it was. */
struct sim_site {
    uint64_t call;
    const char *name;
    unsigned party;
};

/* What the next violation is about; else it is about something of the caller's own. */
struct sim_about {
    bool set, is_event, is_open; /* is_open: memory that the CPU may touch in principle */
    unsigned party;              /* who made it; of a race, whose the earlier access was */
};

enum sim_policy {
    SIM_LAZY,
    SIM_EAGER,
    SIM_RANDOM,
};

/* What was asked for before the start. */
struct sim_settings {
    enum sim_policy policy;
    uint64_t seed, memory, fail, lose;
    char fail_name[48];
    char log[4096];
    bool stop_at_touch, leaks, opaque;
};

struct sim_queue;

struct sim_engine {
    pthread_mutex_t lock;
    pthread_cond_t work; /* for the engine's thread: there is a host function, or a call was made */
    pthread_cond_t turn; /* for those who wait for a host function */
    struct sim_settings settings;
    uint64_t calls, counted, steps, random; /* counted: those that ADI_SIM_FAIL counts */
    uint64_t now;                           /* the host's virtual time in ns */
    uint64_t errors;                        /* violations of level ERROR */
    struct sim_site site;                   /* of the call that holds the lock */
    struct sim_about about;
    size_t live[ADI_SIM_PARTIES]; /* what each has made and not given back */
    bool paused[ADI_SIM_PARTIES]; /* whose queues are paused */
    char phase[32];
};

extern struct sim_engine sim;

/* ---- lock.c ---- */

int sim_lock_start(void);
/* For the signal handler, and threads of the engine: the lock without a call. `false`: this thread
 * is in the engine already, or this is a child of fork(). */
bool sim_lock(void);
void sim_unlock(void);
/* Is this thread in the engine's code? How often has it taken the lock? */
bool sim_is_inside(void);
uint64_t sim_locks(void);
/* The lock, which this thread has, is its own until the end of the `call`th of those that it has
 * begun within each other, from 1 on. */
void sim_lock_keep(unsigned call);
bool sim_lock_is_kept(void);
void sim_lock_end(unsigned call);
/* The call that a runtime has begun alone goes on without the lock: a handler of the program's is
 * about to run in the midst of it, which may never come back. */
void sim_lock_give_up(void);
/* Lets go of the lock while waiting for one of the conditions; until `end` (CLOCK_MONOTONIC; NULL:
 * for ever). */
void sim_wait(pthread_cond_t *condition, const struct timespec *end);
/* Is this thread running a host function? */
void sim_mark_host_function(bool running);
bool sim_in_host_function(void);
/* Is this a child of fork()? Needs no lock. */
bool sim_is_child(void);

/* A number below `below`, the same on every machine; `state` begins with a seed. */
uint64_t sim_draw(uint64_t *state, uint64_t below);

/* ---- settings.c ---- */

/* EINVAL: no such setting, or no such value. */
int sim_settings_put(struct sim_settings *settings, const char *name, const char *value);
/* Takes them from the environment; what cannot be read is said on standard error. */
void sim_settings_read(struct sim_settings *settings);

/* ---- faults.c: failures by request ---- */

/* EIO if the call that begins is the one that shall fail. */
int sim_fault_call(const char *name);
/* ENOMEM if the device shall not have so much. */
int sim_fault_memory(uint64_t used, size_t more);
/* Counts a command that is about to run; is its device lost now? */
bool sim_fault_step(const char *family, int device);

/* ---- sim_log.c ---- */

int sim_log_open(void);
/* A line of the log: an object with these members; `format` is JSON without the braces, in which
 * nothing needs escaping; of printf's it may have %s, %d, %zu, PRIu32 and PRIu64. Written at once,
 * so that it survives a SIGKILL. From signal handlers, too. */
void sim_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool sim_logs(void); /* is there anybody to read it? */
/* Says it on standard error, behind the engine's name, unless there is a log. */
void sim_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* What a runtime has to say, in the log or, once for each topic, on standard error. */
void sim_remark(const char *topic, const char *text);
/* The errno value with which the log could not be written; 0: it was. */
int sim_log_error(void);

/* ---- party.c ---- */

struct adi_sim_report;

/* Whose calls this thread's are. Signal handlers, too. */
unsigned sim_party(void);
/* Is it the watcher's, and the present call the program's? */
bool sim_is_foreign(unsigned party);
/* Does somebody listen? He is told. */
bool sim_is_watched(void);
void sim_tell(const struct adi_sim_report *report);

/* ---- merge.c ---- */

/* Counts a violation in the present call. Is it but one more of those that were said in full?
 * `quiet`: not on standard error. */
bool sim_merge(const char *violation, const char *text, bool quiet);
/* Are there more than have been said? Needs no lock. */
bool sim_merge_has_more(void);
/* Says of all what they have come to. */
void sim_merge_end(void);

/* ---- violate.c ---- */

enum sim_violation {
#define VIOLATION(id, name, level, statement, mend) SIM_##id,
#include "violations.def"
#undef VIOLATION
};

/* Reports a violation that was committed in the present call; `text` says what was seen. */
void sim_violate(enum sim_violation violation, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The violation of that name; false: there is none. Needs no lock. */
bool sim_violation_named(const char *name, enum sim_violation *out);

/* ---- touch.c: the signal handler ---- */

/* Installs it, or puts it back in front of whatever was installed since. */
void sim_touch_arm(void);

/* Which side of a copy could not be touched. */
enum sim_side {
    SIM_NEITHER,
    SIM_SOURCE,
    SIM_TARGET,
};

/* memcpy with memory of the program, which may not be there; what comes before the first such byte
 * may have been copied. `from` NULL: fills with poison. */
enum sim_side sim_touch_copy(void *to, const void *from, size_t bytes);

#endif /* SIM_ENGINE_H */
