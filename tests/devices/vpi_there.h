/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ADI_TESTS_VPI_THERE_H
#define ADI_TESTS_VPI_THERE_H

#include <stdbool.h>

/* Is the model to be tested? Without Verilator it is not, and that is said. Looks in a process of
 * its own: the tests load the model themselves, with an environment of their own. */
bool vpi_is_there(const char *suite);

#endif /* ADI_TESTS_VPI_THERE_H */
