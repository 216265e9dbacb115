/* SPDX-License-Identifier: Apache-2.0
 *
 * The monitor: a record of every structure of a tree, and the judgement of what is done to one. It
 * knows which state each is in, and looks up in the table of the life cycle (life/all.def) what
 * may be done there. It does not place itself: guarded_input.h (structures of the harness's own,
 * given to a consumer under test) and watch.h (structures of somebody else) tell it when a release
 * callback is entered and left. What leaves no trace, a read or a move, it knows only if it is
 * told.
 *
 * Bookkeeping is under one lock, never held while a release callback runs: any thread may release.
 */
#ifndef ADI_MONITOR_H
#define ADI_MONITOR_H

#include <pthread.h>
#include <stdbool.h>

#include "finding.h"
#include "kind.h"
#include "life.h"

#define ADI_WATCHED_DICTIONARY (-1)

/* One structure of a tree. */
struct adi_watched {
    const struct adi_kind *kind;
    struct adi_watched *parent; /* NULL: a root */
    int64_t child;              /* which of its parent's; ADI_WATCHED_DICTIONARY */
    void *home;                 /* where it was when watching began */
    void *at;                   /* where it is, or was released, as far as is known */
    enum adi_life_state state;
    struct ArrowArray original;     /* the structure as it was (the larger of the two kinds) */
    adi_release_fn *release;        /* the callback that it came with */
    size_t below;                   /* how many records of its descendants follow this one */
    const struct adi_watched *over; /* its record in a watch that lies over this one; NULL: none */
    _Atomic bool in_release;
    bool told;    /* it was moved, and the monitor was told: `at` is certain */
    bool marked;  /* where it was moved from was marked released */
    bool left;    /* it was released at home by somebody else than who may have copied it, and found
                     it live there */
    bool changed; /* by its consumer: its producer cannot be blamed for what it leaves */
};

struct adi_monitor {
    pthread_mutex_t lock;
    struct adi_sink *sink;
    bool refuses;   /* a release that breaks a rule is not carried out */
    bool judges[2]; /* indexed by ADI_PRODUCER, ADI_CONSUMER: whose violations are reported */
    struct adi_watched *nodes;
    size_t n, capacity;
    size_t found; /* where the last search ended: trees are mostly released in their order */
};

void adi_monitor_init(struct adi_monitor *monitor, struct adi_sink *sink, bool producer,
                      bool consumer);
/* Forgets everything. Nothing may be released through it any more. */
void adi_monitor_free(struct adi_monitor *monitor);

/* Records the tree at `root`, which is trusted to be well-formed. The root's record comes first,
 * parents before children, `*first` is its index. ENOMEM. */
int adi_monitor_add(struct adi_monitor *monitor, const struct adi_kind *kind, void *root,
                    size_t *first);

#define ADI_WATCHED_PLACE 80
/* "array.children[1]"; in the middle of a deep one stands "...". Returns `text`. */
const char *adi_watched_place(const struct adi_watched *node, char text[ADI_WATCHED_PLACE]);

/* The record of the structure at `self`, known by what its producer put into it and by its address;
 * -1: none. `*likeness` says how much speaks for it, to be compared with other monitors': with
 * ADI_MONITOR_SURE, everything. */
#define ADI_MONITOR_SURE 19
long adi_monitor_find(struct adi_monitor *monitor, const struct adi_kind *kind, const void *self,
                      int *likeness);

/* The root of the tree that begins at record `first` has an event that nobody has waited on. */
void adi_monitor_pending(struct adi_monitor *monitor, size_t first);
/* Somebody is about to do `operation` to what is at `address`: may he? false: a finding has been
 * reported. true, too, for a place that the monitor does not know. */
bool adi_monitor_judge(struct adi_monitor *monitor, enum adi_life_operation operation,
                       const void *address);
/* It has been done: moved, `to` somewhere else, or waited on (`to` is not used then). Where it was
 * moved from has been marked released. */
void adi_monitor_moved(struct adi_monitor *monitor, const void *from, void *to);
/* Somebody takes over what is at `address` who says nothing of where he moves it. */
void adi_monitor_hand_over(struct adi_monitor *monitor, const void *address);
void adi_monitor_waited(struct adi_monitor *monitor, const void *address);

/* Somebody took over what is at `address`, and it is live there still: who releases it there next
 * is another than who has it. */
void adi_monitor_left(struct adi_monitor *monitor, const void *address);

/* A callback other than release is called on record `index` at `self`: may it be? false: a finding
 * has been reported, and the callback has to answer an error. */
bool adi_monitor_call(struct adi_monitor *monitor, long index, const void *self,
                      enum adi_life_operation operation);
/* Its maker has brought it to another state than the table says: there are more chunks, or none. */
void adi_monitor_arrive(struct adi_monitor *monitor, long index, enum adi_life_state state);

/* A release callback was entered for record `index` at `self`. false: a finding has been reported
 * and the callback must do nothing: the structure was released before, or the monitor refuses. */
bool adi_monitor_enter(struct adi_monitor *monitor, long index, void *self);
/* It is about to return: judges what it left, and clears `release` where it forgot to. */
void adi_monitor_leave(struct adi_monitor *monitor, long index, void *self);

/* How many structures are still live. */
size_t adi_monitor_live(struct adi_monitor *monitor);
/* Reports the topmost structures that are still live as never released. */
void adi_monitor_finish(struct adi_monitor *monitor);

#endif /* ADI_MONITOR_H */
