/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to harness/: threads of which one goes at a time, so that the same schedule is the same
 * run. The thread that begins is number 0; whoever joins, or calls a point of the schedule for the
 * first time, takes part from then on, in the order in which they come. An implementation that asks
 * for the schedule (adapter.h, "async.schedule") calls points where it makes a difference who goes
 * on. The border behind a lock or a callback is one with that before the next: what lies in between
 * is the thread's own.
 *
 *   turns         behind the point with that number the thread with that number goes on. It is a
 *                 preemption where the one that came to the point could have gone on, and else a
 *                 choice among those that can
 *   priorities    whoever has the highest goes; two times, at a point drawn beforehand, the one
 *                 that goes is put last: probabilistic concurrency testing of depth 3
 *   delays        nobody takes turns: each point takes a while, which is drawn
 *
 * Where nothing is said the same thread goes on, or the next one that can.
 */
#ifndef ADI_TURNS_H
#define ADI_TURNS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "async.h"

#define ADI_TURNS_ACTORS  4
#define ADI_TURNS_MOST    2   /* in a plan */
#define ADI_TURNS_CHANGES 2   /* of priorities */
#define ADI_TURNS_NOTED   256 /* points of which is known who could have gone on */

struct adi_turn {
    int at;    /* from 1; 0: none */
    int actor; /* it does nothing if that one waits, or has ended */
};

struct adi_turns_plan {
    struct adi_turn turns[ADI_TURNS_MOST]; /* in their order */
    uint64_t random;                       /* of priorities; 0: none */
    int points;                            /* with `random`: how many there are, about */
};

/* What was to be decided at a point. */
struct adi_turns_point {
    unsigned char from, went; /* who came to it, and who went on */
    unsigned char could;      /* bits of those that could have */
};

/* Does it wait until nobody else can go on? */
enum adi_turns_idle {
    ADI_TURNS_GOES,
    ADI_TURNS_AWAITS,
    ADI_TURNS_IDLE, /* it is so */
};

struct adi_turns {
    struct adi_turns_plan plan;
    uint64_t epoch;       /* 0: it has never begun */
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed, goes[ADI_TURNS_ACTORS];
    int n, current, points;
    struct adi_turns_point noted[ADI_TURNS_NOTED]; /* `points` of them, or as many as there is room
                                                      for; from point 1 on */
    int inside;                                    /* threads that are at a point */
    bool has_ended[ADI_TURNS_ACTORS], waits[ADI_TURNS_ACTORS];
    enum adi_turns_idle idles[ADI_TURNS_ACTORS];
    uint64_t priorities[ADI_TURNS_ACTORS], random;
    int changes[ADI_TURNS_CHANGES];
    bool is_free;    /* nobody takes turns any more */
    bool is_lost;    /* since nothing had happened for a while */
    bool is_asked;   /* an implementation has asked for the schedule */
    bool has_delays; /* nobody has: delays */
};

/* The calling thread begins, and is the one that goes. One at a time in a process; to be ended.
 * `*out` is zero the first time, and stays as long as the process lives. */
void adi_turns_begin(struct adi_turns *out, const struct adi_turns_plan *plan);
/* From here on nobody has the schedule: threads of it that still come to points go on. */
void adi_turns_end(struct adi_turns *turns);
/* What an implementation is given: its threads take part by it, new ones and those that took part
 * in an earlier schedule, until the next begins. NULL: nobody has begun. */
struct adi_async_schedule *adi_turns_offer(void);

/* Waits, without a turn for anybody, until so many take part. false: not within `ms`, nor longer
 * where they have no processor (grace_period.h). */
bool adi_turns_await(struct adi_turns *turns, int n, int ms);
/* The calling thread takes part. */
void adi_turns_join(struct adi_turns *turns);
/* A point, of a thread that takes part; of another one it is none. `waits`: it cannot go on until
 * somebody else has; looks again on return. Whose turn it is may block elsewhere, or have ended
 * without a word: when nothing has happened for a while all are let. */
void adi_turns_point(struct adi_turns *turns, bool waits);
/* The calling thread waits, as at a point, until somebody else has gone on: false; or nobody else
 * can: true, also where nobody takes turns any more. */
bool adi_turns_await_idle(struct adi_turns *turns);
/* The calling thread has done what another one may wait for: no point, but whoever waits can go on.
 */
void adi_turns_changed(struct adi_turns *turns);
/* The calling thread comes to no further point. */
void adi_turns_leave(struct adi_turns *turns);
/* All go, as they like; so it is, too, once all wait. */
void adi_turns_let(struct adi_turns *turns);
bool adi_turns_are_let(struct adi_turns *turns);
/* Nobody takes turns: delays instead. */
void adi_turns_delay(struct adi_turns *turns, uint64_t seed);

#endif /* ADI_TURNS_H */
