/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/: files that come with the program. Any thread; false: it is not there.
 */
#ifndef ADI_INSTALLED_H
#define ADI_INSTALLED_H

#include <limits.h>
#include <stdbool.h>

/* The path of a file beside the program, where a build has it above the program, or in
 * ../lib/adicheck, where it is installed. */
bool adi_find_beside_program(const char *name, char out[PATH_MAX]);
/* The same, else seen from the library that this is in, else in LIBDIR/adicheck. */
bool adi_find_installed_file(const char *name, char out[PATH_MAX]);

#endif /* ADI_INSTALLED_H */
