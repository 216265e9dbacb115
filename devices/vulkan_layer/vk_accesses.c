/* SPDX-License-Identifier: Apache-2.0 */
#include "vk_accesses.h"

#define ACCESSES 4096 /* of a pause */
#define MUTATED  64   /* the last ones: more than one is one too many */
#define MISSED   4    /* events, of those that were set last */
#define ROUND    8 /* no two buffers share so many bytes: the documents ask for such an alignment */

struct access {
    uint64_t serial; /* of the buffer */
    VkDeviceSize from, to;
    bool is_known; /* false: it is somewhere in there */
    enum access_use use;
    uint64_t order;
    VkPipelineStageFlags2 reached; /* who waits for one of these stages waits for this */
    uint64_t missed[MISSED]; /* the steps that set events behind it which do not stand for it */
    size_t n_missed;
};

static struct {
    struct access accesses[ACCESSES];
    uint64_t number; /* of the pause */
    size_t n;
} noted;

static struct access mutated[MUTATED];
static size_t n_mutated;

static struct access access_of(const struct object *buffer, const struct recorded *step,
                               enum access_use use, uint64_t order) {
    VkDeviceSize there = step->from < buffer->bytes ? buffer->bytes - step->from : 0;
    VkDeviceSize bytes = step->bytes < there ? step->bytes : there;
    bool is_known = !step->is_within && step->bytes != 0;
    if (step->bytes == 0) bytes = there;
    return (struct access){.serial = buffer->serial,
                           .from = step->from,
                           .to = step->from + bytes,
                           .is_known = is_known,
                           .use = use,
                           .order = order,
                           .reached = step->stages.first};
}

void accesses_note(const struct object *buffer, const struct recorded *step, enum access_use use,
                   uint64_t number, uint64_t order) {
    const struct access access = access_of(buffer, step, use, order);
    if (use == ACCESS_MUTATED) {
        mutated[n_mutated++ % MUTATED] = access;
        return;
    }
    if (noted.number != number) noted.n = 0;
    noted.number = number;
    if (noted.n < ACCESSES) noted.accesses[noted.n++] = access;
}

static bool touches(const struct access *access, const struct access_query *asked) {
    VkDeviceSize from = asked->from, to = from + asked->bytes;
    if (access->serial != asked->buffer->serial) return false;
    if (access->is_known) return access->from < to && from < access->to;
    return access->from >= from / ROUND * ROUND && access->to <= (to + ROUND - 1) / ROUND * ROUND;
}

void accesses_reach(uint64_t number, const struct stages *stages) {
    for (size_t i = 0; noted.number == number && i < noted.n; i++)
        if ((noted.accesses[i].reached & stages->first) != 0)
            noted.accesses[i].reached |= stages->second;
}

void accesses_set(uint64_t number, uint64_t order, VkPipelineStageFlags2 stages) {
    for (size_t i = 0; noted.number == number && i < noted.n; i++) {
        struct access *access = &noted.accesses[i];
        if ((access->reached & stages) == 0) access->missed[access->n_missed++ % MISSED] = order;
    }
}

static bool stands_for(uint64_t order, const struct access *access) {
    bool missed = false;
    for (size_t i = 0; i < MISSED; i++) missed = missed || access->missed[i] == order;
    return access->order < order && !missed;
}

static bool is_done(const struct access *access, const struct access_events *events) {
    bool done = false;
    for (size_t i = 0; i < events->n && !done; i++) done = stands_for(events->orders[i], access);
    return done;
}

bool accesses_are(const struct access_query *asked, enum access_use use, uint64_t number,
                  const struct access_events *events) {
    bool found = false;
    if (asked->buffer == NULL) return false;
    for (size_t i = 0; use == ACCESS_MUTATED && i < MUTATED && !found; i++)
        found = touches(&mutated[i], asked);
    for (size_t i = 0; noted.number == number && i < noted.n && !found; i++)
        found = noted.accesses[i].use == use && !is_done(&noted.accesses[i], events) &&
                touches(&noted.accesses[i], asked);
    return found;
}
