/* SPDX-License-Identifier: Apache-2.0
 *
 * Command lines, read with popt from a table of options that says what each value must be.
 */
#ifndef ADI_CMD_OPTIONS_H
#define ADI_CMD_OPTIONS_H

#include <popt.h>
#include <stddef.h>

#include "cmd.h"
#include "error.h"
#include "nearest.h"

/* Checks the text of a value and stores it in `*into`; the text lives as long as the options. An
 * errno value and a sentence that says what was wanted ("a number from 1 to 64"). */
typedef int adi_take(const char *text, void *into, struct adi_error *error);

adi_take adi_take_text;    /* const char *: anything but nothing */
adi_take adi_take_jobs;    /* int64_t */
adi_take adi_take_seed;    /* uint64_t */
adi_take adi_take_seconds; /* double */
adi_take adi_take_memory;  /* int64_t, MiB */
adi_take adi_take_flag;    /* bool; the text is NULL */

struct adi_option {
    const char *name;  /* without the dashes */
    const char *value; /* what it is called in the help: "GLOB"; NULL: a flag */
    const char *help;
    adi_take *take;
    size_t offset; /* where it goes, in the structure given to adi_options_read */
};

#define ADI_OPTIONS_MOST 32

/* What was read. The texts and `arguments` belong to `context`. */
struct adi_options {
    poptContext context;
    struct poptOption table[ADI_OPTIONS_MOST + 1];
    const char **arguments; /* what is no option; never NULL, ends in NULL */
    size_t n_arguments;
    char **texts; /* of values */
    size_t n_texts;
};

/* Reads argv into the structure `into` by the table `options` (ends in a row without a name).
 * `--help` is understood everywhere. 0: go on. -1: the help was written, exit with 0. Otherwise
 * the exit status; what is wrong was written to standard error in one line. */
int adi_options_read(struct adi_options *out, const struct adi_command *command,
                     const struct adi_option *options, int argc, const char **argv, void *into);
void adi_options_free(struct adi_options *options);

/* What a command does with what was read into `into`: the exit status. */
typedef int adi_act(const struct adi_command *command, const struct adi_options *options,
                    void *into);
/* Reads, acts, frees: the exit status. */
int adi_options_act(const struct adi_command *command, const struct adi_option *table, int argc,
                    const char **argv, void *into, adi_act *act);

/* "adicheck COMMAND: SENTENCE" on standard error; returns ADI_EXIT_USAGE. */
int adi_usage(const struct adi_command *command, const char *format, ...) ADI_PRINTF(2, 3);
/* The same of a word that is none of `names`: the nearest of them follow the sentence. */
int adi_unknown(const struct adi_command *command, const char *word, adi_name_at *names,
                const char *format, ...) ADI_PRINTF(4, 5);

#endif /* ADI_CMD_OPTIONS_H */
