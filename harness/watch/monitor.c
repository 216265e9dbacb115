/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* How a violation of the life cycle is told. */
static const struct {
    const char *rule, *seen, *wanted, *what;
} words[] = {
    /* CD-101: a structure that is released is not released again. */
    {"life/release-twice", "a second call", "one call", "was released twice"},
    /* DV-035: after a move one live copy is left, since the source is marked released. */
    {"life/move-source-not-released", "release is still set at the source", "NULL",
     "was moved, but its source was not marked released"},
    /* CD-091: a child that was moved out belongs to whoever moved it. */
    {"life/moved-child-released", "released by its parent", "left alone",
     "was moved out, and its parent's release callback released it again"},
    /* CD-075, CD-079: a consumer calls the base structure's callback, and none of a child. */
    {"life/child-released-by-consumer", "its release callback was called",
     "only the base structure's is", "was released in place by the consumer"},
    /* CD-092: a parent whose children were moved out is released at once. */
    {"life/parent-kept-after-child-move", "the parent is live",
     "the parent is released right after the move",
     "was used after a child was moved out, and the parent not released"},
    /* CD-080, CD-084: the callback releases the children and the dictionary. */
    {"life/children-not-released", "its release callback was not called", "one call",
     "was not released by its parent's release callback"},
    /* CD-078: a consumer releases what it does not use any more. */
    /* CD-090, DV-036: a structure that was moved is released at its destination. */
    {"life/never-released", "no call", "one call", "was never released"},
    /* CD-081: a consumer does not access a structure after it has released it. */
    {"life/use-after-release", "an access", "no access", "was used after it was released or moved"},
    {"life/structure-changed", "another structure", "the producer's", "was written over"},
    /* CS-009, DV-053: get_last_error is called only if the last operation returned an error. */
    {"stream/error-asked-without-error", "get_last_error", "no call where nothing has failed",
     "was asked for an error where its last call had succeeded"},
    {"sync/read-before-wait", "no wait", "a wait on sync_event before the first access",
     "was read before its event was waited on"},
};

static void report(struct adi_monitor *monitor, const char *rule, enum adi_party party,
                   const struct adi_watched *node, const char *seen, const char *wanted,
                   const char *what) {
    char place[ADI_WATCHED_PLACE];
    if (monitor->judges[party])
        adi_report(monitor->sink, rule, party, seen, wanted, "%s %s",
                   adi_watched_place(node, place), what);
}

#define WORDS (sizeof words / sizeof words[0])

/* What the table says of the operation in this state. false: a rule is broken, and that has been
 * reported. */
static bool judge(struct adi_monitor *monitor, const struct adi_watched *node,
                  enum adi_life_state state, enum adi_life_operation operation) {
    const char *id = adi_life_edge(state, operation)->rule;
    if (id == NULL) return true;
    enum adi_party party = adi_charged(
        adi_rule_named(id), operation == ADI_DO_release_by_parent ? ADI_PRODUCER : ADI_CONSUMER);
    size_t i = 0;
    while (i < WORDS && strcmp(words[i].rule, id) != 0) i++;
    if (i < WORDS)
        report(monitor, id, party, node, words[i].seen, words[i].wanted, words[i].what);
    else /* a rule of a kind of its own says it in its own words */
        report(monitor, id, party, node, adi_life_operation_name(operation),
               adi_rule_named(id)->statement, "was not in the state for that");
    return false;
}

/* It was done, and this is the state afterwards. */
static void step(struct adi_watched *node, enum adi_life_operation operation) {
    const struct adi_edge *edge = adi_life_edge(node->state, operation);
    if (edge->kind == ADI_EDGE_GOES || edge->kind == ADI_EDGE_GIVES) node->state = edge->to;
}

