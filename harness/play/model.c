/* SPDX-License-Identifier: Apache-2.0 */
#include "model.h"

#include <string.h>

void adi_model_init(struct adi_model *model) {
    memset(model, 0, sizeof *model);
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++)
        model->slots[i] = (struct adi_model_slot){.state = ADI_IS_empty, .parent = -1};
}

bool adi_model_is_clean(const struct adi_model *model) {
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++)
        if (!adi_life_is_free(model->slots[i].state)) return false;
    return true;
}

bool adi_step_pends(const struct adi_step *step) {
    return step->operation == ADI_DO_export_pending ||
           step->operation == ADI_DO_stream_export_pending ||
           step->operation == ADI_DO_async_begin_pending;
}

/* Which child the step is about; -1: none, it is about the slot. */
static int child_of(const struct adi_step *step) {
    if (step->operation == ADI_DO_move_dictionary) return ADI_MODEL_DICTIONARY;
    return adi_step_has(step, 'C') ? step->child : -1;
}

static const struct ArrowSchema *schema_of(const struct ArrowSchema *parent, int child) {
    if (child == ADI_MODEL_DICTIONARY) return parent->dictionary;
    return child < parent->n_children ? parent->children[child] : NULL;
}

/* A child that is gone has left a place behind that something was moved from. */
static const struct adi_edge *edge_of(const struct adi_model_slot *slot,
                                      const struct adi_step *step, bool elsewhere) {
    int child = child_of(step);
    bool gone = child >= 0 && !adi_life_is_free(slot->state) && (slot->gone & 1u << child);
    if (gone && step->operation == ADI_DO_release_child)
        return adi_life_edge(ADI_IS_moved, ADI_DO_release);
    if (gone) return adi_life_edge(ADI_IS_moved, ADI_DO_move);
    if (step->operation == ADI_DO_release && elsewhere)
        return adi_life_edge(slot->state, ADI_DO_release_elsewhere);
    return adi_life_edge(slot->state, step->operation);
}

/* What becomes of the children that stand in other slots. */
static void tell_children(struct adi_model *model, int parent, enum adi_life_operation what) {
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++) {
        struct adi_model_slot *slot = &model->slots[i];
        if (slot->parent != parent) continue;
        slot->state = adi_life_edge(slot->state, what)->to;
        if (what != ADI_DO_orphan) continue;
        slot->parent = -1;
        slot->memory = ADI_MEMORY_GIVEN_BACK;
    }
}

static void clear(struct adi_model_slot *slot, enum adi_life_state state) {
    *slot = (struct adi_model_slot){.state = state, .parent = -1};
}

static void move_whole(struct adi_model *model, const struct adi_step *step) {
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++)
        if (model->slots[i].parent == step->slot) model->slots[i].parent = step->to;
    model->slots[step->to] = model->slots[step->slot];
    model->slots[step->to].moved = true;
}

static void move_part(struct adi_model *model, const struct adi_step *step) {
    struct adi_model_slot *from = &model->slots[step->slot];
    int child = child_of(step);
    from->gone |= 1u << child;
    model->slots[step->to] = (struct adi_model_slot){
        .state = adi_life_child_of(from->state),
        .maker = from->maker,
        .parent = step->slot,
        .schema = schema_of(from->schema, child),
    };
}

/* Its maker has done something elsewhere. */
static void tell_memory(struct adi_model *model, enum adi_maker maker, enum adi_memory before,
                        enum adi_memory after) {
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++) {
        struct adi_model_slot *slot = &model->slots[i];
        if (slot->maker == maker && slot->memory == before && !adi_life_is_free(slot->state))
            slot->memory = after;
    }
}

static void make(struct adi_model *model, int slot, enum adi_maker maker) {
    tell_memory(model, maker, ADI_MEMORY_GIVEN_BACK, ADI_MEMORY_USED_AGAIN);
    model->slots[slot].maker = maker;
    model->slots[slot].memory = ADI_MEMORY_UNTOUCHED;
    model->slots[slot].moved = false;
}

