/* SPDX-License-Identifier: Apache-2.0
 *
 * The ways in which input can be malformed; the table is malformations.def.
 */
#ifndef ADI_MALFORMATIONS_H
#define ADI_MALFORMATIONS_H

#include <stdint.h>

struct adi_malformation {
    const char *name, *type, *what;
};

/* The row `index` of the table; NULL past its end. */
const struct adi_malformation *adi_malformation(int64_t index);

#endif /* ADI_MALFORMATIONS_H */
