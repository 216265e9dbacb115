/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static void report(struct adi_monitor *monitor, const char *rule, enum adi_party party,
                   const struct adi_watched *node, const char *seen, const char *wanted,
                   const char *what) {
    if (monitor->judges[party])
        adi_report(monitor->sink, rule, party, seen, wanted, "%s %s", node->place, what);
}

void adi_monitor_init(struct adi_monitor *monitor, struct adi_sink *sink, bool producer,
                      bool consumer) {
    *monitor = (struct adi_monitor){.sink = sink, .judges = {producer, consumer}};
    pthread_mutex_init(&monitor->lock, NULL);
}

void adi_monitor_free(struct adi_monitor *monitor) {
    pthread_mutex_destroy(&monitor->lock);
    free(monitor->nodes);
    monitor->nodes = NULL;
    monitor->n = monitor->capacity = 0;
}

/* ---- recording a tree ---- */

static size_t count(const struct adi_kind *kind, const void *structure) {
    size_t n = 1;
    for (int64_t i = 0; i < adi_kind_children(kind, structure); i++)
        n += count(kind, adi_kind_child(kind, structure, i));
    void *dictionary = adi_kind_dictionary(kind, structure);
    return dictionary == NULL ? n : n + count(kind, dictionary);
}

static void name_child(struct adi_watched *node, const char *format, int64_t i) {
    size_t length = strlen(node->parent->place);
    size_t room = sizeof node->place - 24;
    snprintf(node->place, sizeof node->place, "%.*s%s", (int)(length < room ? length : room),
             node->parent->place, length < room ? "" : "...");
    size_t at = strlen(node->place);
    snprintf(node->place + at, sizeof node->place - at, format, (long long)i);
}

static struct adi_watched *record(struct adi_monitor *monitor, const struct adi_kind *kind,
                                  struct adi_watched *parent, void *structure, const char *format,
                                  int64_t child) {
    struct adi_watched *node = &monitor->nodes[monitor->n++];
    *node =
        (struct adi_watched){.kind = kind, .parent = parent, .home = structure, .at = structure};
    if (parent == NULL)
        snprintf(node->place, sizeof node->place, "%s", kind->name);
    else
        name_child(node, format, child);
    memcpy(&node->original, structure, kind->size);
    node->release = adi_kind_release(kind, structure);
    for (int64_t i = 0; i < adi_kind_children(kind, structure); i++)
        record(monitor, kind, node, adi_kind_child(kind, structure, i), ".children[%lld]", i);
    void *dictionary = adi_kind_dictionary(kind, structure);
    if (dictionary != NULL) record(monitor, kind, node, dictionary, ".dictionary", 0);
    node->below = (size_t)(&monitor->nodes[monitor->n] - node) - 1;
    return node;
}

int adi_monitor_add(struct adi_monitor *monitor, const struct adi_kind *kind, void *root,
                    size_t *first) {
    size_t more = count(kind, root);
    if (monitor->n + more > monitor->capacity) {
        size_t capacity = (monitor->n + more) * 2;
        struct adi_watched *nodes = calloc(capacity, sizeof *nodes);
        if (nodes == NULL) return ENOMEM;
        for (size_t i = 0; i < monitor->n; i++) {
            nodes[i] = monitor->nodes[i];
            if (nodes[i].parent != NULL)
                nodes[i].parent = nodes + (nodes[i].parent - monitor->nodes);
        }
        free(monitor->nodes);
        monitor->nodes = nodes;
        monitor->capacity = capacity;
    }
    *first = monitor->n;
    record(monitor, kind, NULL, root, "", 0);
    return 0;
}

/* ---- finding a record ---- */

/* Did the producer put the same things into both? What a mere consumer may not change identifies a
 * structure. */
static bool same_members(const struct adi_watched *node, const void *self) {
    for (size_t i = 0; i < sizeof node->kind->owned / sizeof node->kind->owned[0]; i++) {
        size_t offset = node->kind->owned[i].offset;
        if (node->kind->owned[i].name == NULL) break;
        if (memcmp((const char *)&node->original + offset, (const char *)self + offset, 8) != 0)
            return false;
    }
    return true;
}

static bool same_private_data(const struct adi_watched *node, const void *self) {
    size_t offset = node->kind->private_data;
    return adi_kind_pointer(&node->original, offset) == adi_kind_pointer(self, offset);
}

long adi_monitor_find(struct adi_monitor *monitor, const struct adi_kind *kind, const void *self) {
    long best = -1;
    int best_score = 0;
    pthread_mutex_lock(&monitor->lock);
    for (size_t i = 0; i < monitor->n; i++) {
        size_t candidate = (monitor->found + 1 + i) % monitor->n;
        const struct adi_watched *node = &monitor->nodes[candidate];
        if (node->kind != kind) continue;
        /* Addresses are used again: one that does not fit what is there is no witness. */
        int score = 2 * same_private_data(node, self) + 2 * same_members(node, self);
        if (score == 0) continue;
        score =
            4 * score + 2 * (node->at == self || node->home == self) + (node->released_at == NULL);
        if (score > best_score) {
            best_score = score;
            best = (long)candidate;
            if (score == 4 * 4 + 2 + 1) break; /* it cannot be a better one */
        }
    }
    if (best >= 0) monitor->found = (size_t)best;
    pthread_mutex_unlock(&monitor->lock);
    return best;
}

void adi_monitor_moved(struct adi_monitor *monitor, const void *from, void *to) {
    pthread_mutex_lock(&monitor->lock);
    for (size_t i = 0; i < monitor->n; i++) {
        struct adi_watched *node = &monitor->nodes[i];
        if (node->at != from || node->released_at != NULL) continue;
        node->at = to;
        node->moved_out = node->parent != NULL;
        break;
    }
    pthread_mutex_unlock(&monitor->lock);
}