static enum adi_maker handed_out_by(enum adi_maker maker) {
    return maker == ADI_MADE_BY_relay ? ADI_MADE_BY_relayed_stream : ADI_MADE_BY_stream;
}

/* What a callback hands out comes to the other slot. */
static void give(struct adi_model *model, const struct adi_step *step, enum adi_life_state state) {
    const struct adi_model_slot *from = &model->slots[step->slot];
    struct adi_model_slot *to = &model->slots[step->to];
    if (adi_life_is_free(state)) {
        clear(to, state);
        return;
    }
    *to = (struct adi_model_slot){
        .state = state == ADI_IS_live && from->to_come ? ADI_IS_pending : state,
        .parent = -1,
        .to_come = from->to_come && adi_life_hands_out(adi_life_kind_of(state)),
        .schema = from->schema,
    };
    make(model, step->to, handed_out_by(from->maker));
}

static void apply(struct adi_model *model, const struct adi_step *step, const struct adi_edge *edge,
                  const struct ArrowSchema *schema) {
    enum adi_life_state to = edge->to;
    struct adi_model_slot *slot = &model->slots[step->slot];
    bool was_free = adi_life_is_free(slot->state);
    bool ends = adi_life_hands_out(adi_life_kind_of(slot->state)) &&
                (step->operation == ADI_DO_release || to == ADI_IS_released);
    if (edge->kind == ADI_EDGE_GIVES)
        give(model, step, edge->other);
    else if (child_of(step) >= 0)
        move_part(model, step);
    else if (adi_step_has(step, 'T') && adi_life_is_free(to))
        move_whole(model, step);
    slot->state = to;
    if (was_free && !adi_life_is_free(to)) {
        slot->schema = schema;
        slot->to_come = adi_step_pends(step) && adi_life_hands_out(adi_life_kind_of(to));
        make(model, step->slot, ADI_MADE_BY_export);
    }
    if (step->operation == ADI_DO_relay || step->operation == ADI_DO_stream_relay)
        make(model, step->to, ADI_MADE_BY_relay);
    enum adi_maker maker = slot->maker;
    if (!was_free && adi_life_is_free(to)) clear(slot, to);
    if (ends)
        tell_memory(model, handed_out_by(maker), ADI_MEMORY_UNTOUCHED, ADI_MEMORY_OTHER_RELEASED);
    if (to == ADI_IS_released) {
        tell_children(model, step->slot, ADI_DO_orphan);
        tell_memory(model, maker, ADI_MEMORY_UNTOUCHED, ADI_MEMORY_OTHER_RELEASED);
    }
    if (step->operation == ADI_DO_wait && !adi_life_is_unready(to))
        tell_children(model, step->slot, ADI_DO_parent_waited);
}

enum adi_model_verdict adi_model_step(struct adi_model *model, const struct adi_step *step,
                                      const struct ArrowSchema *schema, bool elsewhere,
                                      const char **rule) {
    struct adi_model_slot *slot = &model->slots[step->slot];
    int child = child_of(step);
    if (step->operation == ADI_DO_release_elsewhere) return ADI_STEP_LEGAL;
    if (child >= 0 && schema_of(slot->schema == NULL ? schema : slot->schema, child) == NULL)
        return ADI_STEP_NOTHING;
    const struct adi_edge *edge = edge_of(slot, step, elsewhere);
    if (edge->kind == ADI_EDGE_CANNOT) return ADI_STEP_NOTHING;
    if (edge->rule == NULL && adi_step_has(step, 'T')) {
        const struct adi_edge *at = adi_life_edge(model->slots[step->to].state, ADI_DO_receive);
        if (at->rule != NULL) edge = at;
    }
    *rule = edge->rule;
    if (edge->rule != NULL) return ADI_STEP_ILLEGAL;
    apply(model, step, edge, schema);
    return ADI_STEP_LEGAL;
}

