/* SPDX-License-Identifier: Apache-2.0
 *
 * A program of operations as a program in C: a file that needs libc and no harness, with a little
 * producer of its own that insists on the contract. Played legally it exits with 0; the first step
 * that is illegal fails an assertion, or faults.
 */
#ifndef ADI_EMIT_H
#define ADI_EMIT_H

#include <stdio.h>

#include "model.h"

#define ADI_EMIT_LINES 40 /* of the file, at most */

/* Writes it to `out`. `words` is what replays it ("cpu struct e0 x0"); the arrays are of the type
 * `schema`. Steps behind the first that is illegal are left out. E2BIG: it has more steps than fit
 * into so many lines, and nothing was written. */
int adi_emit_c(const struct adi_program *program, const struct ArrowSchema *schema,
               const char *words, FILE *out);

#endif /* ADI_EMIT_H */