/* ---- judging ---- */

/* Why a structure is released that was released before, and who did that. */
static void judge_second(struct adi_monitor *monitor, const struct adi_watched *node,
                         const void *self) {
    bool by_parent = node->parent != NULL && node->parent->in_release;
    bool one_was_home = (self == node->home) != (node->released_at == node->home);
    if (one_was_home && !node->moved_out)
        report(monitor, "life/move-source-not-released", ADI_CONSUMER, node,
               "release is still set at the source", "NULL",
               "was moved, but its source was not marked released");
    else if (by_parent && node->moved_out)
        report(monitor, "life/moved-child-released", ADI_PRODUCER, node, "released by its parent",
               "left alone", "was moved out, and its parent's release callback released it again");
    else
        report(monitor, "life/release-twice", by_parent ? ADI_PRODUCER : ADI_CONSUMER, node,
               "a second call", "one call", "was released twice");
}

static void judge_caller(struct adi_monitor *monitor, struct adi_watched *node, const void *self) {
    const struct adi_watched *parent = node->parent;
    if (parent == NULL || parent->in_release || parent->released_at != NULL) return;
    if (self == node->home)
        report(monitor, "life/child-released-by-consumer", ADI_CONSUMER, node,
               "its release callback was called", "only the base structure's is",
               "was released in place by the consumer");
    else if (node->moved_out || adi_kind_release(node->kind, node->home) == NULL)
        report(monitor, "life/parent-kept-after-child-move", ADI_CONSUMER, node,
               "the parent is live", "the parent is released right after the move",
               "was moved out and released while its parent was still live");
}

static void judge_members(struct adi_monitor *monitor, struct adi_watched *node, const void *self) {
    for (size_t i = 0; i < sizeof node->kind->owned / sizeof node->kind->owned[0]; i++) {
        const char *name = node->kind->owned[i].name;
        size_t offset = node->kind->owned[i].offset;
        if (name == NULL) break;
        void *was = adi_kind_pointer(&node->original, offset), *is = adi_kind_pointer(self, offset);
        if (was == is) continue;
        char what[64], seen[24], wanted[24];
        snprintf(what, sizeof what, "has another %s than it was exported with", name);
        snprintf(seen, sizeof seen, "%p", is);
        snprintf(wanted, sizeof wanted, "%p", was);
        report(monitor, "life/structure-changed", ADI_CONSUMER, node, seen, wanted, what);
        node->changed = true;
        return;
    }
    if (!same_private_data(node, self))
        report(monitor, "life/private-data-touched", ADI_CONSUMER, node, "another value",
               "the producer's value", "has another private_data than it was exported with");
}

bool adi_monitor_enter(struct adi_monitor *monitor, long index, void *self) {
    pthread_mutex_lock(&monitor->lock);
    struct adi_watched *node = &monitor->nodes[index];
    bool moved_away = node->moved_out && node->parent != NULL && node->parent->in_release;
    bool first = node->released_at == NULL && !node->in_release && !moved_away;
    if (!first) {
        judge_second(monitor, node, self);
    } else {
        judge_caller(monitor, node, self);
        judge_members(monitor, node, self);
        node->at = self;
        node->in_release = true;
        for (struct adi_watched *child = node + 1; child <= node + node->below; child++) {
            if (child->parent == node && child->released_at == NULL &&
                adi_kind_release(child->kind, child->home) == NULL)
                child->moved_out = true;
        }
    }
    pthread_mutex_unlock(&monitor->lock);
    return first;
}

void adi_monitor_leave(struct adi_monitor *monitor, long index, void *self) {
    pthread_mutex_lock(&monitor->lock);
    struct adi_watched *node = &monitor->nodes[index];
    node->in_release = false;
    node->released_at = self;
    if (adi_kind_release(node->kind, self) != NULL) {
        report(monitor, "life/release-not-cleared", ADI_PRODUCER, node, "release is not NULL",
               "NULL", "was released, but is not marked released");
        adi_kind_set_release(node->kind, self, NULL);
    }
    for (struct adi_watched *child = node + 1; child <= node + node->below; child++) {
        if (child->parent != node || child->released_at != NULL || child->moved_out) continue;
        if (!node->changed)
            report(monitor, "life/children-not-released", ADI_PRODUCER, child,
                   "its release callback was not called", "one call",
                   "was not released by its parent's release callback");
        child->released_at = child->home; /* and nothing more about those below it */
    }
    pthread_mutex_unlock(&monitor->lock);
}

static bool is_live(const struct adi_watched *node) {
    for (; node != NULL; node = node->parent) {
        if (node->released_at != NULL) return false;
        if (node->moved_out) return true;
    }
    return true;
}

size_t adi_monitor_live(struct adi_monitor *monitor) {
    size_t live = 0;
    pthread_mutex_lock(&monitor->lock);
    for (size_t i = 0; i < monitor->n; i++) live += is_live(&monitor->nodes[i]);
    pthread_mutex_unlock(&monitor->lock);
    return live;
}

void adi_monitor_finish(struct adi_monitor *monitor) {
    pthread_mutex_lock(&monitor->lock);
    for (size_t i = 0; i < monitor->n; i++) {
        const struct adi_watched *node = &monitor->nodes[i];
        bool topmost = node->parent == NULL || node->moved_out;
        if (topmost && is_live(node))
            report(monitor, "life/never-released", ADI_CONSUMER, node, "no call", "one call",
                   "was never released");
    }
    pthread_mutex_unlock(&monitor->lock);
}
