/* SPDX-License-Identifier: Apache-2.0 */
#include "ticks.h"

#include <errno.h>

#include "clock.h"

#define WIDTH 64

/* The ticks of so many components in a row; 0: none. Shared, as the map is. */
struct block {
    uint64_t seqs[WIDTH];
    uint32_t held;
};

struct sim_ticks {
    struct sim_ticks *left, *right;
    struct block *block;
    uint32_t number, priority, held, n; /* number: of the block; n: blocks with those below */
    bool learned;                       /* by the host, with all below */
};

/* No two blocks have the same. */
static uint32_t priority_of(uint32_t number) {
    uint32_t mixed = number * 0x9E3779B1U;
    mixed = (mixed ^ (mixed >> 15)) * 0x85EBCA77U;
    return mixed ^ (mixed >> 13);
}

struct sim_ticks *sim_ticks_retain(struct sim_ticks *ticks) {
    if (ticks != NULL) ticks->held++;
    return ticks;
}

static void release_block(struct block *block) {
    if (--block->held == 0) sim_heap_free(block);
}

void sim_ticks_release(struct sim_ticks *ticks) {
    if (ticks == NULL || --ticks->held > 0) return;
    sim_ticks_release(ticks->left);
    sim_ticks_release(ticks->right);
    release_block(ticks->block);
    sim_heap_free(ticks);
}

size_t sim_ticks_count(const struct sim_ticks *ticks) {
    return ticks == NULL ? 0 : ticks->n;
}

uint64_t sim_ticks_of(const struct sim_ticks *ticks, uint32_t component) {
    uint32_t number = component / WIDTH;
    while (ticks != NULL && ticks->number != number)
        ticks = number < ticks->number ? ticks->left : ticks->right;
    return ticks == NULL ? 0 : ticks->block->seqs[component % WIDTH];
}

static struct sim_tick tick_at(const struct sim_ticks *ticks, uint32_t i) {
    return (struct sim_tick){ticks->number * WIDTH + i, ticks->block->seqs[i]};
}

static bool is_known(struct sim_tick tick) {
    return tick.seq == 0 || tick.seq <= sim_clock_learned(tick.component);
}

bool sim_ticks_are_learned(const struct sim_ticks *ticks) {
    return ticks == NULL || ticks->learned;
}

void sim_ticks_learn(struct sim_ticks *ticks) {
    if (sim_ticks_are_learned(ticks)) return;
    ticks->learned = true;
    for (uint32_t i = 0; i < WIDTH; i++) {
        struct sim_tick tick = tick_at(ticks, i);
        if (tick.seq > 0) sim_clock_learn(tick.component, tick.seq);
    }
    sim_ticks_learn(ticks->left);
    sim_ticks_learn(ticks->right);
}

int sim_ticks_each(const struct sim_ticks *ticks, int (*visit)(struct sim_tick tick)) {
    int code = 0;
    if (sim_ticks_are_learned(ticks)) return 0;
    for (uint32_t i = 0; code == 0 && i < WIDTH; i++)
        if (!is_known(tick_at(ticks, i))) code = visit(tick_at(ticks, i));
    if (code == 0) code = sim_ticks_each(ticks->left, visit);
    return code == 0 ? sim_ticks_each(ticks->right, visit) : code;
}

/* ---- making: what is handed in is the callee's, but for `like`; out comes one that is the
 * caller's. Once there is no memory *code says so, and what comes out is good for nothing else than
 * being let go of. ---- */

/* `block` (NULL: there is no memory) in the place of that of `like`, above these. */
static struct sim_ticks *build_with(const struct sim_ticks *like, struct block *block,
                                    struct sim_ticks *left, struct sim_ticks *right, int *code) {
    struct sim_ticks *made = block == NULL ? NULL : sim_heap_new(sizeof *made);
    if (made == NULL) {
        *code = ENOMEM;
        if (block != NULL) release_block(block);
        sim_ticks_release(left);
        sim_ticks_release(right);
        return NULL;
    }
    *made = (struct sim_ticks){
        .left = left,
        .right = right,
        .block = block,
        .number = like->number,
        .priority = like->priority,
        .held = 1,
        .n = 1 + (uint32_t)(sim_ticks_count(left) + sim_ticks_count(right)),
    };
    return made;
}

/* The block of `like` above these; `like` itself if that is the same. */
static struct sim_ticks *build(struct sim_ticks *like, struct sim_ticks *left,
                               struct sim_ticks *right, int *code) {
    if (left != like->left || right != like->right) {
        like->block->held++;
        return build_with(like, like->block, left, right, code);
    }
    sim_ticks_release(left);
    sim_ticks_release(right);
    return sim_ticks_retain(like);
}

/* What is in it before and behind a block, and (the caller's to look at only) that block; NULL: it
 * has none. */
