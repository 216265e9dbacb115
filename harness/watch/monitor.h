/* SPDX-License-Identifier: Apache-2.0
 *
 * The monitor: a record of every structure of a tree, and the judgement of each release call on
 * one: how often, in which order, on which address, with what left unchanged. It does not place
 * itself: stage.h (structures of the harness's own, given to a consumer under test) and watch.h
 * (structures of somebody else) tell it when a release callback is entered and left.
 *
 * Bookkeeping is under one lock, never held while a release callback runs: any thread may release.
 */
#ifndef ADI_MONITOR_H
#define ADI_MONITOR_H

#include <pthread.h>
#include <stdbool.h>

#include "finding.h"
#include "kind.h"

/* One structure of a tree. */
struct adi_watched {
    const struct adi_kind *kind;
    struct adi_watched *parent; /* NULL: a root */
    char place[80];             /* "array.children[1]" */
    void *home;                 /* where it was when watching began */
    void *at;                   /* where it is, as far as is known */
    void *released_at;          /* NULL: live */
    struct ArrowArray original; /* the structure as it was (the larger of the two kinds) */
    adi_release_fn *release;    /* the callback that it came with */
    size_t below;               /* how many records of its descendants follow this one */
    bool in_release, moved_out;
    bool changed; /* by its consumer: its producer cannot be blamed for what it leaves */
};

struct adi_monitor {
    pthread_mutex_t lock;
    struct adi_sink *sink;
    bool judges[2]; /* indexed by ADI_PRODUCER, ADI_CONSUMER: whose breaches are reported */
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

/* The record of the structure at `self`: by address, else by what its producer put into it. -1:
 * none. */
long adi_monitor_find(struct adi_monitor *monitor, const struct adi_kind *kind, const void *self);

/* The caller has moved a structure bitwise and marked the source released. */
void adi_monitor_moved(struct adi_monitor *monitor, const void *from, void *to);

/* A release callback was entered for record `index` at `self`. false: this structure was released
 * before; a finding has been reported and the callback must do nothing. */
bool adi_monitor_enter(struct adi_monitor *monitor, long index, void *self);
/* It is about to return: judges what it left, and clears `release` where it forgot to. */
void adi_monitor_leave(struct adi_monitor *monitor, long index, void *self);

/* How many structures are still live. */
size_t adi_monitor_live(struct adi_monitor *monitor);
/* Reports the topmost structures that are still live as never released. */
void adi_monitor_finish(struct adi_monitor *monitor);

#endif /* ADI_MONITOR_H */
