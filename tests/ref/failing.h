/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that runs out when told to: malloc and its kin as they are called from our own objects
 * (the linker's --wrap), counted while a count is open. One thread.
 */
#ifndef ADI_TESTS_FAILING_H
#define ADI_TESTS_FAILING_H

#include <stdbool.h>

struct failing {
    int calls; /* allocations since failing_at */
    int live;  /* what was allocated since failing_open and not freed */
    bool has_failed;
};

/* Begins to count. Nothing fails yet. */
void failing_open(void);
/* From here on the `n`-th allocation (from 1) fails, once; 0: none does. */
void failing_at(int n);
/* Ends it, and says what was counted. */
struct failing failing_close(void);
struct failing failing_now(void);

#endif /* ADI_TESTS_FAILING_H */
