/* SPDX-License-Identifier: Apache-2.0
 *
 * What devices/vpi_model.c needs of IEEE 1800, clause 38 (vpi_user.h) and annex I (svdpi.h), which
 * come with simulators only. Types and values are those of the standard, names are ours, so that
 * its headers may be included too.
 */
#ifndef ADI_API_VPI_H
#define ADI_API_VPI_H

#include <stdint.h>

typedef uint32_t *adi_vpi_handle; /* vpiHandle */

struct adi_vpi_word { /* s_vpi_vecval */
    uint32_t aval, bval;
};

struct adi_vpi_value { /* s_vpi_value */
    int32_t format;
    union {
        char *str;
        int32_t integer;
        double real;
        struct adi_vpi_word *vector;
    } value;
};

enum {
    ADI_VPI_SIZE = 4,       /* vpiSize */
    ADI_VPI_VECTOR_VAL = 9, /* vpiVectorVal */
    ADI_VPI_NO_DELAY = 1,   /* vpiNoDelay */
};

#endif /* ADI_API_VPI_H */
