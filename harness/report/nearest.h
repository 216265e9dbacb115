/* SPDX-License-Identifier: Apache-2.0
 *
 * Names and globs: which names a glob matches, and which ones somebody may have meant. A glob is
 * fnmatch's, and `*` goes past slashes.
 */
#ifndef ADI_NEAREST_H
#define ADI_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

/* A list of names, by index; NULL past its end. */
typedef const char *adi_name_at(size_t index);

/* How many single characters to insert, delete, replace or swap until `text` is matched by `glob`;
 * `*` and `?` match as in a glob. Any thread. */
size_t adi_edit_distance(const char *glob, const char *text);

#define ADI_NEAREST 3 /* names suggested at most */

/* The names nearest to `word`, best first, in `out`; returns how many. The pointers are the
 * list's. */
size_t adi_nearest(const char *word, adi_name_at *names, const char *out[ADI_NEAREST]);
/* The same as a sentence part, "; nearest: a, b"; "" if the list is empty. */
void adi_nearest_text(const char *word, adi_name_at *names, struct adi_error *out);

/* Does the glob match the name? It is a shell's, "@(one|other)" included. A NULL glob matches
 * everything. */
bool adi_glob_matches(const char *glob, const char *name);
/* Does the glob match a device by its full name ("cpu:-1") or by its type alone ("cpu")? */
bool adi_glob_matches_device(const char *glob, const char *device);
/* Could it match a device of this type, whose ids are not known? */
bool adi_glob_may_match_type(const char *glob, const char *type);
/* Does it match any name of the list? */
bool adi_glob_matches_any(const char *glob, adi_name_at *names);

/* Lists of names: rule ids, case names, device types. */
const char *adi_rule_id_at(size_t index);
const char *adi_case_name_at(size_t index);
const char *adi_device_type_name_at(size_t index);

#endif /* ADI_NEAREST_H */
