/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapter.h"
#include "cmd.h"
#include "emit.h"
#include "replay.h"

static int emit_alone(const struct adi_command *command, const struct adi_replay *replay) {
    char words[ADI_REPLAY_TEXT + 32], steps[ADI_REPLAY_TEXT], type[sizeof replay->device];
    memcpy(type, replay->device, sizeof type);
    type[strcspn(type, ":")] = '\0';
    adi_program_text(&replay->program, steps, sizeof steps);
    snprintf(words, sizeof words, "adicheck replay '%s %s %s'", type, replay->type->name, steps);
    struct adi_error error = {""};
    int code = adi_emit_c(&replay->program, &replay->schema, words, stdout, &error);
    if (code == E2BIG || code == ENOTSUP) return adi_usage(command, "--emit-c: %s", error.text);
    if (code != 0) fprintf(stderr, "adicheck replay: --emit-c: %s\n", error.text);
    return code == 0 && fflush(stdout) == 0 ? ADI_EXIT_OK : ADI_EXIT_UNDECIDED;
}

/* With an implementation in it. */
static int emit_adapter(const struct adi_command *command, const struct adi_replay *replay) {
    char words[ADI_REPLAY_TEXT + PATH_MAX], library[PATH_MAX];
    struct adi_error error = {""};
    if (realpath(replay->adapter, library) == NULL)
        return adi_usage(command, "--adapter %s: %s", replay->adapter, strerror(errno));
    snprintf(words, sizeof words, "adicheck replay --as %s --adapter %s --seed %" PRIu64 " '%s'",
             replay->as, replay->adapter, replay->seed, replay->text);
    const struct adi_emit emitted = {.program = &replay->program,
                                     .type = replay->type,
                                     .shape = replay->shape,
                                     .seed = replay->seed,
                                     .words = words,
                                     .library = library,
                                     .as = replay->as};
    int code = adi_emit_c_adapter(&emitted, stdout, &error);
    if (code != 0) fprintf(stderr, "adicheck replay: --emit-c: %s\n", error.text);
    return code == 0 ? ADI_EXIT_OK : ADI_EXIT_UNDECIDED;
}

int adi_replay_emit(const struct adi_command *command, const struct adi_replay *replay) {
    bool alone = replay->role == 0;
    return (alone ? emit_alone : emit_adapter)(command, replay);
}
