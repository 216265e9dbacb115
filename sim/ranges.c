/* SPDX-License-Identifier: Apache-2.0 */
#include "ranges.h"

#include <errno.h>
#include <string.h>

#define FIRST_TRIM 64

/* A treap by `start`: the priorities keep it as deep as a random tree. */
struct sim_range {
    struct sim_range *left, *right;
    uint32_t priority;
    size_t start, end;
    struct sim_access writer;
    struct sim_access *readers; /* since that write; one a component and kind, sorted by both */
    size_t n_readers, capacity;
};

static uint32_t next_priority(void) {
    static uint32_t state = 2463534242U;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static struct sim_range *new_range(size_t start, size_t end, const struct sim_access *writer) {
    struct sim_range *range = sim_heap_new(sizeof *range);
    if (range == NULL) return NULL;
    *range = (struct sim_range){
        .priority = next_priority(), .start = start, .end = end, .writer = *writer};
    return range;
}

static void free_tree(struct sim_ranges *ranges, struct sim_range *tree) {
    if (tree == NULL) return;
    free_tree(ranges, tree->left);
    free_tree(ranges, tree->right);
    sim_heap_free(tree->readers);
    sim_heap_free(tree);
    ranges->n--;
}

/* Into what begins before `at` and the rest. */
static void split(struct sim_range *tree, size_t at, struct sim_range **left,
                  struct sim_range **right) {
    if (tree == NULL) {
        *left = *right = NULL;
    } else if (tree->start < at) {
        split(tree->right, at, &tree->right, right);
        *left = tree;
    } else {
        split(tree->left, at, left, &tree->left);
        *right = tree;
    }
}

static struct sim_range *join(struct sim_range *left, struct sim_range *right) {
    if (left == NULL || right == NULL) return left == NULL ? right : left;
    if (left->priority > right->priority) {
        left->right = join(left->right, right);
        return left;
    }
    right->left = join(left, right->left);
    return right;
}

/* Lets a range end at `at`, if one lies across it. */
static int cut(struct sim_ranges *ranges, size_t at) {
    struct sim_range *range = ranges->root;
    while (range != NULL && !(range->start < at && at < range->end))
        range = at <= range->start ? range->left : range->right;
    if (range == NULL) return 0;
    struct sim_range *behind = new_range(at, range->end, &range->writer);
    if (behind == NULL) return ENOMEM;
    if (range->n_readers > 0) {
        size_t bytes = range->n_readers * sizeof *range->readers;
        behind->readers = sim_heap_new(bytes);
        if (behind->readers == NULL) {
            sim_heap_free(behind);
            return ENOMEM;
        }
        memcpy(behind->readers, range->readers, bytes);
        behind->n_readers = behind->capacity = range->n_readers;
    }
    struct sim_range *left, *right;
    range->end = at;
    split(ranges->root, at, &left, &right);
    ranges->root = join(join(left, behind), right);
    ranges->n++;
    return 0;
}

static bool is_known(const struct sim_access *access) {
    return access->seq <= sim_clock_learned(access->component);
}

/* Takes out the readers that everything to come is ordered behind. */
static void forget_known(struct sim_range *range) {
    size_t kept = 0;
    for (size_t i = 0; i < range->n_readers; i++)
        if (!is_known(&range->readers[i])) range->readers[kept++] = range->readers[i];
    range->n_readers = kept;
}

/* A component reads, or may have written: the one does not stand for the other. */
static uint64_t reader_key(const struct sim_access *access) {
    return (uint64_t)access->component << 1 | access->may;
}

static int add_reader(struct sim_range *range, const struct sim_access *access) {
    size_t low = 0, high = range->n_readers;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (reader_key(&range->readers[middle]) < reader_key(access))
            low = middle + 1;
        else
            high = middle;
    }
    if (low < range->n_readers && reader_key(&range->readers[low]) == reader_key(access)) {
        range->readers[low] = *access;
        return 0;
    }
    if (range->n_readers == range->capacity) {
        size_t before = range->n_readers;
        forget_known(range);
        if (range->n_readers != before) return add_reader(range, access);
        size_t capacity = range->capacity == 0 ? 2 : range->capacity * 2;
        struct sim_access *grown = sim_heap_grow(range->readers, capacity * sizeof *grown);
        if (grown == NULL) return ENOMEM;
        range->readers = grown;
        range->capacity = capacity;
    }
    memmove(range->readers + low + 1, range->readers + low,
            (range->n_readers - low) * sizeof *range->readers);
    range->readers[low] = *access;
    range->n_readers++;
    return 0;
}

struct visit {
    const struct sim_access *access;
    const struct sim_clock *clock;
    struct sim_race *race;
    bool writes;
};

static void check(const struct visit *visit, const struct sim_range *range,
                  const struct sim_access *past, bool past_writes) {
    if (visit->race->end != 0 || (visit->access->may && past->may) ||
        sim_clock_before(past->component, past->seq, visit->access->component, visit->clock))
        return;
    *visit->race = (struct sim_race){*past, past_writes, range->start, range->end};
}

