/* SPDX-License-Identifier: Apache-2.0 */
#include "cover.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Structures of one shape live alike: what matters is whether it has something to move out. */
static uint64_t key_of(const struct adi_model *model, int slots) {
    uint64_t key = 0;
    for (int i = 0; i < slots; i++) {
        const struct adi_model_slot *slot = &model->slots[i];
        bool leaf = slot->schema != NULL && slot->schema->n_children == 0 &&
                    slot->schema->dictionary == NULL;
        key = key << 16 | (uint64_t)slot->state << 12 | (uint64_t)(slot->parent + 1) << 8 |
              (uint64_t)leaf << 7 | slot->gone;
    }
    return key;
}

/* ---- what is known: a table of hashes over the states ---- */

#define BUCKETS ((size_t)1 << 16)

struct search {
    struct adi_cover *cover;
    const struct ArrowSchema *schema;
    int slots;
    unsigned operations;
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
    uint64_t key = key_of(model, search->slots);
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

static int try(struct search *search, size_t from, const struct adi_step *step, bool elsewhere) {
    struct adi_cover *cover = search->cover;
    struct adi_model model = cover->states[from].model;
    struct adi_cover_edge edge = {.step = *step, .elsewhere = elsewhere, .to = from};
    enum adi_model_verdict verdict =
        adi_model_step(&model, step, search->schema, elsewhere, &edge.rule);
    if (verdict == ADI_STEP_NOTHING) return 0;
    ADI_TRY(room((void **)(void *)&cover->edges, &cover->rows_edges, cover->n_edges,
                 sizeof *cover->edges));
    if (verdict == ADI_STEP_LEGAL)
        ADI_TRY(state_of(search, &model, from, cover->n_edges, &edge.to));
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
                   unsigned operations) {
    *cover = (struct adi_cover){0};
    struct search search = {
        .cover = cover, .schema = schema, .slots = slots, .operations = operations};
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

/* The edge by which each state comes nearer to one in which nothing is left; backwards from those,
 * round by round. */
static void find_ways_out(const struct adi_cover *cover, size_t *out) {
    bool more = true;
    for (size_t s = 0; s < cover->n_states; s++)
        out[s] = adi_model_is_clean(&cover->states[s].model) ? cover->n_edges : SIZE_MAX;
    for (size_t round = 0; more; round++) {
        more = false;
        for (size_t s = 0; s < cover->n_states; s++) {
            const struct adi_cover_state *state = &cover->states[s];
            for (size_t i = state->first; i < state->first + state->n && out[s] == SIZE_MAX; i++) {
                const struct adi_cover_edge *edge = &cover->edges[i];
                bool releases = edge->step.operation == ADI_DO_release ||
                                edge->step.operation == ADI_DO_consume;
                if (edge->rule == NULL && releases && out[edge->to] != SIZE_MAX) out[s] = i;
                more = more || out[s] != SIZE_MAX;
            }
        }
        if (round > ADI_PROGRAM_SLOTS) break; /* one slot a round */
    }
}

/* The way to the edge, the edge, and out. Marks the edges that are gone along. */
static void along(const struct adi_cover *cover, size_t from, size_t edge, const size_t *out,
                  bool *done, struct adi_program *program) {
    bool elsewhere = false;
    adi_cover_path(cover, from, program);
    for (size_t i = 0; i < program->n; i++)
        if (program->steps[i].operation == ADI_DO_release_elsewhere)
            elsewhere = program->steps[i].slot == 1;
    while (edge < cover->n_edges) {
        adi_cover_append(&cover->edges[edge], &elsewhere, program);
        done[edge] = true;
        edge = out[cover->edges[edge].to];
    }
}

int adi_cover_programs(const struct adi_cover *cover,
                       bool (*play)(void *context, const struct adi_program *program),
                       void *context) {
    static struct adi_program program;
    size_t *out = calloc(cover->n_states, sizeof *out);
    bool *done = calloc(cover->n_edges, sizeof *done), go_on = out != NULL && done != NULL;
    int code = go_on ? 0 : ENOMEM;
    if (go_on) find_ways_out(cover, out);
    for (size_t s = 0; s < cover->n_states && go_on; s++) {
        const struct adi_cover_state *state = &cover->states[s];
        for (size_t i = state->first; i < state->first + state->n && go_on; i++) {
            if (cover->edges[i].rule != NULL || done[i]) continue;
            along(cover, s, i, out, done, &program);
            go_on = play(context, &program);
        }
    }
    free(out);
    free(done);
    return code;
}
