/* SPDX-License-Identifier: Apache-2.0
 *
 * A sink that collects what it is told.
 */
#ifndef ADI_TESTS_OBSERVED_H
#define ADI_TESTS_OBSERVED_H

#include "finding.h"

#define OBSERVED_MOST 8

struct observed {
    struct adi_sink sink; /* first */
    size_t violated, satisfied;
    struct adi_found findings[OBSERVED_MOST];
};

void observed_open(struct observed *observed);
/* Exactly one violation was reported, and it is of this rule; "" stands for none. Else the test
 * fails with what was reported. `about` names what was looked at. */
void observed_only(const struct observed *observed, const char *rule, const char *about);

#endif /* ADI_TESTS_OBSERVED_H */
