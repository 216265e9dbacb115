/* SPDX-License-Identifier: Apache-2.0
 *
 * life/crash, producer. Each buffer is freed twice, whatever became of children: a death in a
 * release as it comes is not told as one of a moved child, or of another thread.
 */
#include <stdlib.h>

#include "base/implementation.h"

static void (*volatile give_back)(void *) = free; /* so that no compiler sees it */

static void free_twice(void *buffer) {
    give_back(buffer);
    give_back(buffer);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.buffer_free = free_twice;
}
