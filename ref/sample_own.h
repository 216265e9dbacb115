/* SPDX-License-Identifier: Apache-2.0
 *
 * A sample that is somebody's own: what an implementation exports that makes its data itself, and
 * takes none. There is one at a time in a process: type "own", shape "own"; every seed gives the
 * same values.
 */
#ifndef ADI_SAMPLE_OWN_H
#define ADI_SAMPLE_OWN_H

#include "abi.h"
#include "device.h"
#include "sample.h"

/* The array, on the CPU, is the sample from now on; both stay the caller's, as does the device, and
 * live until another call. NULL: there is none. One thread. */
void adi_sample_own_set(struct adi_device *cpu, const struct ArrowSchema *schema,
                        const struct ArrowArray *array);

/* The same whether there is one or not. */
const struct adi_sample_type *adi_sample_own_type(void);
const struct adi_sample_shape *adi_sample_own_shape(void);

/* A copy, as adi_sample makes one. EINVAL: there is no such sample. */
int adi_sample_own(struct ArrowSchema *schema_out, struct ArrowArray *host_out,
                   struct adi_error *error);

#endif /* ADI_SAMPLE_OWN_H */
