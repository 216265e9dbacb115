/* SPDX-License-Identifier: Apache-2.0
 *
 * A finding's program over the life cycle: through which states of life/all.def its steps lead
 * the slots, and in which step it failed. The steps of a case that is no program are read as one
 * where they mean the same ("release  the parent": x0).
 */
#ifndef ADI_LIFE_PATH_H
#define ADI_LIFE_PATH_H

#include <jansson.h>

#include "program.h"
#include "report.h"

#define ADI_LIFE_PATH_STEPS 64 /* longer programs are not drawn */

struct adi_life_path {
    char sample[64]; /* TYPE/SHAPE */
    struct adi_program program;
    /* What each slot is before step i, and behind it: states[i], states[i + 1]. */
    enum adi_life_state states[ADI_LIFE_PATH_STEPS + 1][ADI_PROGRAM_SLOTS];
    size_t failed; /* index of a step; program.n: at the end; SIZE_MAX: that is not known */
};

/* false: there is none, or its steps are none of a program. */
bool adi_life_path_of(const struct adi_result *result, struct adi_life_path *out);
/* Does the step lead the slot from one state to the other, or is it done to it? */
bool adi_life_path_touches(const struct adi_life_path *path, size_t step, int slot);

/* The member `life` of a result in the record. NULL: no memory. */
json_t *adi_life_path_json(const struct adi_life_path *path);
#endif /* ADI_LIFE_PATH_H */
