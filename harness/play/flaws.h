/* SPDX-License-Identifier: Apache-2.0
 *
 * The ways in which input can be malformed; the table is flaws.def.
 */
#ifndef ADI_FLAWS_H
#define ADI_FLAWS_H

#include <stdint.h>

struct adi_flaw {
    const char *name, *type, *what;
};

/* The row `index` of the table; NULL past its end. */
const struct adi_flaw *adi_flaw(int64_t index);

#endif /* ADI_FLAWS_H */
