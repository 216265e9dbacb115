/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs made up at random, all of them legal.
 */
#ifndef ADI_RANDOM_PROGRAM_H
#define ADI_RANDOM_PROGRAM_H

#include "model.h"
#include "sample_random.h"

/* Makes up a program of the operations whose bits are set (ADI_COVER in cover.h), over structures
 * of the type `schema`; it leaves nothing behind. */
void adi_program_random(struct adi_program *out, const struct ArrowSchema *schema,
                        uint64_t operations, struct adi_random *random);

#endif /* ADI_RANDOM_PROGRAM_H */
