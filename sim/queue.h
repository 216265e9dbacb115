/* SPDX-License-Identifier: Apache-2.0
 *
 * Queues and what is in them. A command is checked, and what it touches noted in the order of
 * things, when it is queued; its effect comes when it runs, and when that is, is the policy's.
 */
#ifndef SIM_QUEUE_H
#define SIM_QUEUE_H

#include "registry.h"

struct sim_op;
struct sim_queue;

/* A kind of command. */
struct sim_command {
    const char *name;
    void (*run)(struct sim_queue *queue, struct sim_op *op); /* (optional) */
    void (*drop)(struct sim_op *op); /* (optional) gives back what the op holds */
};

/* All that was in a queue at a moment: what an event stands for. */
struct sim_record {
    unsigned held;
    uint32_t component;
    uint64_t seq;
    struct sim_clock clock;
    bool done, asked; /* asked: for its time, before anybody had waited for it */
    uint64_t time;    /* virtual; once it is done */
};

/* Where a command reads or writes: in an allocation, or (NULL) in memory of the program. */
struct sim_span {
    struct sim_allocation *allocation;
    size_t offset;
    char *host;
};

struct sim_launch;

struct sim_op {
    const struct sim_command *command;
    struct sim_site site;
    uint64_t order, queued_at; /* order: among all commands; queued_at: virtual time */
    size_t bytes;
    union {
        struct {
            struct sim_span to, from;
            void *staged;
            int *code; /* of the call that waits for it; NULL: none does */
        } copy;
        struct {
            struct sim_span to;
            uint32_t pattern;
            size_t width;
        } fill;
        struct {
            /* Both are NULL once it was called. */
            void (*function)(void *data);
            void (*callback)(const uintptr_t *data, int code);
            uintptr_t data[ADI_SIM_CALLBACK_WORDS]; /* of a function the first is its `data` */
            struct sim_record *before;
        } host;
        struct {
            uint32_t component;
            uint64_t seq;
            struct sim_record *record; /* NULL: the order with the default queue */
            struct sim_clock clock;    /* then: that of the queue, up to there */
        } wait;
        struct sim_launch *launch;
        struct sim_record *record;
        struct sim_allocation *freed;
    };
};

struct sim_queue {
    struct sim_context *context;
    void *handle;
    uint64_t ordinal;
    uint32_t component;
    unsigned flags, users, party;    /* users: calls that wait for it; party: who made it */
    bool paused, destroyed, running; /* running: a host function of it */
    uint64_t seq, done;              /* last command that was queued, and that has run */
    uint64_t time;                   /* virtual: when that was */
    struct sim_op *ops; /* a ring of a power of two; the one at `seq` is ops[seq & mask] */
    size_t capacity;
    struct sim_clock clock;
    uint64_t default_seen; /* up to where it is ordered behind the default queue */
    uint64_t barrier_seen; /* number of the last barrier of its context that it comes behind */
    bool is_fresh;
    struct sim_queue *next_fresh, *next_job;
    struct sim_queue *previous, *next; /* of the context */
    size_t active;                     /* place among those with work, from 1; 0: none */
};

/* ---- queue.c ---- */

extern const struct sim_command sim_wait_command;

/* Has it run, or is its queue no more? */
bool sim_queue_has_run(struct sim_tick tick);
/* Before a command is queued: makes room, and lets the order with the default queue take effect.
 * The command will be number queue->seq + 1. */
int sim_queue_prepare(struct sim_queue *queue);
/* What is queued from now on comes behind command `last`, whose queue has, or had, this clock. */
int sim_queue_follow(struct sim_queue *queue, struct sim_tick last, const struct sim_clock *clock);
/* Lets the queue come behind the last barrier of its context, unless it does. */
int sim_queue_follow_barrier(struct sim_queue *queue);
/* Queues it, and runs nothing; `op` is copied, and what it holds is the queue's. */
void sim_queue_put(struct sim_queue *queue, const struct sim_op *op);
/* Number `seq`, and the first one; NULL: it has run. */
struct sim_op *sim_queue_op(struct sim_queue *queue, uint64_t seq);
struct sim_op *sim_queue_head(struct sim_queue *queue);
/* The head has run. */
void sim_queue_pop(struct sim_queue *queue);
/* The blocking queues still come behind what is in it. */
void sim_queue_let_go_of_default(struct sim_queue *queue);
/* Frees it if it was destroyed, is empty, and nobody uses it; and its context if that was closed
 * and it was the last. */
void sim_queue_tidy(struct sim_queue *queue);
/* Frees the context if it was closed, nobody uses it, and it has no queue. */
void sim_context_tidy(struct sim_context *context);
/* EOWNERDEAD: the host is told that a device was lost. What is left there will never be, so it is
 * as good as complete. */
