/* SPDX-License-Identifier: Apache-2.0 */
#include "cover.h"

#include <errno.h>
#include <stdlib.h>

/* What may have happened to memory that is still to be read. That another release was one too many
 * shows with any type: it is told apart where there is nothing to move out, and in what a stream
 * has handed out, whose stream it may have been. */
static enum adi_memory memory_of(const struct adi_model_slot *slot, bool leaf) {
    bool readable = adi_life_edge(slot->state, ADI_DO_read)->rule == NULL;
    bool streamed = slot->maker >= ADI_MADE_BY_stream;
    bool told = readable && (leaf || streamed || slot->memory != ADI_MEMORY_OTHER_RELEASED);
    return told ? slot->memory : ADI_MEMORY_UNTOUCHED;
}

/* Structures of one shape live alike: what matters is whether it has something to move out. In
 * 32 bits. */
static uint64_t key_of_slot(const struct adi_model_slot *slot, unsigned makers) {
    bool leaf =
        slot->schema != NULL && slot->schema->n_children == 0 && slot->schema->dictionary == NULL;
    bool told = makers >> slot->maker & 1;
    /* What is called back where it lies may look for itself there; an array is read by others. */
    bool far = slot->moved && adi_life_kind_of(slot->state) != ADI_LIFE_array;
    uint64_t made =
        told ? (uint64_t)far << 4 | (uint64_t)memory_of(slot, leaf) << 2 | slot->maker : 0;
    return (uint64_t)slot->state << 16 | (uint64_t)leaf << 15 | (uint64_t)slot->to_come << 14 |
           made << 8 | slot->gone;
}

/* A child is told by what its parent is. */
static uint64_t key_with_parent(const struct adi_model *model, int i, unsigned makers) {
    int parent = model->slots[i].parent;
    uint64_t key = key_of_slot(&model->slots[i], makers);
    return parent < 0 ? key : key << 32 | key_of_slot(&model->slots[parent], makers);
}

/* Mixes one more key into those of a model. */
static uint64_t with(uint64_t all, uint64_t key) {
    all = (all ^ key) * UINT64_C(0x9e3779b97f4a7c15);
    return all ^ all >> 32;
}

static uint64_t key_of(const struct adi_model *model, int slots, unsigned makers) {
    uint64_t all = 0;
    for (int i = 0; i < slots; i++)
        all = with(all, (uint64_t)(model->slots[i].parent + 1) << 32 |
                            key_of_slot(&model->slots[i], makers));
    return all;
}

/* The same for models that differ by the numbers of their slots, which are sorted. */
static uint64_t key_alike(const struct adi_model *model, int slots, unsigned makers) {
    uint64_t keys[ADI_PROGRAM_SLOTS] = {0}, all = 0;
    for (int i = 0; i < slots; i++) {
        uint64_t key = key_with_parent(model, i, makers);
        int at = i;
        for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
        keys[at] = key;
    }
    for (int i = 0; i < slots; i++) all = with(all, keys[i]);
    return all;
}

/* Does the one kind hand out the other, or what does? */
static bool brings(enum adi_life_kind kind, enum adi_life_kind other) {
    if (adi_life_gives(kind, other)) return true;
    for (enum adi_life_kind between = 0; between < ADI_LIFE_KINDS; between++)
        if (between != kind && adi_life_gives(kind, between) && brings(between, other)) return true;
    return false;
}

uint64_t adi_cover_operations(enum adi_life_kind kind) {
    uint64_t operations = 0;
    for (enum adi_life_operation o = 0; o < ADI_LIFE_OPERATIONS; o++) {
        enum adi_life_kind of = adi_life_kind_of_operation(o);
        bool handed_out = brings(kind, of) && !adi_life_puts(o);
        if (of == kind || of == ADI_LIFE_place || handed_out) operations |= UINT64_C(1) << o;
    }
    return operations;
}

/* ---- what is known: a table of hashes over the states ---- */

#define BUCKETS ((size_t)1 << 16)

struct search {
    struct adi_cover *cover;
    const struct ArrowSchema *schema;
    int slots;
    uint64_t operations;
    unsigned makers;
    bool alike;
    size_t *buckets; /* index + 1 of a state; 0: free */
};

