/* SPDX-License-Identifier: Apache-2.0 */
#include "cl_accesses.h"

#include "cl_order.h"

#define ACCESSES 4096 /* of a pause */
#define ROUND    8 /* no two buffers share so many bytes: the documents ask for such an alignment */

enum use {
    WRITTEN,
    READ_BY_IMPLEMENTATION
};

static struct access {
    uint64_t serial; /* of the object, which is nobody's part */
    size_t from, to;
    bool is_known; /* false: it is somewhere in there */
    enum use use;
    int at; /* the command, -1: not known which */
} accesses[ACCESSES];

static struct {
    uint64_t number; /* of the pause */
    size_t n;
} noted;

/* Where a buffer value lies in what it is part of; NULL: nothing is known of it. */
static const struct object *find_root(const void *value, size_t *origin) {
    const struct object *object = objects_at(value);
    *origin = 0;
    if (object == NULL) return NULL;
    if (object->kind == ADI_OPENCL_SHARED) *origin = (uintptr_t)value - object->handle;
    const struct object *of = object->kind == ADI_OPENCL_MEMORY ? objects_find(object->of) : NULL;
    if (of == NULL) return object;
    *origin = object->origin;
    return of;
}

static void note(const void *value, const struct extent *extent, enum use use, int at) {
    size_t origin;
    const struct object *object = objects_find(value), *root = find_root(value, &origin);
    if (root == NULL || noted.n == ACCESSES) return;
    bool is_known = extent->bytes > 0;
    size_t from = origin, bytes = object->bytes;
    if (is_known) {
        bool by_address = object->kind == ADI_OPENCL_SHARED;
        from = by_address ? extent->at - root->handle : origin + extent->at;
        bytes = extent->bytes;
    }
    if (bytes > 0)
        accesses[noted.n++] = (struct access){root->serial, from, from + bytes, is_known, use, at};
}

void accesses_stopped(const struct command *command, uint64_t number, int at) {
    static const struct extent unknown;
    if (noted.number != number) noted.n = 0;
    noted.number = number;
    for (int i = 0; i < MOST_ARGUMENTS; i++) {
        note(command->writes[i], i == 0 ? &command->written : &unknown, WRITTEN, at);
        if (adi_caller_party() == 1)
            note(command->reads[i], i == 0 ? &command->read : &unknown, READ_BY_IMPLEMENTATION, at);
    }
}

struct range {
    uint64_t serial; /* 0: nothing is known */
    size_t from, to;
};

static struct range range_of(const struct access_query *asked, uint64_t number) {
    size_t origin;
    const struct object *root = find_root(asked->buffer, &origin);
    if (root == NULL || noted.number != number) return (struct range){0, 0, 0};
    size_t from = origin + (size_t)asked->offset;
    return (struct range){root->serial, from, from + (size_t)asked->bytes};
}

static bool touches(const struct access *access, const struct range *range, enum use use) {
    if (access->serial != range->serial || access->use != use) return false;
    if (access->is_known) return access->from < range->to && range->from < access->to;
    return access->from >= range->from / ROUND * ROUND &&
           access->to <= (range->to + ROUND - 1) / ROUND * ROUND;
}

bool accesses_are_pending(const struct access_query *asked, uint64_t number) {
    const struct range range = range_of(asked, number);
    bool found = false;
    for (size_t i = 0; i < noted.n && range.serial != 0 && !found; i++)
        found = touches(&accesses[i], &range, WRITTEN) && !order_is_over(accesses[i].at, number);
    return found;
}

bool accesses_are_covered(const struct access_query *asked, const struct object *event,
                          uint64_t number) {
    const struct range range = range_of(asked, number);
    bool covered = true;
    if (!order_knows(event, number)) return true;
    for (size_t i = 0; i < noted.n && range.serial != 0 && covered; i++)
        covered = !touches(&accesses[i], &range, WRITTEN) || order_needs(event, accesses[i].at);
    return covered;
}

bool accesses_are_used(const struct access_query *asked, uint64_t number) {
    const struct range range = range_of(asked, number);
    bool found = false;
    for (size_t i = 0; i < noted.n && range.serial != 0 && !found; i++)
        found = touches(&accesses[i], &range, READ_BY_IMPLEMENTATION);
    return found;
}
