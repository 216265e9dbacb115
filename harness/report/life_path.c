/* SPDX-License-Identifier: Apache-2.0 */
#include "life_path.h"

#include <stdint.h>
#include <string.h>

#include "model.h"
#include "move.h"
#include "report_json.h"
#include "sample.h"

#define HERE (-1) /* the slot that what is under test has arrived in */

/* ---- the program ---- */

/* Steps of the scenarios (play_*.c) that mean steps of a program. */
static const struct {
    const char *step, *text; /* their beginnings */
    size_t n;
    struct adi_step done[2];
    int arrives; /* in this slot; HERE: it stays */
} meanings[] = {
    {"produce", "a second", 0, {{0}}, 1},
    {"produce", "another", 0, {{0}}, HERE}, /* in no slot of the program: it is released unnamed */
    {"produce", "", 1, {{ADI_DO_export, HERE, 0, 0}}, HERE},
    {"consume", "", 2, {{ADI_DO_export, 0, 0, 0}, {ADI_DO_consume, 0, 0, 0}}, HERE},
    {"relay", "", 2, {{ADI_DO_export, 0, 0, 0}, {ADI_DO_relay, 0, 0, 1}}, 1},
    {"move", "bitwise", 1, {{ADI_DO_move, 0, 0, 1}}, 1},
    {"move", "the dictionary", 1, {{ADI_DO_move_dictionary, 0, 0, 1}}, 1},
    {"move", "child 0 ", 1, {{ADI_DO_move_child, 0, 0, 1}}, 1},
    {"move", "child 1 ", 1, {{ADI_DO_move_child, 0, 1, 1}}, 1},
    {"move", "child 2 ", 1, {{ADI_DO_move_child, 0, 2, 1}}, 1},
    {"move", "child 3 ", 1, {{ADI_DO_move_child, 0, 3, 1}}, 1},
    {"read", "", 1, {{ADI_DO_read, HERE, 0, 0}}, HERE},
    {"release", "the parent", 1, {{ADI_DO_release, 0, 0, 0}}, HERE},
    {"release", "the second", 1, {{ADI_DO_release, 1, 0, 0}}, 0},
    {"release",
     "on another",
     2,
     {{ADI_DO_release_elsewhere, 1, 0, 0}, {ADI_DO_release, HERE, 0, 0}},
     HERE},
    {"release", "", 1, {{ADI_DO_release, HERE, 0, 0}}, HERE},
    {"scribble", "", 0, {{0}}, HERE},
    {"hold", "", 0, {{0}}, HERE},
    {"compare", "", 0, {{0}}, HERE},
};

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* Appends what a step of a case does. false: it means nothing in a program. */
static bool append(const char *step, int *slot, struct adi_program *program) {
    size_t name = strcspn(step, " ");
    const char *rest = step + name + strspn(step + name, " ");
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        if (strlen(meanings[i].step) != name || !begins(step, meanings[i].step) ||
            !begins(rest, meanings[i].text))
            continue;
        for (size_t k = 0; k < meanings[i].n && program->n < ADI_PROGRAM_STEPS; k++) {
            program->steps[program->n] = meanings[i].done[k];
            if (meanings[i].done[k].slot == HERE) program->steps[program->n].slot = *slot;
            program->n++;
        }
        if (meanings[i].arrives != HERE) *slot = meanings[i].arrives;
        return true;
    }
    return false;
}

/* Of a case without a program. */
static bool read_steps(const struct adi_result *result, struct adi_life_path *out) {
    int slot = 0;
    for (size_t i = 0; i < result->n_steps; i++) {
        if (!append(result->steps[i], &slot, &out->program)) return false;
        if (i + 1 == result->step && out->program.n > 0) out->failed = out->program.n - 1;
    }
    /* A case may give back what is left without a word, behind its last read. */
    const char *step = result->step == 0 ? "" : result->steps[result->step - 1];
    if (begins(step, "read ") || begins(step, "scribble ")) out->failed = SIZE_MAX;
    if (strcmp(result->rule->id, "life/memory-leaked") == 0) out->failed = out->program.n;
    return true;
}

