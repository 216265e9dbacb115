/* SPDX-License-Identifier: Apache-2.0 */
#include "shrink.h"

#include <string.h>

struct shrinking {
    struct adi_program *best;
    bool (*shows)(void *context, const struct adi_program *program);
    void *context;
    size_t runs;
};

/* Takes the trial over if it shows it. */
static bool try(struct shrinking *shrinking, const struct adi_program *trial) {
    if (trial->n == 0 || shrinking->runs == ADI_SHRINK_RUNS) return false;
    shrinking->runs++;
    if (!shrinking->shows(shrinking->context, trial)) return false;
    *shrinking->best = *trial;
    return true;
}

static bool delete_range(struct shrinking *shrinking, size_t at, size_t length) {
    static struct adi_program trial;
    trial = *shrinking->best;
    memmove(&trial.steps[at], &trial.steps[at + length],
            (trial.n - at - length) * sizeof trial.steps[0]);
    trial.n -= length;
    return try(shrinking, &trial);
}

static bool delete_ranges(struct shrinking *shrinking) {
    bool any = false;
    for (size_t length = shrinking->best->n; length > 0; length /= 2)
        for (size_t at = 0; at + length <= shrinking->best->n;)
            if (delete_range(shrinking, at, length))
                any = true;
            else
                at++;
    return any;
}

/* Lets one number stand for another in the whole program. */
static bool rename_slot(struct shrinking *shrinking, int from, int to) {
    static struct adi_program trial;
    trial = *shrinking->best;
    bool any = false;
    for (size_t i = 0; i < trial.n; i++) {
        struct adi_step *step = &trial.steps[i];
        if (step->operation == ADI_DO_release_elsewhere) continue;
        int *slots[] = {&step->slot, &step->to};
        for (int k = 0; k < 2; k++) {
            if (k == 1 && !adi_step_has(step, 'T')) continue;
            any = any || *slots[k] == from;
            *slots[k] = *slots[k] == from ? to : *slots[k] == to ? from : *slots[k];
        }
    }
    return any && try(shrinking, &trial);
}

static bool smaller_child(struct shrinking *shrinking) {
    static struct adi_program trial;
    bool any = false;
    for (size_t i = 0; i < shrinking->best->n; i++) {
        trial = *shrinking->best;
        if (trial.steps[i].child == 0) continue;
        trial.steps[i].child--;
        any = try(shrinking, &trial) || any;
    }
    return any;
}

static void simplify(struct shrinking *shrinking) {
    for (int from = 1; from < ADI_PROGRAM_SLOTS; from++)
        for (int to = 0; to < from; to++)
            if (rename_slot(shrinking, from, to)) break;
    smaller_child(shrinking);
}

size_t adi_shrink(struct adi_program *program,
                  bool (*shows)(void *context, const struct adi_program *program), void *context) {
    struct shrinking shrinking = {.best = program, .shows = shows, .context = context};
    while (delete_ranges(&shrinking)) continue;
    simplify(&shrinking);
    return shrinking.runs;
}
