/* SPDX-License-Identifier: Apache-2.0 */
#include "watch.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "unchanged.h"

struct adi_watch {
    struct adi_monitor monitor;
    struct adi_node *before; /* what its buffers held; NULL: they are not compared */
    const struct adi_kind *kind;
    struct adi_watch *next;
    bool closed; /* its owner is done with it, and something of it was live */
};

/* Newest first, so that a watch over a watch is found before the one below it. */
static struct adi_watch *watches;
static atomic_size_t releasing; /* callbacks that run, on any thread: counted before they look */
static pthread_mutex_t watches_lock = PTHREAD_MUTEX_INITIALIZER;

static void ignore_finding(struct adi_sink *sink, const struct adi_found *finding) {
    (void)sink, (void)finding;
}

static struct adi_sink ignoring = {.violated = ignore_finding};

/* The watch that knows this structure best; one that has let go of its callback already knows it
 * less. */
static struct adi_watch *watch_of(const struct adi_kind *kind, const void *self, long *index) {
    struct adi_watch *best = NULL;
    int likeliest = 0;
    pthread_mutex_lock(&watches_lock);
    for (struct adi_watch *watch = watches; watch != NULL; watch = watch->next) {
        int likeness = 0;
        long found = -1;
        if (watch->kind == kind) found = adi_monitor_find(&watch->monitor, kind, self, &likeness);
        if (found < 0 || likeness <= likeliest) continue;
        best = watch;
        *index = found;
        likeliest = likeness;
    }
    pthread_mutex_unlock(&watches_lock);
    return best;
}

/* ---- buffers ---- */

static bool is_in_place(const struct adi_watched *child) {
    return child->state == ADI_IS_inner && adi_kind_release(child->kind, child->home) != NULL;
}

/* Of the structure and of all that is released with it. */
static void compare_buffers(const struct adi_watch *watch, const struct adi_watched *node) {
    const struct adi_node *before = adi_unchanged_node(watch->before, node);
    struct adi_difference found;
    if (before != NULL && adi_unchanged_node_differs(before, &found))
        adi_unchanged_report(&found, watch->monitor.sink);
    for (const struct adi_watched *child = node + 1; child <= node + node->below; child++)
        if (child->parent == node && is_in_place(child)) compare_buffers(watch, child);
}

/* What the producer does to buffers in its own callback is its business. */
static void judge_buffers(struct adi_watch *watch, long index) {
    const struct adi_watched *node = &watch->monitor.nodes[index];
    if (watch->before == NULL || (node->parent != NULL && node->parent->in_release)) return;
    pthread_mutex_lock(&watch->monitor.lock);
    compare_buffers(watch, node);
    pthread_mutex_unlock(&watch->monitor.lock);
}

void adi_watch_compare(struct adi_watch *watch, struct adi_node *before) {
    watch->before = before;
}

/* ---- the callback ---- */

static void release_watched(const struct adi_kind *kind, void *self) {
    long index = -1;
    struct adi_watch *watch = watch_of(kind, self, &index);
    if (watch == NULL || !adi_monitor_enter(&watch->monitor, index, self)) {
        adi_kind_set_release(kind, self, NULL);
        return;
    }
    judge_buffers(watch, index);
    adi_release_fn *release = watch->monitor.nodes[index].release;
    adi_kind_set_release(kind, self, release);
    adi_kind_call(kind, release, self);
    adi_monitor_leave(&watch->monitor, index, self);
}

static void on_release(const struct adi_kind *kind, void *self) {
    atomic_fetch_add(&releasing, 1);
    release_watched(kind, self);
    atomic_fetch_sub(&releasing, 1);
}

static void release_schema(struct ArrowSchema *self) {
    on_release(&adi_kind_schema, self);
}

static void release_array(struct ArrowArray *self) {
    on_release(&adi_kind_array, self);
}

/* CS-021, DV-063: a stream ends by its release callback, as the other structures do. */
static void release_array_stream(struct ArrowArrayStream *self) {
    on_release(&adi_kind_array_stream, self);
}

static void release_device_array_stream(struct ArrowDeviceArrayStream *self) {
    on_release(&adi_kind_device_array_stream, self);
}