/* Checks every range of the tree; a read is noted in each. */
static int visit_all(const struct visit *visit, struct sim_range *range) {
    if (range == NULL) return 0;
    int code = visit_all(visit, range->left);
    check(visit, range, &range->writer, true);
    for (size_t i = 0; i < range->n_readers; i++)
        if (visit->writes || visit->access->may || range->readers[i].may)
            check(visit, range, &range->readers[i], false);
    if (!visit->writes && code == 0) code = add_reader(range, visit->access);
    int behind = visit_all(visit, range->right);
    return code == 0 ? behind : code;
}

/* Takes the tree apart, from its first range to its last, and puts it together again; ranges that
 * the host knows all about become one with their like. */
static void rebuild(struct sim_ranges *ranges, struct sim_range *tree, struct sim_range **last) {
    if (tree == NULL) return;
    struct sim_range *right = tree->right;
    rebuild(ranges, tree->left, last);
    forget_known(tree);
    bool settled = tree->n_readers == 0 && is_known(&tree->writer);
    if (settled && *last != NULL && (*last)->n_readers == 0 && is_known(&(*last)->writer)) {
        (*last)->end = tree->end;
        sim_heap_free(tree->readers);
        sim_heap_free(tree);
        ranges->n--;
    } else {
        tree->left = tree->right = NULL;
        ranges->root = join(ranges->root, tree);
        *last = tree;
    }
    rebuild(ranges, right, last);
}

static void trim(struct sim_ranges *ranges) {
    struct sim_range *tree = ranges->root, *last = NULL;
    ranges->root = NULL;
    rebuild(ranges, tree, &last);
    ranges->trim_at = ranges->n * 2 < FIRST_TRIM ? FIRST_TRIM : ranges->n * 2;
}

int sim_ranges_start(struct sim_ranges *ranges, size_t bytes, const struct sim_access *made) {
    struct sim_range *range = new_range(0, bytes, made);
    *ranges = (struct sim_ranges){range, 1, FIRST_TRIM};
    return range == NULL ? ENOMEM : 0;
}

void sim_ranges_free(struct sim_ranges *ranges) {
    free_tree(ranges, ranges->root);
    ranges->root = NULL;
}

int sim_ranges_access(struct sim_ranges *ranges, size_t start, size_t end,
                      const struct sim_access *access, bool writes, const struct sim_clock *clock,
                      struct sim_race *race) {
    struct sim_range *left, *middle, *right, *written = NULL;
    struct visit visit = {access, clock, race, writes};
    race->end = 0;
    if (ranges->n >= ranges->trim_at) trim(ranges);
    int code = cut(ranges, start);
    if (code == 0) code = cut(ranges, end);
    if (code == 0 && writes && (written = new_range(start, end, access)) == NULL) code = ENOMEM;
    if (code != 0) return code;
    split(ranges->root, start, &left, &right);
    split(right, end, &middle, &right);
    code = visit_all(&visit, middle);
    if (writes) {
        free_tree(ranges, middle);
        middle = written;
        ranges->n++;
    }
    ranges->root = join(join(left, middle), right);
    return code;
}

struct search {
    bool (*leaves)(const struct sim_access *access);
    void (*found)(void *context, size_t start, size_t end, bool written,
                  const struct sim_access *by);
    void *context;
};

static bool counts(const struct search *search, const struct sim_access *access) {
    return !is_known(access) && (search->leaves == NULL || !search->leaves(access));
}

static void pending(const struct search *search, const struct sim_range *range) {
    if (range == NULL) return;
    pending(search, range->left);
    const struct sim_access *reader = NULL;
    for (size_t i = 0; i < range->n_readers && (reader == NULL || !reader->may); i++)
        if ((reader == NULL || range->readers[i].may) && counts(search, &range->readers[i]))
            reader = &range->readers[i];
    if (counts(search, &range->writer))
        search->found(search->context, range->start, range->end, true, &range->writer);
    else if (reader != NULL)
        search->found(search->context, range->start, range->end, reader->may, reader);
    pending(search, range->right);
}

void sim_ranges_pending(const struct sim_ranges *ranges,
                        bool (*leaves)(const struct sim_access *access),
                        void (*found)(void *context, size_t start, size_t end, bool written,
                                      const struct sim_access *by),
                        void *context) {
    pending(&(struct search){leaves, found, context}, ranges->root);
}

struct asked {
    size_t start, end;
    void (*found)(void *context, const struct sim_access *access, bool writes);
    void *context;
};

static void accesses(const struct asked *asked, const struct sim_range *range) {
    if (range == NULL) return;
    if (asked->start < range->start) accesses(asked, range->left);
    if (range->start < asked->end && asked->start < range->end) {
        asked->found(asked->context, &range->writer, true);
        for (size_t i = 0; i < range->n_readers; i++)
            asked->found(asked->context, &range->readers[i], false);
    }
    if (range->end < asked->end) accesses(asked, range->right);
}

void sim_ranges_accesses(const struct sim_ranges *ranges, size_t start, size_t end,
                         void (*found)(void *context, const struct sim_access *access, bool writes),
                         void *context) {
    accesses(&(struct asked){start, end, found, context}, ranges->root);
}