static bool read_result(const struct adi_result *result, struct adi_life_path *out) {
    const char *slash = strchr(result->case_name, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - result->case_name) + 1;
    if (slash != NULL) length += strcspn(slash + 1, "/");
    if (length == 0 || length >= sizeof out->sample) return false;
    memcpy(out->sample, result->case_name, length);
    out->sample[length] = '\0';
    if (result->program != NULL) {
        out->program = *result->program;
        if (result->program_step > 0) out->failed = result->program_step - 1;
    } else if (result->rule == NULL || !begins(result->rule->id, "life/") ||
               !read_steps(result, out)) {
        return false;
    }
    return out->program.n > 0 && out->program.n <= ADI_LIFE_PATH_STEPS;
}

/* ---- its states ---- */

static void note(const struct adi_model *model, enum adi_life_state states[ADI_PROGRAM_SLOTS]) {
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++) states[i] = model->slots[i].state;
}

static void walk(struct adi_life_path *path, const struct ArrowSchema *schema) {
    struct adi_model model;
    bool elsewhere = false;
    adi_model_init(&model);
    note(&model, path->states[0]);
    for (size_t i = 0; i < path->program.n; i++) {
        const struct adi_step *step = &path->program.steps[i];
        const char *rule;
        if (step->operation == ADI_DO_release_elsewhere) elsewhere = step->slot == 1;
        adi_model_step(&model, step, schema, elsewhere, &rule);
        note(&model, path->states[i + 1]);
    }
}

bool adi_life_path_of(const struct adi_result *result, struct adi_life_path *out) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    char type[64];
    *out = (struct adi_life_path){.failed = SIZE_MAX};
    if (!read_result(result, out)) return false;
    const char *slash = strchr(out->sample, '/');
    if (slash == NULL) return false;
    snprintf(type, sizeof type, "%.*s", (int)(slash - out->sample), out->sample);
    const struct adi_sample_type *of = adi_sample_type_named(type);
    const struct adi_sample_shape *shape = adi_sample_shape_named(slash + 1);
    if (of == NULL || shape == NULL || !adi_sample_exists(of, shape) ||
        adi_sample(of, shape, 1, &schema, &array, NULL) != 0)
        return false;
    walk(out, &schema);
    adi_array_release(&array);
    adi_schema_release(&schema);
    if (out->failed != SIZE_MAX && out->failed > out->program.n) out->failed = SIZE_MAX;
    return true;
}

bool adi_life_path_touches(const struct adi_life_path *path, size_t step, int slot) {
    const struct adi_step *done = &path->program.steps[step];
    if (path->states[step][slot] != path->states[step + 1][slot]) return true;
    return done->operation != ADI_DO_release_elsewhere && done->slot == slot;
}

/* ---- in the record ---- */

static json_t *json_of_slots(const struct adi_life_path *path, size_t step) {
    json_t *list = json_array();
    for (int slot = 0; slot < ADI_PROGRAM_SLOTS; slot++) {
        if (!adi_life_path_touches(path, step, slot)) continue;
        adi_json_append(&list, json_pack("{s:i, s:s, s:s}", "slot", slot, "from",
                                         adi_life_state_name(path->states[step][slot]), "to",
                                         adi_life_state_name(path->states[step + 1][slot])));
    }
    return list;
}

json_t *adi_life_path_json(const struct adi_life_path *path) {
    char word[ADI_STEP_TEXT];
    json_t *life = json_object();
    json_t *steps = json_array();
    adi_json_text(&life, "sample", path->sample);
    for (size_t i = 0; i < path->program.n; i++) {
        const struct adi_step *done = &path->program.steps[i];
        adi_json_append(&steps, json_pack("{s:s, s:s, s:o}", "step", adi_step_text(done, word),
                                          "operation", adi_life_operation_name(done->operation),
                                          "slots", json_of_slots(path, i)));
    }
    adi_json_value(&life, "steps", steps);
    if (path->failed != SIZE_MAX) adi_json_number(&life, "failed", (int64_t)path->failed);
    return life;
}
