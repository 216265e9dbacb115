/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory for the parent of the workers. A run that has none left has nothing to tell.
 */
#ifndef ADI_RUN_NEED_H
#define ADI_RUN_NEED_H

#include <stdlib.h>

/* What an allocation returned, unless that is NULL: then says so and ends the process, and with it
 * the workers. */
void *adi_need(void *memory);
/* A copy of a text. */
char *adi_need_text(const char *text);

#endif /* ADI_RUN_NEED_H */
