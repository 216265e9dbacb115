/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to sim/metal/: the objects of the simulated Metal. Each is a piece of one arena, so that
 * any value can be looked up, and stays one after its end: who sends it a message then is named.
 * All but the messages themselves is called with the lock held.
 */
#ifndef METAL_H
#define METAL_H

#include <stdint.h>

#include "metal_watch.h"
#include "objc.h"

struct metal_queue;
struct metal_commands;

enum metal_kind {
    METAL_DEVICE,
    METAL_QUEUE,
    METAL_COMMANDS,
    METAL_ENCODER,
    METAL_BUFFER,
    METAL_EVENT,
    METAL_SHARED_EVENT,
    METAL_LIST,
    METAL_TEXT,
    METAL_ERROR,
    METAL_KINDS,
};

struct metal_device {
    adi_sim_context context;
    int index;
};

struct metal_queue {
    adi_sim_queue engine;
    struct metal_object *first, *last; /* commands: committed, and not passed on */
    struct metal_object *tail;         /* what was passed on last, if it is there still */
};

enum metal_step {
    METAL_COPY,
    METAL_FILL,
    METAL_SIGNAL,
    METAL_WAIT,
};

struct metal_op {
    enum metal_step step;
    struct metal_object *to, *from; /* buffers; the event is `to` */
    uint64_t to_offset, from_offset, bytes;
    uint64_t value; /* of an event, or the byte of a fill */
    unsigned used;  /* bits: 1, `to`, 2, `from`, which it keeps */
};

enum metal_state {
    METAL_OPEN,
    METAL_COMMITTED,
    METAL_PASSED_ON, /* all of it is in the engine's queue */
};

struct metal_commands {
    struct metal_object *queue;
    struct metal_op *ops;
    uint32_t n, capacity, next; /* next: the first that is not in the engine's queue */
    enum metal_state state;
    bool encodes; /* an encoder of it is open */
    unsigned party;
    int code;           /* why it has failed; 0: it has not */
    adi_sim_event done; /* behind all of it, once other commands came after it; NULL */
    struct metal_object *following;
};

struct metal_encoder {
    struct metal_object *commands; /* NULL: it has ended */
};

#define METAL_USERS 4

struct metal_buffer {
    void *memory; /* of the engine */
    uint64_t bytes, options;
    struct {
        struct metal_object *queue;
        uint64_t serial;  /* of that */
    } users[METAL_USERS]; /* queues that have used it */
    unsigned n_users;     /* METAL_USERS + 1: more */
    unsigned n_behind;
    adi_sim_event behind[METAL_USERS]; /* once it has ended: what it is freed behind */
};

#define METAL_SIGNALS 8

struct metal_event {
    struct {
        uint64_t value;
        adi_sim_event passed;
    } signals[METAL_SIGNALS];     /* the last ones, oldest first */
    unsigned n_signals, n_coming; /* coming: committed, and not passed on */
    adi_sim_event spare;          /* for the first signal, or NULL */
    uint64_t by_host;             /* what the CPU has set it to */
};

struct metal_list {
    struct metal_object *items[ADI_SIM_DEVICES];
    unsigned n;
};

struct metal_text {
    char text[64];
    int64_t code; /* of an error */
};

struct metal_object {
    Class isa; /* first, as the runtime of Objective-C has it */
    enum metal_kind kind;
    bool dead, lasts; /* lasts: it never ends */
    bool stays;       /* it has ended, and its piece is in use still */
    unsigned maker;
    unsigned held[ADI_SIM_PARTIES], used; /* used: by other objects */
    uint64_t serial, number;              /* which no other object has, and no other of its kind */
    struct metal_object *device, *next, *before;
    union {
        struct metal_device as_device;
        struct metal_queue as_queue;
        struct metal_commands as_commands;
        struct metal_encoder as_encoder;
        struct metal_buffer as_buffer;
        struct metal_event as_event;
        struct metal_list as_list;
        struct metal_text as_text;
    };
};

/* ---- objects.c ---- */

void metal_lock(void);
void metal_unlock(void);
/* Waits, without the lock, for something to change, for so many milliseconds at most. */
void metal_wait_for_change(uint64_t ms);
void metal_changed(void);

/* Whose the calling thread's calls are. */
unsigned metal_party(void);
/* The object there, live or not; NULL: none. */
struct metal_object *metal_at(const void *value);
/* The same, or the live buffer in shared storage whose contents it lies in. */
struct metal_object *metal_around(const void *value);
/* A new one that the caller's party holds once; NULL: there is no room. */
struct metal_object *metal_make(enum metal_kind kind, struct metal_object *device);
void metal_hold(struct metal_object *object);
void metal_use(struct metal_object *object);
void metal_unuse(struct metal_object *object);
/* One reference of the party less; what nobody holds or uses ends. */
void metal_drop(struct metal_object *object, unsigned party);
/* The piece of what has ended may be used again. */
void metal_retire(struct metal_object *object);
/* "MTLBuffer 3". */
const char *metal_text_of(const struct metal_object *object, char out[48]);
/* Is it a live object of that kind? What is wrong with it was said in the present call. */
bool metal_check(struct metal_object *object, enum metal_kind kind);
/* Says a violation about an object; NULL: about no one's. */
void metal_violate(const char *violation, const struct metal_object *about, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The live ones of a kind, newest first. */
struct metal_object *metal_newest(enum metal_kind kind);

/* How many references the party holds. */
size_t metal_references(unsigned party);

/* The class of a kind, that of those of it that have ended, and what else ends with one. */
void metal_set_kind(enum metal_kind kind, Class of, Class of_dead,
                    void (*end_of)(struct metal_object *object));
/* It answers as one of that kind. */
void metal_become(struct metal_object *object, enum metal_kind kind);

/* Of each kind, when it ends. */
void metal_end_queue(struct metal_object *queue);
void metal_end_commands(struct metal_object *commands);
void metal_end_encoder(struct metal_object *encoder);
void metal_end_buffer(struct metal_object *buffer);
void metal_end_event(struct metal_object *event);
void metal_end_list(struct metal_object *list);

/* ---- autorelease.c ---- */

/* To be dropped when the thread's innermost pool is. */
id metal_autorelease(struct metal_object *object);

/* ---- texts.c ---- */

id metal_text(const char *text);

/* ---- buffers.c ---- */

/* A command that is in the queue's engine now uses it. */
void metal_buffer_used(struct metal_object *buffer, struct metal_object *queue);
/* Frees what has ended, and is used by nothing any more. */
void metal_sweep(void);

/* ---- metal_events.c ---- */

/* Puts a signal, or a wait, into a queue. EAGAIN: what it waits for is not there yet. */
int metal_signal(struct metal_object *event, uint64_t value, struct metal_object *queue);
int metal_await(struct metal_object *event, uint64_t value, struct metal_object *queue);

/* The engine's behind the last signal. */
adi_sim_event metal_engine_event(const struct metal_object *event);

/* ---- command_buffers.c ---- */

/* Passes on what can be, of all queues. */
void metal_flush(void);

#endif /* METAL_H */