static size_t bucket_of(const struct search *search, uint64_t key) {
    size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 48);
    while (search->buckets[at] != 0 && search->cover->states[search->buckets[at] - 1].key != key)
        at = (at + 1) % BUCKETS;
    return at;
}

static int room(void **list, size_t *rows, size_t used, size_t size) {
    if (used < *rows) return 0;
    size_t more = *rows == 0 ? 1024 : 2 * *rows;
    void *grown = reallocarray(*list, more, size);
    if (grown == NULL) return ENOMEM;
    *list = grown;
    *rows = more;
    return 0;
}

/* The index of the state of the model, which is new or known. */
static int state_of(struct search *search, const struct adi_model *model, size_t before, size_t by,
                    size_t *index) {
    struct adi_cover *cover = search->cover;
    uint64_t key = (search->alike ? key_alike : key_of)(model, search->slots, search->makers);
    size_t at = bucket_of(search, key);
    if (search->buckets[at] == 0) {
        if (cover->n_states >= BUCKETS / 2) return ENOMEM;
        ADI_TRY(room((void **)(void *)&cover->states, &cover->rows_states, cover->n_states,
                     sizeof *cover->states));
        cover->states[cover->n_states] = (struct adi_cover_state){
            .model = *model,
            .key = key,
            .before = before,
            .by = by,
            .depth = cover->n_states == 0 ? 0 : cover->states[before].depth + 1,
        };
        search->buckets[at] = ++cover->n_states;
    }
    *index = search->buckets[at] - 1;
    return 0;
}

/* ---- searching ---- */

static bool is_within(const struct search *search, const struct adi_step *step) {
    if (step->operation == ADI_DO_release_elsewhere) return false; /* it comes with the releases */
    if (!(search->operations >> step->operation & 1)) return false;
    return step->slot < search->slots && step->to < search->slots &&
           step->child < ADI_COVER_CHILDREN;
}

/* Does an edge with the same operation, done to the same, lead to the same state already? */
static bool is_known(const struct search *search, size_t from, const struct adi_cover_edge *edge) {
    const struct adi_cover *cover = search->cover;
    const struct adi_cover_state *state = &cover->states[from];
    uint64_t key = key_with_parent(&state->model, edge->step.slot, search->makers);
    for (size_t i = state->first; i < state->first + state->n; i++) {
        const struct adi_cover_edge *other = &cover->edges[i];
        if (other->step.operation == edge->step.operation && other->to == edge->to &&
            other->step.child == edge->step.child && other->elsewhere == edge->elsewhere &&
            other->rule == edge->rule &&
            key_with_parent(&state->model, other->step.slot, search->makers) == key)
            return true;
    }
    return false;
}

static int try(struct search *search, size_t from, const struct adi_step *step, bool elsewhere) {
    struct adi_cover *cover = search->cover;
    struct adi_model model = cover->states[from].model;
    struct adi_cover_edge edge = {.step = *step, .elsewhere = elsewhere, .to = from};
    enum adi_model_verdict verdict =
        adi_model_step(&model, step, search->schema, elsewhere, &edge.rule);
    if (verdict == ADI_STEP_NOTHING) return 0;
    if (search->alike && adi_step_is_open(&cover->states[from].model, step, &model)) return 0;
    if (verdict == ADI_STEP_LEGAL)
        ADI_TRY(state_of(search, &model, from, cover->n_edges, &edge.to));
    if (search->alike && is_known(search, from, &edge)) return 0;
    ADI_TRY(room((void **)(void *)&cover->edges, &cover->rows_edges, cover->n_edges,
                 sizeof *cover->edges));
    cover->n_legal += verdict == ADI_STEP_LEGAL;
    cover->n_illegal += verdict == ADI_STEP_ILLEGAL;
    cover->edges[cover->n_edges++] = edge;
    cover->states[from].n++;
    return 0;
}

static int search_all(struct search *search) {
    struct adi_cover *cover = search->cover;
    struct adi_model empty;
    size_t start;
    adi_model_init(&empty);
    ADI_TRY(state_of(search, &empty, 0, 0, &start));
    for (size_t from = 0; from < cover->n_states; from++) {
        cover->states[from].first = cover->n_edges;
        for (size_t i = 0; i < adi_step_count(); i++) {
            struct adi_step step = adi_step_at(i);
            if (!is_within(search, &step)) continue;
            ADI_TRY(try(search, from, &step, false));
            if (step.operation == ADI_DO_release) ADI_TRY(try(search, from, &step, true));
        }
    }
    return 0;
}

