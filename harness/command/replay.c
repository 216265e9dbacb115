/* SPDX-License-Identifier: Apache-2.0 */
#include "replay.h"

#include <stdio.h>
#include <string.h>

#include "adapter_load.h"
#include "cmd.h"
#include "device_types.h"
#include "devices.h"
#include "move.h"

static const char *type_name_at(size_t index) {
    const struct adi_sample_type *type = adi_sample_type(index);
    return type == NULL ? NULL : type->name;
}

static const char *shape_name_at(size_t index) {
    const struct adi_sample_shape *shape = adi_sample_shape(index);
    return shape == NULL ? NULL : shape->name;
}

static int unknown(const struct adi_command *command, const char *what, const char *word,
                   adi_name_at *names) {
    return adi_unknown(command, word, names, "no %s is named %s", what, word);
}

/* Which of them are there is seen when it is played. An adapter may bring others. */
static int read_device(const struct adi_command *command, const struct adi_replay *replay) {
    char type[sizeof replay->device];
    memcpy(type, replay->device, sizeof type);
    type[strcspn(type, ":")] = '\0';
    if (adi_device_type_named(type) == NULL)
        return unknown(command, "device type", type, adi_device_type_name_at);
    if (adi_device_named(type) == NULL && replay->adapter == NULL)
        return adi_usage(command, "this build has no device %s; `adicheck devices` lists them",
                         type);
    return 0;
}

static int read_sample(const struct adi_command *command, char *word, struct adi_replay *replay) {
    char *slash = strchr(word, '/');
    if (slash != NULL) *slash = '\0';
    const char *shape = slash == NULL ? "many" : slash + 1;
    replay->type = adi_sample_type_named(word);
    replay->shape = adi_sample_shape_named(shape);
    if (replay->type == NULL) return unknown(command, "type", word, type_name_at);
    if (replay->shape == NULL) return unknown(command, "shape", shape, shape_name_at);
    if (adi_sample_exists(replay->type, replay->shape)) return 0;
    return adi_usage(command, "there is no sample %s/%s", word, shape);
}

/* A program in C that reaches an implementation. */
static int expect_emitted(const struct adi_command *command, const struct adi_replay *replay) {
    if (strcmp(replay->device, "cpu") != 0 && strcmp(replay->device, "cpu:-1") != 0)
        return adi_usage(command,
                         "--emit-c writes programs with an implementation for the CPU alone; "
                         "for %s leave out --as and --adapter, or leave out --emit-c",
                         replay->device);
    if (replay->role & ADI_ARRAY_STREAMS)
        return adi_usage(command, "--emit-c writes no programs of ArrowArrayStreams");
    for (size_t i = 0; i < replay->program.n; i++)
        if (adi_step_pends(&replay->program.steps[i]))
            return adi_usage(command, "--emit-c: step %zu needs an event, and cpu has none", i + 1);
    if (adi_program_is_open(&replay->program, &replay->schema))
        return adi_usage(command, "--emit-c: a stream ends before its task is extracted "
                                  "(docs/ambiguities.md, 18), or there are two asynchronous "
                                  "streams at once: an implementation need not put up with that");
    return 0;
}

/* All arguments are one text, so that quotes may be left out. */
static int join(const struct adi_command *command, const struct adi_options *options,
                struct adi_replay *replay) {
    size_t used = 0;
    for (size_t i = 0; i < options->n_arguments; i++) {
        int length = snprintf(replay->text + used, ADI_REPLAY_TEXT - used, "%s%s", i > 0 ? " " : "",
                              options->arguments[i]);
        used += (size_t)length;
        if (used >= ADI_REPLAY_TEXT)
            return adi_usage(command, "the program has more than %d characters",
                             ADI_REPLAY_TEXT - 1);
    }
    return 0;
}

static int read_part(const struct adi_command *command, struct adi_replay *replay) {
    struct adi_error error;
    if (replay->adapter != NULL && replay->as == NULL)
        return adi_usage(command, "--adapter: say --as what: producer, consumer or relay; "
                                  "stream-producer, stream-consumer or stream-relay; "
                                  "async-producer");
    if (replay->adapter != NULL && adi_adapter_look(replay->adapter, &error) != 0)
        return adi_usage(command, "--adapter: %s", error.text);
    if (replay->as == NULL) return 0;
    if (replay->emit_c && replay->adapter == NULL)
        return adi_usage(command, "--emit-c: the reference is no library that the program could "
                                  "reach; say --adapter, or leave out --as");
    for (size_t i = 0; adi_role_name_at(i) != NULL; i++)
        if (strcmp(adi_role_name_at(i), replay->as) == 0) replay->role = adi_role_at(i);
    return replay->role == 0 ? unknown(command, "part", replay->as, adi_role_name_at) : 0;
}

/* An implementation is not to be blamed for what others break. */
static int expect_legal(const struct adi_command *command, const struct adi_replay *replay) {
    const char *rule;
    size_t at;
    char word[ADI_STEP_TEXT];
    if (adi_program_is_legal(&replay->program, &replay->schema, &at, &rule)) return 0;
    if (at == replay->program.n)
        return adi_usage(command, "--as: something is left at the end of the program (%s)", rule);
    return adi_usage(command, "--as: step %zu, %s, is not legal there (%s)", at + 1,
                     adi_step_text(&replay->program.steps[at], word),
                     rule == NULL ? "there is nothing to do it to" : rule);
}

