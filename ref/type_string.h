/* SPDX-License-Identifier: Apache-2.0
 *
 * Type strings and their descriptions, by which NumPy's array interface and the CUDA Array
 * Interface say what an item of an array is: "<f8", "|V16", "<M8[ns]". What Arrow's formats and
 * they have in common is one table. Any thread may call all of this; nothing is allocated.
 *
 * The array interface protocol, "typestr" and "descr" (numpy/numpy,
 * doc/source/reference/arrays.interface.rst at 1f90bbb55e). The unit behind m and M is in no
 * document: NumPy writes it (docs/ambiguities.md, 63).
 */
#ifndef ADI_TYPE_STRING_H
#define ADI_TYPE_STRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ADI_PUBLIC __attribute__((visibility("default")))
#else
#define ADI_PUBLIC
#endif

struct adi_type_string {
    char order;       /* '<', '>', or '|': not relevant */
    char kind;        /* one of "tbiufcmMOSUV" */
    char unit[3];     /* of m and M: "ns", "D"; "" where there is none */
    int64_t multiple; /* of m and M: 25 of "[25s]"; else 1 */
    int64_t number;   /* as it is written: bytes; of t bits, of U characters */
    int64_t bytes;    /* of an item; of t rounded up */
};

/* Parses `text` (NUL-terminated). EINVAL: it is none, and the sentence says at which byte, counted
 * from 0; or it leaves the byte order of numbers of several bytes open. */
ADI_PUBLIC int adi_type_string_parse(const char *text, struct adi_type_string *out,
                                     struct adi_error *error);

/* A part of an item, as a tuple of `descr`; a structured one has parts of its own. */
struct adi_array_field {
    const char *name;    /* "": padding, or the only part. Not NULL */
    const char *title;   /* the full name of ('full name', 'basic_name'); NULL: there is none */
    const char *typestr; /* NULL: `fields` says what it is */
    const struct adi_array_field *fields;
    size_t n_fields;
    const int64_t *shape; /* how often it is repeated; `n_dimensions` of them */
    int32_t n_dimensions; /* 0: it is there once */
};

#define ADI_ARRAY_FIELDS_DEPTH 32 /* of parts within parts */

/* Do the parts make up an item of `bytes` bytes? EINVAL and a sentence that begins with the place
 * ("descr[1].descr[0]"): a part is none, or all of them together have another size. ENOTSUP: they
 * lie deeper than ADI_ARRAY_FIELDS_DEPTH. */
ADI_PUBLIC int adi_array_fields_check(const struct adi_array_field *fields, size_t n_fields,
                                      int64_t bytes, struct adi_error *error);
/* Do they say no more than `typestr` itself: one part without a shape, of the same type string? */
ADI_PUBLIC bool adi_array_fields_say_nothing(const struct adi_array_field *fields, size_t n_fields,
                                             const char *typestr);

/* What has to be done to items to make values of Arrow of them, or the other way round. */
enum adi_type_string_needs {
    ADI_NEEDS_SWAPPING = 1, /* the bytes of each are in the other order */
    ADI_NEEDS_PACKING = 2,  /* a byte each is a bit each in Arrow */
};

#define ADI_TYPE_STRING_SIZE 32
#define ADI_FORMAT_SIZE      32

/* The format of Arrow's type that has these items, and in `*needs` what is to be done to them: 0 if
 * the memory can be used as it is. A NaT of m and M stays the number that it is
 * (docs/ambiguities.md, 63). ENOTSUP: Arrow has none, and the sentence says why. */
ADI_PUBLIC int adi_type_string_to_arrow(const struct adi_type_string *type,
                                        char format[ADI_FORMAT_SIZE], unsigned *needs,
                                        struct adi_error *error);
/* The type string, in the order of bytes of this machine, of what Arrow's `format` says. ENOTSUP:
 * there is none. */
ADI_PUBLIC int adi_type_string_from_arrow(const char *format, char text[ADI_TYPE_STRING_SIZE],
                                          unsigned *needs, struct adi_error *error);

#ifdef __cplusplus
}
#endif

#endif /* ADI_TYPE_STRING_H */
