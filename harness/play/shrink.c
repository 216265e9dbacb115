/* SPDX-License-Identifier: Apache-2.0 */
#include "shrink.h"

#include <string.h>

struct shrinking {
    struct adi_program *best;
    bool (*shows)(void *context, const struct adi_program *program);
    void *context;
};

/* Takes the attempt over if it shows it. */
static bool try(struct shrinking *shrinking, const struct adi_program *test) {
    if (test->n == 0 || !shrinking->shows(shrinking->context, test)) return false;
    *shrinking->best = *test;
    return true;
}

static void cut(struct adi_program *program, size_t at, size_t length) {
    memmove(&program->steps[at], &program->steps[at + length],
            (program->n - at - length) * sizeof program->steps[0]);
    program->n -= length;
}

static bool delete_ranges(struct shrinking *shrinking) {
    static struct adi_program test;
    bool any = false;
    for (size_t length = shrinking->best->n; length > 0; length--)
        for (size_t at = 0; at + length <= shrinking->best->n;) {
            test = *shrinking->best;
            cut(&test, at, length);
            if (try(shrinking, &test))
                any = true;
            else
                at++;
        }
    return any;
}

/* An export and its release need not stand side by side. */
static bool delete_pairs(struct shrinking *shrinking) {
    static struct adi_program test;
    for (size_t one = 0; one < shrinking->best->n; one++)
        for (size_t other = one + 1; other < shrinking->best->n; other++) {
            test = *shrinking->best;
            cut(&test, other, 1);
            cut(&test, one, 1);
            if (try(shrinking, &test)) return true;
        }
    return false;
}

/* Without what one export has made, and all that is done to it, wherever it goes. */
static void cut_life(const struct adi_program *from, size_t at, struct adi_program *to) {
    unsigned slots = 1u << from->steps[at].slot; /* bits: where it lies */
    to->n = 0;
    for (size_t i = 0; i < from->n; i++) {
        const struct adi_step *step = &from->steps[i];
        const bool is_switch = step->operation == ADI_DO_release_elsewhere;
        const bool has_to = adi_step_has(step, 'T'), puts = adi_life_puts(step->operation);
        const unsigned slot = 1u << step->slot, other = has_to ? 1u << step->to : 0;
        if (i > at && !is_switch && !puts && (slots & slot)) {
            slots |= other;
            if (step->operation == ADI_DO_move || step->operation == ADI_DO_relay ||
                step->operation == ADI_DO_stream_relay)
                slots &= ~slot;
            continue;
        }
        if (i == at) continue;
        if (i > at && !is_switch) slots &= ~(puts ? slot : other); /* something else lies there */
        to->steps[to->n++] = *step;
    }
}

static bool delete_lives(struct shrinking *shrinking) {
    static struct adi_program test;
    bool any = false;
    for (size_t at = 0; at < shrinking->best->n;) {
        bool shown = false;
        if (adi_life_puts(shrinking->best->steps[at].operation)) {
            cut_life(shrinking->best, at, &test);
            shown = test.n + 1 < shrinking->best->n && try(shrinking, &test);
        }
        any = any || shown;
        at += !shown;
    }
    return any;
}

/* Exchanges two numbers from step `at` on. Does either occur there? */
static bool exchange(struct adi_program *program, size_t at, int one, int other) {
    bool any = false;
    for (size_t i = at; i < program->n; i++) {
        struct adi_step *step = &program->steps[i];
        int *slots[] = {&step->slot, &step->to};
        if (step->operation == ADI_DO_release_elsewhere) continue;
        for (int k = 0; k < (adi_step_has(step, 'T') ? 2 : 1); k++) {
            any = any || *slots[k] == one || *slots[k] == other;
            *slots[k] = *slots[k] == one ? other : *slots[k] == other ? one : *slots[k];
        }
    }
    return any;
}

/* What was moved stays where it is. */
static bool stay(struct shrinking *shrinking, size_t at) {
    static struct adi_program test;
    test = *shrinking->best;
    struct adi_step step = test.steps[at];
    if (step.operation != ADI_DO_move) return false;
    cut(&test, at, 1);
    exchange(&test, at, step.slot, step.to);
    return try(shrinking, &test);
}

static bool drop_moves(struct shrinking *shrinking) {
    bool any = false;
    for (size_t at = 0; at < shrinking->best->n;)
        if (stay(shrinking, at))
            any = true;
        else
            at++;
    return any;
}

static bool rename_slot(struct shrinking *shrinking, int from, int to) {
    static struct adi_program test;
    test = *shrinking->best;
    return exchange(&test, 0, from, to) && try(shrinking, &test);
}

static bool smaller_child(struct shrinking *shrinking) {
    static struct adi_program test;
    bool any = false;
    for (size_t i = 0; i < shrinking->best->n; i++) {
        test = *shrinking->best;
        if (test.steps[i].child == 0) continue;
        test.steps[i].child--;
        any = try(shrinking, &test) || any;
    }
    return any;
}

/* The operand that is read next in the program: the k-th of all; -1: there are no more. */
static int slot_at(const struct adi_program *program, size_t k) {
    for (size_t i = 0; i < program->n; i++) {
        const struct adi_step *step = &program->steps[i];
        if (step->operation == ADI_DO_release_elsewhere) continue;
        if (k-- == 0) return step->slot;
        if (adi_step_has(step, 'T') && k-- == 0) return step->to;
    }
    return -1;
}

/* Slots in the order in which they are first used. */
static void number_slots(struct shrinking *shrinking) {
    int seen = 0, slot; /* those below are in their order */
    for (size_t k = 0; (slot = slot_at(shrinking->best, k)) >= 0; k++)
        if (slot == seen || (slot > seen && rename_slot(shrinking, slot, seen))) seen++;
}

static void simplify(struct shrinking *shrinking) {
    number_slots(shrinking);
    smaller_child(shrinking);
}

void adi_shrink(struct adi_program *program,
                bool (*shows)(void *context, const struct adi_program *program), void *context) {
    struct shrinking shrinking = {.best = program, .shows = shows, .context = context};
    while (delete_lives(&shrinking) || delete_ranges(&shrinking) || delete_pairs(&shrinking) ||
           drop_moves(&shrinking))
        continue;
    simplify(&shrinking);
}
