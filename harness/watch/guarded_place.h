/* SPDX-License-Identifier: Apache-2.0
 *
 * What the regions of a guarded tree are called in findings: "children[1].buffers[2]".
 */
#ifndef ADI_GUARDED_PLACE_H
#define ADI_GUARDED_PLACE_H

#include <stdint.h>

#define ADI_PLACE_SIZE 96

/* "PLACE.MEMBER[I]", cut; without the index if `i` is negative. */
void adi_place_member(char out[ADI_PLACE_SIZE], const char *place, const char *member, int64_t i);
/* Child `i` of what is called `parent`, or its dictionary if `i` is negative; of a long name the
 * end. */
void adi_place_child(char out[ADI_PLACE_SIZE], const char *parent, int64_t i);

#endif /* ADI_GUARDED_PLACE_H */