/* ---- whole programs ---- */

/* Plays it on paper. The number of steps that were legal. */
static size_t play(struct adi_model *model, const struct adi_program *program,
                   const struct ArrowSchema *schema, const char **rule) {
    bool elsewhere = false;
    adi_model_init(model);
    for (size_t i = 0; i < program->n; i++) {
        const struct adi_step *step = &program->steps[i];
        *rule = NULL;
        if (step->operation == ADI_DO_release_elsewhere) elsewhere = step->slot == 1;
        if (adi_model_step(model, step, schema, elsewhere, rule) != ADI_STEP_LEGAL) return i;
    }
    return program->n;
}

bool adi_program_is_legal(const struct adi_program *program, const struct ArrowSchema *schema,
                          size_t *at, const char **rule) {
    struct adi_model model;
    *at = play(&model, program, schema, rule);
    if (*at < program->n) return false;
    *rule = adi_model_is_clean(&model) ? NULL : "life/never-released";
    return *rule == NULL;
}

/* Does it end what is there, in that round: first what was handed out and hands out itself? */
static bool is_its_turn(const struct adi_model_slot *slot, int round) {
    const enum adi_life_kind kind = adi_life_kind_of(slot->state);
    return (adi_life_hands_out(kind) && !adi_life_is_exported(kind)) == (round == 0);
}

void adi_program_end(struct adi_program *program, const struct ArrowSchema *schema) {
    struct adi_model model;
    const char *rule;
    play(&model, program, schema, &rule);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < ADI_PROGRAM_SLOTS && program->n < ADI_PROGRAM_STEPS; i++) {
            struct adi_step step = {.operation = ADI_DO_release, .slot = i};
            if (adi_life_is_free(model.slots[i].state) || !is_its_turn(&model.slots[i], round) ||
                adi_model_step(&model, &step, schema, false, &rule) != ADI_STEP_LEGAL)
                continue;
            program->steps[program->n++] = step;
            i = -1; /* what was illegal before may be legal now */
        }
}

/* Of kinds that hand out what hands out itself: how many are there? */
static int count_pushing(const struct adi_model *model) {
    int n = 0;
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++) {
        const enum adi_life_state state = model->slots[i].state;
        for (enum adi_life_kind kind = 0; kind < ADI_LIFE_KINDS; kind++)
            n += !adi_life_is_free(state) && !adi_life_is_exported(kind) &&
                 adi_life_hands_out(kind) && adi_life_gives(adi_life_kind_of(state), kind);
    }
    return n;
}

/* Is there something of what ends that has still to hand something out? */
static bool ends_early(const struct adi_model *before, const struct adi_step *step) {
    const enum adi_life_kind ended = adi_life_kind_of(before->slots[step->slot].state);
    for (int i = 0; i < ADI_PROGRAM_SLOTS && step->operation == ADI_DO_release; i++) {
        const enum adi_life_kind kind = adi_life_kind_of(before->slots[i].state);
        if (!adi_life_is_free(before->slots[i].state) && adi_life_hands_out(kind) &&
            adi_life_gives(ended, kind))
            return true;
    }
    return false;
}

bool adi_step_is_open(const struct adi_model *before, const struct adi_step *step,
                      const struct adi_model *after) {
    return ends_early(before, step) || (adi_life_puts(step->operation) && count_pushing(after) > 1);
}

bool adi_program_is_open(const struct adi_program *program, const struct ArrowSchema *schema) {
    struct adi_model model, before;
    const char *rule;
    adi_model_init(&model);
    for (size_t i = 0; i < program->n; i++) {
        before = model;
        adi_model_step(&model, &program->steps[i], schema, false, &rule);
        if (adi_step_is_open(&before, &program->steps[i], &model)) return true;
    }
    return false;
}
