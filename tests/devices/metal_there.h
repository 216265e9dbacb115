/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADI_TESTS_METAL_THERE_H
#define ADI_TESTS_METAL_THERE_H

#include <stdbool.h>

/* Is the simulated Metal to be tested? Without libobjc4 it is not, and that is said. Looks in a
 * process of its own. */
bool metal_is_there(const char *suite);

#endif /* ADI_TESTS_METAL_THERE_H */
