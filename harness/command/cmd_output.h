/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that reports go to: opened before the work begins, so that a path that cannot be written is
 * said at once.
 */
#ifndef ADI_CMD_OUTPUT_H
#define ADI_CMD_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "error.h"

struct adi_output {
    const char *path; /* "-": standard output */
    FILE *file;
};

/* Opens `path` for writing and empties it. An errno value: it cannot be written. */
int adi_output_open(struct adi_output *out, const char *path, struct adi_error *error);
/* Are they the same file, or both standard output? */
bool adi_output_same(const struct adi_output *a, const struct adi_output *b);
/* Closes it; an errno value if not everything could be written since errno was set to 0. Nothing
 * happens to one that is not open. */
int adi_output_close(struct adi_output *out, struct adi_error *error);

#endif /* ADI_CMD_OUTPUT_H */