int sim_queue_lost(void);

/* Queues with work. */
extern struct sim_active {
    struct sim_queue **at;
    size_t n, capacity;
} sim_active;

/* A record of all that is in the queue; held once. NULL: no memory. */
struct sim_record *sim_record_new(const struct sim_queue *queue, uint64_t seq);
void sim_record_release(struct sim_record *record);

/* ---- sim_host.c: host functions that wait for their turn ---- */

extern const struct sim_command sim_host_command;

/* What the engine's thread has to do. */
extern struct sim_jobs {
    struct sim_queue *first;   /* whose turn it is; the oldest first */
    uint64_t n_waiting;        /* host functions that are queued */
    struct timespec last_call; /* while any were */
    bool any_lost;             /* a device: its callbacks are to be called */
} sim_jobs;

struct timespec sim_host_after_idling(struct timespec from);
void sim_host_count(int more); /* one more that waits for its turn, or one fewer */
/* A call was made: the time without one begins anew. */
void sim_host_note_call(void);
/* The queue's head is a host function, whose turn it is: the engine's thread runs it. */
void sim_host_hand(struct sim_queue *queue);
/* Waits until a host function has ended; `briefly`: or 20 ms have passed. */
void sim_host_wait(bool briefly);
/* The first one in the queue that can still be called; 0: none. On a lost device callbacks can. */
uint64_t sim_host_first(struct sim_queue *queue);
/* A device was lost: its callbacks are called. */
void sim_host_lost(void);
/* Waits until those in the queue have been. */
void sim_host_wait_for_callbacks(struct sim_queue *queue);

/* ---- sim_run.c ---- */

/* Queues it, as above, and runs what the policy says. */
void sim_queue_push(struct sim_queue *queue, struct sim_op op);
/* What the policy runs after a command was queued. */
void sim_run_policy(void);
/* Runs what must have run for command `seq` of the queue to have; and the host knows it. */
int sim_run_sync(struct sim_queue *queue, uint64_t seq);
/* Runs all that must have run before command `seq` can. */
int sim_run_before(struct sim_queue *queue, uint64_t seq);
/* Runs the head of the queue, or hands it to the thread for host functions; whether it is its turn
 * has been seen to. */
void sim_run_head(struct sim_queue *queue);
/* The same, as far as it goes without a host function that takes more than 20 ms. EAGAIN: one did,
 * or there are more. */
int sim_run_towards(uint32_t component, uint64_t seq);
/* Lets one command run, at most. 0: it has run, and the host knows. EAGAIN. */
int sim_run_query(uint32_t component, uint64_t seq, const struct sim_clock *clock);
int sim_run_record(struct sim_record *record);
/* The host knows what it stands for. */
void sim_record_learn(const struct sim_record *record);
/* Runs all that is in it, and the host knows that. */
int sim_run_clock(const struct sim_clock *clock);
/* Runs all there is but host functions, to get at memory that queued frees give back. */
void sim_run_all(void);

/* ---- host_thread.c ---- */

/* Starts the engine's thread, if need be. */
int sim_host_start(void);
/* For what the host function does that this thread runs: the call that has queued it. */
struct sim_site sim_host_site(void);
/* Is the access behind the host function that this thread runs? Of a thread that runs none: behind
 * any that has not ended, which may be waiting for that thread? */
bool sim_host_is_before(const struct sim_access *access);
/* This thread stands still until the host functions before the access have ended, if they do so
 * within 20 ms. */
void sim_host_let_end(const struct sim_access *access);

/* ---- race.c ---- */

/* Notes what command `queue->seq` + 1, or the host (queue NULL), does to the bytes, and reports a
 * race; `free` names one with a free. */
int sim_note(struct sim_queue *queue, struct sim_allocation *allocation, size_t offset,
             size_t bytes, bool writes, const char *what);
/* The same of a command that may read or write all of it. */
int sim_note_may(struct sim_queue *queue, struct sim_allocation *allocation, const char *what);
/* What a text says of such. */
#define SIM_OPAQUE_TEXT " (what the kernel does, nobody here knows: ADI_SIM_KERNELS=opaque)"
/* A line of the log ahead of a violation: `present` ("queue 2", "the host") does not come behind
 * the earlier access. */
void sim_log_unordered(const char *present, const struct sim_access *past);

/* ---- event.c ---- */

/* What a live event stands for, NULL if it was never recorded; EBADF without a word. */
int sim_event_look(adi_sim_event handle, const struct sim_record **record);
/* Its number in the log; 0: it is no event. */
uint64_t sim_event_ordinal(const void *handle);
/* Those of a context that is closed. */
void sim_events_end(const struct sim_context *context);

#endif /* SIM_QUEUE_H */
