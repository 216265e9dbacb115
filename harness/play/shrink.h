/* SPDX-License-Identifier: Apache-2.0
 *
 * The shortest program that still shows something.
 */
#ifndef ADI_SHRINK_H
#define ADI_SHRINK_H

#include "program.h"

/* Makes the program shorter, then simpler, as long as `shows` says that it still shows it: ranges
 * of steps are left out, long ones first, what is moved stays where it is, then operands are made
 * smaller. `shows` is not asked about the program itself. */
void adi_shrink(struct adi_program *program,
                bool (*shows)(void *context, const struct adi_program *program), void *context);

#endif /* ADI_SHRINK_H */
