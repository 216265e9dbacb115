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
#include "sample.h"

#define ADI_EMIT_LINES            40 /* of the file, at most */
#define ADI_EMIT_LINES_OF_STREAMS 72 /* of one with streams */

/* Writes it to `out`. `words` is what replays it ("cpu struct e0 x0"); the arrays are of the type
 * `schema`. Steps behind the first that is illegal are left out. E2BIG: it has more steps than fit
 * into so many lines; ENOTSUP: it is about another kind than arrays and streams; then nothing was
 * written. */
int adi_emit_c(const struct adi_program *program, const struct ArrowSchema *schema,
               const char *words, FILE *out, struct adi_error *error);

/* The same with an implementation in it, which is reached by the functions of adapter.h alone, on
 * the CPU. */
struct adi_emit {
    const struct adi_program *program;  /* legal */
    const struct adi_sample_type *type; /* the sample, which is written down whole */
    const struct adi_sample_shape *shape;
    uint64_t seed;
    const char *words;   /* what replays it */
    const char *library; /* the adapter's path */
    const char *as;      /* "producer", "stream-relay": adi_role_name_at */
};

/* Writes a program that exits with 0 where all that is released, moved and read keeps the life
 * cycle; that fails an assertion, or faults, where it does not; and that exits with 2 where the
 * implementation refuses. */
int adi_emit_c_adapter(const struct adi_emit *emit, FILE *out, struct adi_error *error);

#endif /* ADI_EMIT_H */
