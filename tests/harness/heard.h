/* SPDX-License-Identifier: Apache-2.0
 *
 * A sink that remembers what it heard.
 */
#ifndef ADI_TESTS_HEARD_H
#define ADI_TESTS_HEARD_H

#include "finding.h"

#define HEARD_MOST 8

struct heard {
    struct adi_sink sink; /* first */
    size_t broken, held;
    struct adi_sight findings[HEARD_MOST];
};

void heard_open(struct heard *heard);
/* Exactly one breach was heard, and it is of this rule; "" stands for none. Else the test fails
 * with what was heard. `about` names what was looked at. */
void heard_only(const struct heard *heard, const char *rule, const char *about);

#endif /* ADI_TESTS_HEARD_H */
