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
    for (size_t i = 0; i < replay->program.n; i++)
        if (adi_step_pends(&replay->program.steps[i]))
            return adi_usage(command, "--emit-c: step %zu needs an event, and cpu has none", i + 1);
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
        return adi_usage(command,
                         "--adapter: say --as what: producer, consumer, relay or stream-producer");
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

/* What puts something there that the operation can be done to. */
static const char *export_of(enum adi_life_operation operation, char word[ADI_STEP_TEXT],
                             int slot) {
    enum adi_life_kind kind = adi_life_kind_of_operation(operation);
    struct adi_step step = {.operation = ADI_DO_export, .slot = slot};
    for (enum adi_life_operation o = ADI_LIFE_OPERATIONS; o-- > 0;)
        if (adi_life_kind_of_operation(o) == kind && adi_life_puts(o)) step.operation = o;
    return adi_step_text(&step, word);
}

/* What nothing was ever put into has no state that a rule could be about. Nor has it a child: to
 * move that is to do nothing. */
static int expect_filled(const struct adi_command *command, const struct adi_program *program) {
    bool filled[ADI_PROGRAM_SLOTS] = {false};
    char word[ADI_STEP_TEXT], other[ADI_STEP_TEXT];
    for (size_t i = 0; i < program->n; i++) {
        const struct adi_step *step = &program->steps[i];
        bool exports = adi_life_puts(step->operation);
        bool of_child = adi_step_has(step, 'C') || step->operation == ADI_DO_move_dictionary;
        if (adi_step_has(step, 'S') && !exports && !of_child && !filled[step->slot])
            return adi_usage(command,
                             "step %zu, %s: nothing was put into slot %d before; %s exports to it",
                             i + 1, adi_step_text(step, word), step->slot,
                             export_of(step->operation, other, step->slot));
        if (exports) filled[step->slot] = true;
        if (adi_step_has(step, 'T')) filled[step->to] |= filled[step->slot];
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
    ADI_TRY(expect_filled(command, &replay->program));
    ADI_TRY(read_schema(command, replay));
    int status = replay->role == 0 ? 0 : expect_legal(command, replay);
    if (status == 0 && replay->role != 0 && replay->emit_c)
        status = expect_emitted(command, replay);
    if (status != 0) adi_schema_release(&replay->schema);
    return status;
}