int adi_cover_open(struct adi_cover *cover, const struct ArrowSchema *schema, int slots,
                   uint64_t operations, unsigned makers, bool alike) {
    *cover = (struct adi_cover){.schema = schema, .makers = makers};
    struct search search = {.cover = cover,
                            .schema = schema,
                            .slots = slots,
                            .operations = operations,
                            .makers = makers,
                            .alike = alike};
    search.buckets = calloc(BUCKETS, sizeof *search.buckets);
    int code = search.buckets == NULL ? ENOMEM : search_all(&search);
    free(search.buckets);
    if (code != 0) adi_cover_free(cover);
    return code;
}

void adi_cover_free(struct adi_cover *cover) {
    free(cover->states);
    free(cover->edges);
    *cover = (struct adi_cover){0};
}

/* ---- programs ---- */

void adi_cover_append(const struct adi_cover_edge *edge, bool *elsewhere,
                      struct adi_program *program) {
    bool releases = edge->step.operation == ADI_DO_release;
    if (program->n + 2 > ADI_PROGRAM_STEPS) return;
    if (releases && edge->elsewhere != *elsewhere) {
        *elsewhere = edge->elsewhere;
        program->steps[program->n++] =
            (struct adi_step){.operation = ADI_DO_release_elsewhere, .slot = *elsewhere};
    }
    program->steps[program->n++] = edge->step;
}

void adi_cover_path(const struct adi_cover *cover, size_t state, struct adi_program *out) {
    size_t way[ADI_PROGRAM_STEPS], n = 0;
    bool elsewhere = false;
    for (size_t at = state; cover->states[at].depth > 0 && n < ADI_PROGRAM_STEPS;
         at = cover->states[at].before)
        way[n++] = cover->states[at].by;
    out->n = 0;
    while (n > 0) adi_cover_append(&cover->edges[way[--n]], &elsewhere, out);
}

/* ---- programs along each edge ---- */

/* The way to the edge, the edge, and all that is left released. */
static void along(const struct adi_cover *cover, size_t from, const struct adi_cover_edge *edge,
                  struct adi_program *program) {
    bool elsewhere = false;
    adi_cover_path(cover, from, program);
    for (size_t i = 0; i < program->n; i++)
        if (program->steps[i].operation == ADI_DO_release_elsewhere)
            elsewhere = program->steps[i].slot == 1;
    adi_cover_append(edge, &elsewhere, program);
    adi_program_end(program, cover->schema);
}

static size_t count_exports(const struct adi_program *program) {
    size_t n = 0;
    for (size_t i = 0; i < program->n; i++) n += adi_life_puts(program->steps[i].operation);
    return n;
}

/* Is it an operation that is asked for, or done to what a maker that is told apart has made? */
static bool concerns(const struct adi_cover *cover, const struct adi_cover_state *state,
                     const struct adi_cover_edge *edge, uint64_t operations) {
    const struct adi_model_slot *slot = &state->model.slots[edge->step.slot];
    return operations >> edge->step.operation & 1 ||
           (!adi_life_is_free(slot->state) && cover->makers >> slot->maker & 1);
}

/* Those of one export, or those of more. */
static bool play_some(const struct adi_cover *cover, uint64_t operations, bool more,
                      bool (*play)(void *context, const struct adi_program *program),
                      void *context) {
    struct adi_program program;
    for (size_t s = 0; s < cover->n_states; s++) {
        const struct adi_cover_state *state = &cover->states[s];
        for (size_t i = state->first; i < state->first + state->n; i++) {
            if (cover->edges[i].rule != NULL ||
                !concerns(cover, state, &cover->edges[i], operations))
                continue;
            along(cover, s, &cover->edges[i], &program);
            if ((count_exports(&program) > 1) == more && !play(context, &program)) return false;
        }
    }
    return true;
}

void adi_cover_programs(const struct adi_cover *cover, uint64_t operations,
                        bool (*play)(void *context, const struct adi_program *program),
                        void *context) {
    if (play_some(cover, operations, false, play, context))
        play_some(cover, operations, true, play, context);
}
