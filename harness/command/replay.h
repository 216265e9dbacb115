/* SPDX-License-Identifier: Apache-2.0
 *
 * The program that `adicheck replay` is asked for, read from its words.
 */
#ifndef ADI_REPLAY_H
#define ADI_REPLAY_H

#include "binding.h"
#include "cmd_options.h"
#include "model.h"
#include "sample.h"

#define ADI_REPLAY_TEXT 2048 /* all words, the NUL included */

struct adi_replay {
    /* Options. */
    const char *as, *adapter; /* NULL: nobody takes part; the reference */
    uint64_t seed;
    double timeout;
    bool emit_c;

    /* What adi_replay_read makes of them and of the words. */
    unsigned role; /* 0: nobody takes part */
    char text[ADI_REPLAY_TEXT];
    char device[64]; /* "cpu", "cuda:0" */
    const struct adi_sample_type *type;
    const struct adi_sample_shape *shape;
    struct ArrowSchema schema; /* of the sample; the replay's */
    struct adi_program program;
};

/* Reads "DEVICE TYPE[/SHAPE] STEPS". 0, and the schema is to be released; or the exit status: a
 * sentence says what is wrong. An implementation takes part in legal programs only. */
int adi_replay_read(struct adi_replay *replay, const struct adi_command *command,
                    const struct adi_options *options);

/* Writes it as a program in C, and gives the exit status (replay_emit.c). */
int adi_replay_emit(const struct adi_command *command, const struct adi_replay *replay);

#endif /* ADI_REPLAY_H */
