/* SPDX-License-Identifier: Apache-2.0
 *
 * The findings of the last run, for `adicheck explain --last`: a record in
 * $XDG_STATE_HOME/adicheck/last.json (by default in ~/.local/state), a row a group.
 */
#ifndef ADI_LAST_H
#define ADI_LAST_H

#include "error.h"
#include "report.h"

/* Keeps the findings of a run. Where there is no place for them nothing is kept, and nothing said.
 */
void adi_last_keep(struct adi_report *const *reports, size_t n);

/* Tells the findings of a record: what was seen, and what it broke drawn with letters. `path` NULL:
 * of the last run. `rule` a glob, NULL: all. ENOENT: there is no record; EINVAL: it is none. */
int adi_last_tell(const char *path, const char *rule, FILE *out, struct adi_error *error);

#endif /* ADI_LAST_H */
