/* SPDX-License-Identifier: Apache-2.0 */
#include "ticks.h"

#include <errno.h>

#include "clock.h"

struct sim_ticks {
    struct sim_ticks *left, *right;
    struct sim_tick tick;
    uint32_t priority, held, n;
    bool learned; /* by the host, with all below */
};

/* No two components have the same. */
static uint32_t priority_of(uint32_t component) {
    uint32_t mixed = component * 0x9E3779B1U;
    mixed = (mixed ^ (mixed >> 15)) * 0x85EBCA77U;
    return mixed ^ (mixed >> 13);
}

struct sim_ticks *sim_ticks_hold(struct sim_ticks *ticks) {
    if (ticks != NULL) ticks->held++;
    return ticks;
}

void sim_ticks_let(struct sim_ticks *ticks) {
    if (ticks == NULL || --ticks->held > 0) return;
    sim_ticks_let(ticks->left);
    sim_ticks_let(ticks->right);
    sim_heap_free(ticks);
}

size_t sim_ticks_count(const struct sim_ticks *ticks) {
    return ticks == NULL ? 0 : ticks->n;
}

uint64_t sim_ticks_of(const struct sim_ticks *ticks, uint32_t component) {
    while (ticks != NULL && ticks->tick.component != component)
        ticks = component < ticks->tick.component ? ticks->left : ticks->right;
    return ticks == NULL ? 0 : ticks->tick.seq;
}

bool sim_ticks_are_learned(const struct sim_ticks *ticks) {
    return ticks == NULL || ticks->learned;
}

void sim_ticks_learn(struct sim_ticks *ticks) {
    if (sim_ticks_are_learned(ticks)) return;
    ticks->learned = true;
    sim_clock_learn(ticks->tick.component, ticks->tick.seq);
    sim_ticks_learn(ticks->left);
    sim_ticks_learn(ticks->right);
}

int sim_ticks_each(const struct sim_ticks *ticks, int (*visit)(struct sim_tick tick)) {
    if (sim_ticks_are_learned(ticks)) return 0;
    bool known = ticks->tick.seq <= sim_clock_learned(ticks->tick.component);
    int code = known ? 0 : visit(ticks->tick);
    if (code == 0) code = sim_ticks_each(ticks->left, visit);
    return code == 0 ? sim_ticks_each(ticks->right, visit) : code;
}

/* ---- making: what is handed in is the callee's, but for `like`; out comes one that is the
 * caller's. Once there is no memory *code says so, and what comes out is good for nothing else than
 * being let go of. ---- */

/* The tick of `like` above these; `like` itself if that is the same. */
static struct sim_ticks *build(struct sim_ticks *like, struct sim_ticks *left,
                               struct sim_ticks *right, int *code) {
    bool same = left == like->left && right == like->right;
    struct sim_ticks *made = same ? sim_ticks_hold(like) : sim_heap_new(sizeof *made);
    if (made == NULL) *code = ENOMEM;
    if (same || made == NULL) {
        sim_ticks_let(left);
        sim_ticks_let(right);
        return made;
    }
    *made = (struct sim_ticks){
        .left = left,
        .right = right,
        .tick = like->tick,
        .priority = like->priority,
        .held = 1,
        .n = 1 + (uint32_t)(sim_ticks_count(left) + sim_ticks_count(right)),
    };
    return made;
}

/* What is in it before and behind a component, whose own tick is the result. */
static uint64_t split(struct sim_ticks *ticks, uint32_t at, struct sim_ticks **before,
                      struct sim_ticks **behind, int *code) {
    struct sim_ticks *middle;
    uint64_t seq;
    if (sim_ticks_are_learned(ticks)) {
        *before = *behind = NULL;
        return 0;
    }
    if (ticks->tick.component == at) {
        *before = sim_ticks_hold(ticks->left);
        *behind = sim_ticks_hold(ticks->right);
        return ticks->tick.seq;
    }
    if (ticks->tick.component < at) {
        seq = split(ticks->right, at, &middle, behind, code);
        *before = build(ticks, sim_ticks_hold(ticks->left), middle, code);
    } else {
        seq = split(ticks->left, at, before, &middle, code);
        *behind = build(ticks, middle, sim_ticks_hold(ticks->right), code);
    }
    return seq;
}

static struct sim_ticks *unite(struct sim_ticks *a, struct sim_ticks *b, int *code) {
    if (sim_ticks_are_learned(a)) a = NULL;
    if (sim_ticks_are_learned(b)) b = NULL;
    if (a == b || a == NULL || b == NULL) return sim_ticks_hold(a == NULL ? b : a);
    if (a->priority < b->priority) {
        struct sim_ticks *higher = b;
        b = a;
        a = higher;
    }
    struct sim_ticks *before, *behind;
    uint64_t seq = split(b, a->tick.component, &before, &behind, code);
    struct sim_ticks *left = unite(a->left, before, code);
    struct sim_ticks *right = unite(a->right, behind, code);
    sim_ticks_let(before);
    sim_ticks_let(behind);
    /* If b has it, then at its top, too. */
    return build(seq > a->tick.seq ? b : a, left, right, code);
}

/* All of `left` is before all of `right`. */
static struct sim_ticks *concatenate(struct sim_ticks *left, struct sim_ticks *right, int *code) {
    if (left == NULL || right == NULL) return left == NULL ? right : left;
    bool is_left = left->priority > right->priority;
    struct sim_ticks *top = is_left ? left : right, *made;
    struct sim_ticks *outer = sim_ticks_hold(is_left ? top->left : top->right);
    struct sim_ticks *inner = sim_ticks_hold(is_left ? top->right : top->left);
    if (is_left)
        made = build(top, outer, concatenate(inner, right, code), code);
    else
        made = build(top, concatenate(left, inner, code), outer, code);
    sim_ticks_let(top);
    return made;
}

static struct sim_ticks *trim(struct sim_ticks *ticks, int *code) {
    if (sim_ticks_are_learned(ticks)) return NULL;
    struct sim_ticks *left = trim(ticks->left, code), *right = trim(ticks->right, code);
    if (ticks->tick.seq <= sim_clock_learned(ticks->tick.component))
        return concatenate(left, right, code);
    return build(ticks, left, right, code);
}

/* ---- putting it in the place of another ---- */

static int put(struct sim_ticks **ticks, struct sim_ticks *made, int code) {
    sim_ticks_let(code == 0 ? *ticks : made);
    if (code == 0) *ticks = made;
    return code;
}

int sim_ticks_unite(struct sim_ticks **ticks, struct sim_ticks *others) {
    int code = 0;
    struct sim_ticks *made = unite(*ticks, others, &code);
    return put(ticks, made, code);
}

int sim_ticks_raise(struct sim_ticks **ticks, struct sim_tick tick) {
    struct sim_ticks *one = sim_heap_new(sizeof *one);
    if (one == NULL) return ENOMEM;
    *one = (struct sim_ticks){
        .tick = tick, .priority = priority_of(tick.component), .held = 1, .n = 1};
    int code = sim_ticks_unite(ticks, one);
    sim_ticks_let(one);
    return code;
}

int sim_ticks_trim(struct sim_ticks **ticks) {
    int code = 0;
    struct sim_ticks *made = trim(*ticks, &code);
    return put(ticks, made, code);
}
