/* SPDX-License-Identifier: Apache-2.0 */
#include "vk_accesses.h"

#define PIECES  4096 /* of a hold */
#define MUTATED 64   /* the last ones: more than one is one too many */
#define MISSED  4    /* events, of those that were set last */
#define ROUND   8 /* no two buffers share so many bytes: the documents ask for such an alignment */

struct piece {
    uint64_t serial; /* of the buffer */
    VkDeviceSize from, to;
    bool is_known; /* false: it is somewhere in there */
    enum piece_use use;
    uint64_t order;
    VkPipelineStageFlags2 reached; /* who waits for one of these stages waits for this */
    uint64_t missed[MISSED]; /* the steps that set events behind it which do not stand for it */
    size_t n_missed;
};

static struct {
    struct piece pieces[PIECES];
    uint64_t number; /* of the hold */
    size_t n;
} noted;

static struct piece mutated[MUTATED];
static size_t n_mutated;

static struct piece piece_of(const struct object *buffer, const struct recorded *step,
                             enum piece_use use, uint64_t order) {
    VkDeviceSize there = step->from < buffer->bytes ? buffer->bytes - step->from : 0;
    VkDeviceSize bytes = step->bytes < there ? step->bytes : there;
    bool is_known = !step->is_within && step->bytes != 0;
    if (step->bytes == 0) bytes = there;
    return (struct piece){.serial = buffer->serial,
                          .from = step->from,
                          .to = step->from + bytes,
                          .is_known = is_known,
                          .use = use,
                          .order = order,
                          .reached = step->stages.first};
}

void pieces_note(const struct object *buffer, const struct recorded *step, enum piece_use use,
                 uint64_t number, uint64_t order) {
    const struct piece piece = piece_of(buffer, step, use, order);
    if (use == PIECE_MUTATED) {
        mutated[n_mutated++ % MUTATED] = piece;
        return;
    }
    if (noted.number != number) noted.n = 0;
    noted.number = number;
    if (noted.n < PIECES) noted.pieces[noted.n++] = piece;
}

static bool touches(const struct piece *piece, const struct piece_asked *asked) {
    VkDeviceSize from = asked->from, to = from + asked->bytes;
    if (piece->serial != asked->buffer->serial) return false;
    if (piece->is_known) return piece->from < to && from < piece->to;
    return piece->from >= from / ROUND * ROUND && piece->to <= (to + ROUND - 1) / ROUND * ROUND;
}

void pieces_reach(uint64_t number, const struct stages *stages) {
    for (size_t i = 0; noted.number == number && i < noted.n; i++)
        if ((noted.pieces[i].reached & stages->first) != 0)
            noted.pieces[i].reached |= stages->second;
}

void pieces_set(uint64_t number, uint64_t order, VkPipelineStageFlags2 stages) {
    for (size_t i = 0; noted.number == number && i < noted.n; i++) {
        struct piece *piece = &noted.pieces[i];
        if ((piece->reached & stages) == 0) piece->missed[piece->n_missed++ % MISSED] = order;
    }
}

static bool stands_for(uint64_t order, const struct piece *piece) {
    bool missed = false;
    for (size_t i = 0; i < MISSED; i++) missed = missed || piece->missed[i] == order;
    return piece->order < order && !missed;
}

static bool is_done(const struct piece *piece, const struct piece_events *events) {
    bool done = false;
    for (size_t i = 0; i < events->n && !done; i++) done = stands_for(events->orders[i], piece);
    return done;
}

bool pieces_are(const struct piece_asked *asked, enum piece_use use, uint64_t number,
                const struct piece_events *events) {
    bool found = false;
    if (asked->buffer == NULL) return false;
    for (size_t i = 0; use == PIECE_MUTATED && i < MUTATED && !found; i++)
        found = touches(&mutated[i], asked);
    for (size_t i = 0; noted.number == number && i < noted.n && !found; i++)
        found = noted.pieces[i].use == use && !is_done(&noted.pieces[i], events) &&
                touches(&noted.pieces[i], asked);
    return found;
}
