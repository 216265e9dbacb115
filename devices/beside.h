/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/: files that come with the program.
 */
#ifndef ADI_BESIDE_H
#define ADI_BESIDE_H

#include <limits.h>
#include <stdbool.h>

/* The path of a file beside the program, where a build has it above the program, or in
 * ../lib/adicheck, where it is installed. false: it is not there. Any thread. */
bool adi_beside(const char *name, char out[PATH_MAX]);

#endif /* ADI_BESIDE_H */