/* A word that puts something there that the operation can be done to: an export, or what hands out
 * what nobody exports by itself. */
static const char *source_of(enum adi_life_operation operation, char word[ADI_STEP_TEXT],
                             int slot) {
    enum adi_life_kind kind = adi_life_kind_of_operation(operation);
    struct adi_step step = {.operation = ADI_DO_export, .slot = slot};
    bool found = kind == ADI_LIFE_place;
    for (enum adi_life_operation o = ADI_LIFE_OPERATIONS; o-- > 0;) {
        if (adi_life_kind_of_operation(o) != kind || !adi_life_puts(o)) continue;
        step.operation = o;
        found = true;
    }
    for (size_t i = 0; i < ADI_LIFE_STATES * (size_t)ADI_LIFE_OPERATIONS && !found; i++) {
        enum adi_life_operation o = (enum adi_life_operation)(i % ADI_LIFE_OPERATIONS);
        const struct adi_edge *edge =
            adi_life_edge((enum adi_life_state)(i / ADI_LIFE_OPERATIONS), o);
        found = edge->kind == ADI_EDGE_GIVES && adi_life_kind_of(edge->other) == kind;
        if (found) step = (struct adi_step){.operation = o, .slot = slot == 0, .to = slot};
    }
    return adi_step_text(&step, word);
}

static int refuse_empty(const struct adi_command *command, const struct adi_step *step, size_t at) {
    char word[ADI_STEP_TEXT], other[ADI_STEP_TEXT];
    return adi_usage(command, "step %zu, %s: nothing was put into slot %d before; %s does", at + 1,
                     adi_step_text(step, word), step->slot,
                     source_of(step->operation, other, step->slot));
}

static int refuse_kind(const struct adi_command *command, const struct adi_step *step, size_t at,
                       enum adi_life_state state) {
    char word[ADI_STEP_TEXT];
    enum adi_life_kind kind = adi_life_kind_of_operation(step->operation);
    return adi_usage(command, "step %zu, %s: it is about %s, and slot %d has %s", at + 1,
                     adi_step_text(step, word), adi_life_kind_what(kind), step->slot,
                     adi_life_kind_what(adi_life_kind_of(state)));
}

/* What nothing was ever put into has no state that a rule could be about; a word about another kind
 * than what is there does nothing, and what it wanted to show would pass. Behind the first illegal
 * step nothing is played. */
static int expect_filled(const struct adi_command *command, const struct adi_replay *replay) {
    bool filled[ADI_PROGRAM_SLOTS] = {false}, elsewhere = false, legal = true;
    struct adi_model model;
    adi_model_init(&model);
    for (size_t i = 0; i < replay->program.n && legal; i++) {
        const struct adi_step *step = &replay->program.steps[i];
        const enum adi_life_state state = model.slots[step->slot].state;
        const char *rule;
        if (adi_life_puts(step->operation)) filled[step->slot] = true;
        if (adi_step_has(step, 'S') && !filled[step->slot]) return refuse_empty(command, step, i);
        if (step->operation == ADI_DO_release_elsewhere) elsewhere = step->slot == 1;
        enum adi_model_verdict verdict =
            adi_model_step(&model, step, &replay->schema, elsewhere, &rule);
        bool nothing = verdict == ADI_STEP_NOTHING;
        if (nothing && !adi_life_needs_row(state, step->operation))
            return refuse_kind(command, step, i, state);
        if (adi_step_has(step, 'T') && !nothing) filled[step->to] = true;
        legal = verdict != ADI_STEP_ILLEGAL;
    }
    return 0;
}

static int read_schema(const struct adi_command *command, struct adi_replay *replay) {
    struct ArrowArray array;
    struct adi_error error;
    if (adi_sample(replay->type, replay->shape, replay->seed, &replay->schema, &array, &error) != 0)
        return adi_usage(command, "%s", error.text);
    adi_array_release(&array);
    return 0;
}

int adi_replay_read(struct adi_replay *replay, const struct adi_command *command,
                    const struct adi_options *options) {
    struct adi_error error;
    char sample[128];
    int at = 0;
    ADI_TRY(read_part(command, replay));
    ADI_TRY(join(command, options, replay));
    if (sscanf(replay->text, "%63s %127s %n", replay->device, sample, &at) != 2 || at == 0)
        return adi_usage(command, "wanted a device, a type and steps: 'cpu struct e0 m01 x1'");
    ADI_TRY(read_device(command, replay));
    ADI_TRY(read_sample(command, sample, replay));
    if (adi_program_parse(replay->text + at, &replay->program, &error) != 0)
        return adi_usage(command, "in the steps \"%s\": %s", replay->text + at, error.text);
    ADI_TRY(read_schema(command, replay));
    int status = expect_filled(command, replay);
    if (status == 0 && replay->role != 0) status = expect_legal(command, replay);
    if (status == 0 && replay->role != 0 && replay->emit_c)
        status = expect_emitted(command, replay);
    if (status != 0) adi_schema_release(&replay->schema);
    return status;
}
