/* SPDX-License-Identifier: Apache-2.0
 *
 * A sample that is somebody's own: what an implementation exports that makes its data itself, and
 * takes none. There is one at a time in a process: type "own", shape "own"; every seed gives the
 * same values. Of a stream it is several arrays of one schema, or none.
 */
#ifndef ADI_SAMPLE_OWN_H
#define ADI_SAMPLE_OWN_H

#include <stdbool.h>

#include "abi.h"
#include "device.h"
#include "sample.h"

/* The arrays, on the CPU, are the sample from now on; all stay the caller's, as does the device,
 * and live until another call. A schema that is NULL: there is none. One thread. */
void adi_sample_own_set(struct adi_device *cpu, const struct ArrowSchema *schema,
                        const struct ArrowArray *arrays, size_t n_arrays);

/* Behind the arrays it fails with this code, or in place of its schema; until another sample is
 * set. An error is as much a part of a stream as its chunks are. */
void adi_sample_own_fails(int code, bool of_schema);
/* That code; 0: it does not fail. */
int adi_sample_own_failure(bool of_schema);

/* Behind the arrays it goes on, nobody knows with what, nor whether it has an end; until another
 * sample is set. */
void adi_sample_own_goes_on(void);
bool adi_sample_own_is_open(void);

/* The same whether there is one or not. */
const struct adi_sample_type *adi_sample_own_type(void);
const struct adi_sample_shape *adi_sample_own_shape(void);

/* How many arrays there are. */
size_t adi_sample_own_count(void);
/* A copy of array `which`, with the schema unless `schema_out` is NULL. EINVAL: there is none. */
int adi_sample_own_chunk(size_t which, struct ArrowSchema *schema_out, struct ArrowArray *host_out,
                         struct adi_error *error);
/* A copy of the schema alone. */
int adi_sample_own_schema(struct ArrowSchema *schema_out, struct adi_error *error);
/* A copy of the first, as adi_sample makes one. EINVAL: there is no such sample. */
int adi_sample_own(struct ArrowSchema *schema_out, struct ArrowArray *host_out,
                   struct adi_error *error);

#endif /* ADI_SAMPLE_OWN_H */
