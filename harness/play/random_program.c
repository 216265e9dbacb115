/* SPDX-License-Identifier: Apache-2.0 */
#include "random_program.h"

#define FEWEST 2
#define MOST   16 /* steps, before what is left is released */
#define TRIES  256

/* A legal step, any with the same odds as any other of its operation. false: none came up. */
static bool make_up(struct adi_model *model, const struct ArrowSchema *schema, uint64_t operations,
                    bool *elsewhere, struct adi_random *random, struct adi_step *out) {
    for (int i = 0; i < TRIES; i++) {
        const char *rule;
        struct adi_step step = adi_step_at(adi_random_below(random, adi_step_count()));
        bool allowed = operations >> step.operation & 1;
        if (step.operation == ADI_DO_release_elsewhere) {
            if ((step.slot == 1) == *elsewhere) continue;
            *elsewhere = step.slot == 1;
        } else if (!allowed ||
                   adi_model_step(model, &step, schema, *elsewhere, &rule) != ADI_STEP_LEGAL) {
            continue;
        }
        *out = step;
        return true;
    }
    return false;
}

void adi_program_random(struct adi_program *out, const struct ArrowSchema *schema,
                        uint64_t operations, struct adi_random *random) {
    struct adi_model model;
    bool elsewhere = false;
    size_t n = FEWEST + adi_random_below(random, MOST - FEWEST + 1);
    adi_model_init(&model);
    for (out->n = 0; out->n < n; out->n++)
        if (!make_up(&model, schema, operations, &elsewhere, random, &out->steps[out->n])) break;
    adi_program_end(out, schema);
}