static bool is_released(const struct adi_watched *node) {
    return node->state == ADI_IS_released;
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

const char *adi_watched_place(const struct adi_watched *node, char text[ADI_WATCHED_PLACE]) {
    if (node->parent == NULL) {
        snprintf(text, ADI_WATCHED_PLACE, "%s", node->kind->name);
        return text;
    }
    size_t length = strlen(adi_watched_place(node->parent, text)), room = ADI_WATCHED_PLACE - 24;
    const char *cut = length < room ? "" : "...";
    size_t at = length < room ? length : room;
    if (node->child == ADI_WATCHED_DICTIONARY)
        snprintf(text + at, ADI_WATCHED_PLACE - at, "%s.dictionary", cut);
    else
        snprintf(text + at, ADI_WATCHED_PLACE - at, "%s.children[%lld]", cut,
                 (long long)node->child);
    return text;
}

static struct adi_watched *record(struct adi_monitor *monitor, const struct adi_kind *kind,
                                  struct adi_watched *parent, void *structure, int64_t child) {
    struct adi_watched *node = &monitor->nodes[monitor->n++];
    *node = (struct adi_watched){.kind = kind,
                                 .parent = parent,
                                 .home = structure,
                                 .at = structure,
                                 .child = child,
                                 .state = parent == NULL ? kind->born : ADI_IS_inner};
    memcpy(&node->original, structure, kind->size);
    node->release = adi_kind_release(kind, structure);
    for (int64_t i = 0; i < adi_kind_children(kind, structure); i++)
        record(monitor, kind, node, adi_kind_child(kind, structure, i), i);
    void *dictionary = adi_kind_dictionary(kind, structure);
    if (dictionary != NULL) record(monitor, kind, node, dictionary, ADI_WATCHED_DICTIONARY);
    node->below = (size_t)(&monitor->nodes[monitor->n] - node) - 1;
    return node;
}

int adi_monitor_add(struct adi_monitor *monitor, const struct adi_kind *kind, void *root,
                    size_t *first) {
    size_t more = adi_kind_count(kind, root);
    if (monitor->n + more > monitor->capacity) {
        size_t capacity = monitor->n == 0 ? more : (monitor->n + more) * 2;
        struct adi_watched *nodes = malloc(capacity * sizeof *nodes);
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
    record(monitor, kind, NULL, root, 0);
    return 0;
}

/* ---- finding a record ---- */

/* Did the producer put the same things into both? What a mere consumer may not change identifies a
 * structure. */
static bool same_members(const struct adi_watched *node, const void *self) {
    for (size_t i = 0; i < sizeof node->kind->owned / sizeof node->kind->owned[0]; i++) {
        const struct adi_owned *member = &node->kind->owned[i];
        if (member->name == NULL) break;
        if (adi_kind_value(member, &node->original) != adi_kind_value(member, self)) return false;
    }
    return true;
}

static bool same_private_data(const struct adi_watched *node, const void *self) {
    size_t offset = node->kind->private_data;
    return adi_kind_pointer(&node->original, offset) == adi_kind_pointer(self, offset);
}

/* How much speaks for `self` being this structure; 0: nothing. Addresses are used again: one that
 * does not fit what is there is no interceptor. Of watches that lie over one another the callbacks
 * are entered from the top down. */
static int likeness(const struct adi_watched *node, const void *self) {
    bool here = node->at == self || (node->home == self && !node->told);
    bool its_turn = node->over == NULL || node->over->in_release;
    bool live = !is_released(node) && !node->in_release && its_turn;
    bool owner = same_private_data(node, self), members = same_members(node, self);
    if (!owner && !members) return 0;
    return 8 * members + 8 * owner + 2 * live + here;
}

long adi_monitor_find(struct adi_monitor *monitor, const struct adi_kind *kind, const void *self,
                      int *likeliest) {
    long best = -1;
    *likeliest = 0;
    pthread_mutex_lock(&monitor->lock);
    for (size_t i = 0; i < monitor->n && *likeliest < ADI_MONITOR_SURE; i++) {
        size_t candidate = (monitor->found + 1 + i) % monitor->n;
        const struct adi_watched *node = &monitor->nodes[candidate];
        int now = node->kind == kind ? likeness(node, self) : 0;
        if (now <= *likeliest) continue;
        *likeliest = now;
        best = (long)candidate;
    }
    if (best >= 0) monitor->found = (size_t)best;
    pthread_mutex_unlock(&monitor->lock);
    return best;
}

/* The state of the place `self`, which `node` is at, or was. What is released at home, and was
 * released elsewhere before, was copied and its source stayed live. What is released elsewhere, and
 * was released at home before, by which that was marked, is released twice; unless another has
 * released it at home, for whom it should not have been there. */
static enum adi_life_state state_at(const struct adi_watched *node, const void *self) {
    if (node->told && self != node->at) return ADI_IS_moved;
    if (!is_released(node) && !node->in_release) return node->state;
    bool source_last = self == node->home && node->at != node->home;
    bool source_first = self != node->home && node->at == node->home;
    return source_last || (source_first && node->left) ? ADI_IS_moved : ADI_IS_released;
}

/* ---- what is told ---- */

void adi_monitor_pending(struct adi_monitor *monitor, size_t first) {
    monitor->nodes[first].state = ADI_IS_pending;
}

/* The live structure at a place; else one that was there. */
static struct adi_watched *resident(struct adi_monitor *monitor, const void *address, bool *gone) {
    struct adi_watched *former = NULL;
    *gone = false;
    for (size_t i = 0; i < monitor->n; i++) {
        struct adi_watched *node = &monitor->nodes[i];
        if (node->at == address && !is_released(node)) return node;
        if (node->home == address || node->at == address) former = node;
    }
    *gone = true;
    return former;
}

bool adi_monitor_judge(struct adi_monitor *monitor, enum adi_life_operation operation,
                       const void *address) {
    bool gone, allowed = true;
    pthread_mutex_lock(&monitor->lock);
    const struct adi_watched *node = resident(monitor, address, &gone);
    if (node != NULL)
        allowed = judge(monitor, node,
                        !gone                 ? node->state
                        : node->at == address ? ADI_IS_released
                                              : ADI_IS_moved,
                        operation);
    pthread_mutex_unlock(&monitor->lock);
    return allowed;
}

/* A child or dictionary has left its parent. */
static void move_out(struct adi_watched *node) {
    struct adi_watched *parent = node->parent;
    if (node->state != ADI_IS_inner) return;
    node->state = adi_life_child_of(parent->state);
    node->marked = true;
    step(parent, ADI_DO_move_child);
}

void adi_monitor_moved(struct adi_monitor *monitor, const void *from, void *to) {
    bool gone;
    pthread_mutex_lock(&monitor->lock);
    struct adi_watched *node = resident(monitor, from, &gone);
    if (node != NULL && !gone) {
        node->at = to;
        node->told = node->marked = true;
        move_out(node);
    }
    pthread_mutex_unlock(&monitor->lock);
}

bool adi_monitor_call(struct adi_monitor *monitor, long index, const void *self,
                      enum adi_life_operation operation) {
    pthread_mutex_lock(&monitor->lock);
    struct adi_watched *node = &monitor->nodes[index];
    enum adi_life_state state = state_at(node, self);
    bool allowed = judge(monitor, node, state, operation);
    if (allowed) step(node, operation);
    pthread_mutex_unlock(&monitor->lock);
    return allowed;
}

void adi_monitor_arrive(struct adi_monitor *monitor, long index, enum adi_life_state state) {
    pthread_mutex_lock(&monitor->lock);
    monitor->nodes[index].state = state;
    pthread_mutex_unlock(&monitor->lock);
}

void adi_monitor_hand_over(struct adi_monitor *monitor, const void *address) {
    bool gone;
    pthread_mutex_lock(&monitor->lock);
    struct adi_watched *node = resident(monitor, address, &gone);
    if (node != NULL && !gone) {
        node->told = false;
        node->home = node->at;
        node->at = NULL; /* where he will */
    }
    pthread_mutex_unlock(&monitor->lock);
}

void adi_monitor_left(struct adi_monitor *monitor, const void *address) {
    pthread_mutex_lock(&monitor->lock);
    for (size_t i = 0; i < monitor->n; i++)
        monitor->nodes[i].left = monitor->nodes[i].left || monitor->nodes[i].home == address;
    pthread_mutex_unlock(&monitor->lock);
}

/* Does `what` happen to each child and dictionary. */
static void step_children(struct adi_watched *node, enum adi_life_operation what) {
    for (struct adi_watched *child = node + 1; child <= node + node->below; child++)
        if (child->parent == node) step(child, what);
}

void adi_monitor_waited(struct adi_monitor *monitor, const void *address) {
    bool gone;
    pthread_mutex_lock(&monitor->lock);
    struct adi_watched *node = resident(monitor, address, &gone);
    if (node != NULL && !gone) {
        step(node, ADI_DO_wait);
        if (!adi_life_is_unready(node->state)) step_children(node, ADI_DO_parent_waited);
    }
    pthread_mutex_unlock(&monitor->lock);
}

/* ---- what is seen ---- */

/* A child that is not where it was: has its consumer moved it out, as one does? */
static void notice_move(struct adi_watched *node) {
    if (node->state == ADI_IS_inner && adi_kind_release(node->kind, node->home) == NULL)
        move_out(node);
}

/* A child that was copied while its source stayed live: the second release will tell. */
static bool is_copy(const struct adi_watched *node, const void *self) {
    return node->state == ADI_IS_inner && self != node->home;
}

/* Is it the release of something that is there to be released? Where a rule is broken, that has
 * been reported. */
static bool judge_release(struct adi_monitor *monitor, struct adi_watched *node, const void *self) {
    const struct adi_watched *parent = node->parent;
    bool by_parent = parent != NULL && parent->in_release;
    if (!by_parent && self != node->home) notice_move(node);
    enum adi_life_state state = state_at(node, self);
    bool dead = state == ADI_IS_moved || state == ADI_IS_released;
    /* Who copied without marking the source has made its producer release it again. */
    bool unmarked = state == ADI_IS_moved && !node->marked;
    if (by_parent && !unmarked)
        return judge(monitor, node, state, ADI_DO_release_by_parent) && !dead;
    bool known_before = parent != NULL && is_released(parent) && state == ADI_IS_inner;
    bool allowed =
        known_before || is_copy(node, self) || judge(monitor, node, state, ADI_DO_release);
    return !dead && (allowed || !monitor->refuses);
}

/* CD-074: a consumer leaves the members of a structure to its producer. */
/* CD-037, CD-064: a consumer does nothing with private_data, which is the producer's. */
/* CS-016, DV-060: of a stream, too. */
static void judge_members(struct adi_monitor *monitor, struct adi_watched *node, const void *self) {
    for (size_t i = 0; i < sizeof node->kind->owned / sizeof node->kind->owned[0]; i++) {
        const struct adi_owned *member = &node->kind->owned[i];
        const char *name = member->name;
        if (name == NULL) break;
        intptr_t was = adi_kind_value(member, &node->original), is = adi_kind_value(member, self);
        if (was == is) continue;
        char what[64], seen[24], wanted[24];
        snprintf(what, sizeof what, "has another %s than it was exported with", name);
        const char *format = strncmp(name, "n_", 2) == 0 ? "%" PRIdPTR : "0x%" PRIxPTR;
        snprintf(seen, sizeof seen, format, is);
        snprintf(wanted, sizeof wanted, format, was);
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
    bool first = judge_release(monitor, node, self);
    if (first) {
        judge_members(monitor, node, self);
        node->at = self;
        node->left = node->left || (node->parent != NULL && node->parent->in_release);
        node->in_release = true;
        for (struct adi_watched *child = node + 1; child <= node + node->below; child++)
            if (child->parent == node) notice_move(child);
    }
    pthread_mutex_unlock(&monitor->lock);
    return first;
}

/* The producer's callback has returned: what has it made of the child? Where a consumer changed the
 * parent, its producer is not to blame. */
static void leave_child(struct adi_monitor *monitor, struct adi_watched *child) {
    bool forgotten = adi_life_edge(child->state, ADI_DO_orphan)->rule != NULL;
    if (forgotten && !child->parent->changed) judge(monitor, child, child->state, ADI_DO_orphan);
    step(child, ADI_DO_orphan);
    if (!forgotten) return;
    child->state = ADI_IS_released; /* and nothing more about those below it */
    child->at = child->home;
}

void adi_monitor_leave(struct adi_monitor *monitor, long index, void *self) {
    pthread_mutex_lock(&monitor->lock);
    struct adi_watched *node = &monitor->nodes[index];
    node->in_release = false;
    node->state = ADI_IS_released;
    node->at = self;
    /* CD-076, CD-086, DV-030: the callback sets release to NULL: this marks it released. */
    if (adi_kind_release(node->kind, self) != NULL) {
        report(monitor, "life/release-not-cleared", ADI_PRODUCER, node, "release is not NULL",
               "NULL", "was released, but is not marked released");
        adi_kind_set_release(node->kind, self, NULL);
    }
    for (struct adi_watched *child = node + 1; child <= node + node->below; child++)
        if (child->parent == node) leave_child(monitor, child);
    pthread_mutex_unlock(&monitor->lock);
}

/* ---- the end ---- */

/* What is in its place in its parent lives as long as that. */
static bool is_live(const struct adi_watched *node) {
    for (; node != NULL; node = node->parent) {
        if (adi_life_is_free(node->state)) return false;
        if (node->state != ADI_IS_inner) return true;
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
    for (size_t i = 0; i < monitor->n; i++)
        judge(monitor, &monitor->nodes[i], monitor->nodes[i].state, ADI_DO_drop);
    pthread_mutex_unlock(&monitor->lock);
}
