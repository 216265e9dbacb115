/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of known deviations from text, without a file.
 */
#ifndef KNOWN_LIST_H
#define KNOWN_LIST_H

#include "known.h"

/* As adi_known_read, of these bytes. */
int known_list_read(const char *text, size_t bytes, struct adi_known **out,
                    struct adi_error *error);
/* A list that is good, or the test fails. The caller frees it. */
struct adi_known *known_list_of(const char *text);

#endif /* KNOWN_LIST_H */
