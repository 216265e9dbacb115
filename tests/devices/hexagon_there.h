/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADI_TESTS_HEXAGON_THERE_H
#define ADI_TESTS_HEXAGON_THERE_H

#include <stdbool.h>

/* How DSPs are run, as ADI_HEXAGON has it. Without QEMU, or clang's target, only the first. */
static const char *const hexagon_ways[] = {"sim", "real"};

/* How many of them there are to be tested: fewer than two is said. Looks in a process of its own.
 */
int hexagon_count_ways(const char *suite);

#endif /* ADI_TESTS_HEXAGON_THERE_H */