static adi_release_fn *callback_of(const struct adi_kind *kind) {
    static adi_release_fn *const callbacks[ADI_KINDS] = {
        [ADI_KIND_schema] = (adi_release_fn *)release_schema,
        [ADI_KIND_array] = (adi_release_fn *)release_array,
        [ADI_KIND_array_stream] = (adi_release_fn *)release_array_stream,
        [ADI_KIND_device_array_stream] = (adi_release_fn *)release_device_array_stream,
    };
    return callbacks[kind - adi_kinds];
}

/* Where a structure is watched already, this watch lies over that one. */
static void lie_over(struct adi_watch *watch) {
    for (size_t i = 0; i < watch->monitor.n; i++) {
        struct adi_watched *node = &watch->monitor.nodes[i];
        long index;
        if (node->release != callback_of(watch->kind)) continue;
        struct adi_watch *below = watch_of(watch->kind, node->home, &index);
        if (below != NULL) below->monitor.nodes[index].over = node;
    }
}

/* Nothing lies under it any more. The lock is held. */
static void lift(const struct adi_watch *watch) {
    const struct adi_watched *first = watch->monitor.nodes, *end = first + watch->monitor.n;
    for (struct adi_watch *other = watches; other != NULL; other = other->next)
        for (size_t i = 0; i < other->monitor.n; i++) {
            struct adi_watched *node = &other->monitor.nodes[i];
            if (node->over >= first && node->over < end) node->over = NULL;
        }
}

struct adi_watch *adi_watch_open(const struct adi_kind *kind, void *root, struct adi_sink *sink,
                                 bool producer, bool consumer) {
    struct adi_watch *watch = malloc(sizeof *watch);
    if (watch == NULL) return NULL;
    size_t first;
    *watch = (struct adi_watch){.kind = kind};
    adi_monitor_init(&watch->monitor, sink, producer, consumer);
    if (adi_monitor_add(&watch->monitor, kind, root, &first) != 0) {
        adi_monitor_free(&watch->monitor);
        free(watch);
        return NULL;
    }
    lie_over(watch);
    for (size_t i = 0; i < watch->monitor.n; i++)
        adi_kind_set_release(kind, watch->monitor.nodes[i].home, callback_of(kind));
    pthread_mutex_lock(&watches_lock);
    watch->next = watches;
    watches = watch;
    pthread_mutex_unlock(&watches_lock);
    return watch;
}

struct adi_sink *adi_watch_sink(struct adi_watch *watch) {
    return watch->monitor.sink;
}

void adi_watch_moved(struct adi_watch *watch, const void *from, void *to) {
    adi_monitor_moved(&watch->monitor, from, to);
}

void adi_watch_hand_over(struct adi_watch *watch, const void *address) {
    adi_monitor_hand_over(&watch->monitor, address);
}

void adi_watch_left(struct adi_watch *watch, const void *address) {
    adi_monitor_left(&watch->monitor, address);
}

size_t adi_watch_live(struct adi_watch *watch) {
    return adi_monitor_live(&watch->monitor);
}

/* The lock is held, and no callback runs that may be in it. */
static void end(struct adi_watch *watch) {
    struct adi_watch **at = &watches;
    while (*at != watch) at = &(*at)->next;
    *at = watch->next;
    lift(watch);
    adi_tree_free(watch->before);
    adi_monitor_free(&watch->monitor);
    free(watch);
}

void adi_watches_sweep(void) {
    pthread_mutex_lock(&watches_lock);
    for (struct adi_watch *watch = watches, *next; watch != NULL && releasing == 0; watch = next) {
        next = watch->next;
        if (watch->closed && adi_monitor_live(&watch->monitor) == 0) end(watch);
    }
    pthread_mutex_unlock(&watches_lock);
}

void adi_watch_close(struct adi_watch *watch) {
    if (watch == NULL) return;
    adi_monitor_finish(&watch->monitor);
    pthread_mutex_lock(&watches_lock);
    watch->closed = releasing > 0 || adi_monitor_live(&watch->monitor) > 0;
    if (watch->closed)
        watch->monitor.sink = &ignoring;
    else
        end(watch);
    pthread_mutex_unlock(&watches_lock);
    adi_watches_sweep();
}