static struct sim_ticks *split(struct sim_ticks *ticks, uint32_t at, struct sim_ticks **before,
                               struct sim_ticks **behind, int *code) {
    struct sim_ticks *middle, *found;
    if (sim_ticks_are_learned(ticks)) {
        *before = *behind = NULL;
        return NULL;
    }
    if (ticks->number == at) {
        *before = sim_ticks_retain(ticks->left);
        *behind = sim_ticks_retain(ticks->right);
        return ticks;
    }
    if (ticks->number < at) {
        found = split(ticks->right, at, &middle, behind, code);
        *before = build(ticks, sim_ticks_retain(ticks->left), middle, code);
    } else {
        found = split(ticks->left, at, before, &middle, code);
        *behind = build(ticks, middle, sim_ticks_retain(ticks->right), code);
    }
    return found;
}

static bool covers(const struct block *a, const struct block *b) {
    uint64_t missing = 0;
    for (uint32_t i = 0; i < WIDTH; i++) missing |= a->seqs[i] < b->seqs[i];
    return missing == 0;
}

static struct block *later_of(const struct block *a, const struct block *b) {
    struct block *made = sim_heap_new(sizeof *made);
    if (made == NULL) return NULL;
    for (uint32_t i = 0; i < WIDTH; i++)
        made->seqs[i] = a->seqs[i] > b->seqs[i] ? a->seqs[i] : b->seqs[i];
    made->held = 1;
    return made;
}

static struct sim_ticks *unite(struct sim_ticks *a, struct sim_ticks *b, int *code) {
    if (sim_ticks_are_learned(a)) a = NULL;
    if (sim_ticks_are_learned(b)) b = NULL;
    if (a == b || a == NULL || b == NULL) return sim_ticks_retain(a == NULL ? b : a);
    if (a->priority < b->priority) {
        struct sim_ticks *higher = b;
        b = a;
        a = higher;
    }
    /* If b has that block, then at its top, too. */
    struct sim_ticks *before, *behind, *same = split(b, a->number, &before, &behind, code);
    struct sim_ticks *left = unite(a->left, before, code);
    struct sim_ticks *right = unite(a->right, behind, code);
    sim_ticks_release(before);
    sim_ticks_release(behind);
    if (same == NULL || same->block == a->block || covers(a->block, same->block))
        return build(a, left, right, code);
    if (covers(same->block, a->block)) return build(same, left, right, code);
    return build_with(a, later_of(a->block, same->block), left, right, code);
}

/* All of `left` is before all of `right`. */
static struct sim_ticks *concatenate(struct sim_ticks *left, struct sim_ticks *right, int *code) {
    if (left == NULL || right == NULL) return left == NULL ? right : left;
    bool is_left = left->priority > right->priority;
    struct sim_ticks *top = is_left ? left : right, *made;
    struct sim_ticks *outer = sim_ticks_retain(is_left ? top->left : top->right);
    struct sim_ticks *inner = sim_ticks_retain(is_left ? top->right : top->left);
    if (is_left)
        made = build(top, outer, concatenate(inner, right, code), code);
    else
        made = build(top, concatenate(left, inner, code), outer, code);
    sim_ticks_release(top);
    return made;
}

static bool is_all_known(const struct sim_ticks *ticks) {
    for (uint32_t i = 0; i < WIDTH; i++)
        if (!is_known(tick_at(ticks, i))) return false;
    return true;
}

static struct sim_ticks *trim(struct sim_ticks *ticks, int *code) {
    if (sim_ticks_are_learned(ticks)) return NULL;
    struct sim_ticks *left = trim(ticks->left, code), *right = trim(ticks->right, code);
    return is_all_known(ticks) ? concatenate(left, right, code) : build(ticks, left, right, code);
}

/* ---- putting it in the place of another ---- */

static int put(struct sim_ticks **ticks, struct sim_ticks *made, int code) {
    sim_ticks_release(code == 0 ? *ticks : made);
    if (code == 0) *ticks = made;
    return code;
}

int sim_ticks_unite(struct sim_ticks **ticks, struct sim_ticks *others) {
    int code = 0;
    struct sim_ticks *made = unite(*ticks, others, &code);
    return put(ticks, made, code);
}

int sim_ticks_raise(struct sim_ticks **ticks, struct sim_tick tick) {
    uint32_t number = tick.component / WIDTH;
    const struct sim_ticks like = {.number = number, .priority = priority_of(number)};
    struct block *block = sim_heap_zeroed(sizeof *block);
    int code = 0;
    if (block == NULL) return ENOMEM;
    block->held = 1;
    block->seqs[tick.component % WIDTH] = tick.seq;
    struct sim_ticks *one = build_with(&like, block, NULL, NULL, &code);
    if (code == 0) code = sim_ticks_unite(ticks, one);
    sim_ticks_release(one);
    return code;
}

int sim_ticks_trim(struct sim_ticks **ticks) {
    int code = 0;
    struct sim_ticks *made = trim(*ticks, &code);
    return put(ticks, made, code);
}
