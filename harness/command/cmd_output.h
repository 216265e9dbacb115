/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that reports go to. Whether one can be written is said before the work begins; it is
 * written beside its place, under a name of its own, and renamed when it is whole. So what was
 * there stays until then, whatever ends the program. What is no regular file (a pipe, /dev/stdout),
 * and what lies where nothing can be made beside it, is opened at once and written in place.
 */
#ifndef ADI_CMD_OUTPUT_H
#define ADI_CMD_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "error.h"

struct adi_output {
    const char *path; /* as it was typed; "-": standard output. NULL: there is none */
    FILE *file;       /* NULL: nothing is written yet */
    char target[PATH_MAX], beside[PATH_MAX + 32]; /* "": it is written in place */
};

/* Is `path` one that can be written? Nothing is left there if there was nothing. An errno value and
 * why not. */
int adi_output_open(struct adi_output *out, const char *path, struct adi_error *error);
/* Are they the same file, or both standard output? */
bool adi_output_same(const struct adi_output *a, const struct adi_output *b);
/* Opens `out->file` for what is to be written now. */
int adi_output_begin(struct adi_output *out, struct adi_error *error);
/* Closes it and, if it is `whole`, puts it in its place. An errno value if not everything could be
 * written since errno was set to 0. What is not whole leaves what was there before. Nothing happens
 * to one that is not open. */
int adi_output_end(struct adi_output *out, bool whole, struct adi_error *error);

/* What could not be written has been told: nobody tries it again, or tells it twice. */
void adi_output_give_up(FILE *file);

#endif /* ADI_CMD_OUTPUT_H */
