/* SPDX-License-Identifier: Apache-2.0
 *
 * What a shape asks of a sample: one plan a row of sample_shapes.def, read by the files that build
 * the schema and the array. What a plan leaves out is zero and means the ordinary way.
 */
#ifndef ADI_SAMPLE_PLAN_H
#define ADI_SAMPLE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

/* What a type has to offer before a shape of it means anything. Bits; anywhere in the type unless
 * it says root. */
enum adi_sample_feature {
    ADI_HAS_BUFFERS = 1,
    ADI_HAS_BITMAP = 2,  /* a nullable field of a layout with a validity bitmap */
    ADI_HAS_OFFSETS = 4, /* binary or list: length + 1 offsets */
    ADI_HAS_TEXT = 8,    /* binary or view */
    ADI_HAS_VIEWS = 16,
    ADI_HAS_LISTS = 32, /* list, map or list view: items of any number */
    ADI_HAS_LIST_VIEWS = 64,
    ADI_HAS_DICTIONARY = 128,
    ADI_HAS_CHILDREN = 256,    /* the root */
    ADI_HAS_COLUMNS = 512,     /* the root is a struct with children */
    ADI_HAS_NO_COLUMNS = 1024, /* the root is a struct without children */
    ADI_NESTS = 2048,          /* the root can hold itself */
    ADI_NESTS_DEEP = 4096,     /* the same, sixty times over, without growing too large */
    ADI_TYPICAL = 8192,        /* stands for its kind: the oddities that do not depend on the type
                                  are tried with these types only */
};

enum adi_sample_nulls {
    ADI_NULLS_ABSENT, /* none, and no bitmap */
    ADI_NULLS_NONE,   /* none, and a bitmap that says so */
    ADI_NULLS_SOME,
    ADI_NULLS_ALL,
};

enum adi_sample_text {
    ADI_TEXT_MIXED, /* lengths from 0 to 31 */
    ADI_TEXT_SHORT, /* at most 12 bytes: what fits into a view */
    ADI_TEXT_EMPTY,
    ADI_TEXT_ZEROS, /* with embedded zero bytes */
};

enum adi_sample_lists {
    ADI_LISTS_IN_ORDER,
    ADI_LISTS_EMPTY,
    /* of list views only */
    ADI_LISTS_REVERSED,
    ADI_LISTS_OVERLAPPING,
    ADI_LISTS_GAPS,
};

enum adi_sample_padding {
    ADI_PADDING_ZERO,    /* zeros up to a multiple of 64 bytes */
    ADI_PADDING_NONE,    /* the buffer ends with its last value */
    ADI_PADDING_GARBAGE, /* 64 bytes of garbage, and every unused bit of a bitmap set */
};

enum adi_sample_names {
    ADI_NAMES_USUAL,
    ADI_NAMES_NULL,
    ADI_NAMES_EMPTY,
    ADI_NAMES_SAME,
    ADI_NAMES_UTF8,
};

enum adi_sample_metadata {
    ADI_METADATA_NONE,
    ADI_METADATA_BINARY,
    ADI_METADATA_EMPTY, /* pairs of empty keys and empty values */
    ADI_METADATA_ROOT,  /* as BINARY, of the root alone */
};

struct adi_sample_plan {
    unsigned needs; /* bits of enum adi_sample_feature: the type must have them all */

    int64_t length, offset;    /* of the root */
    int64_t child_offset;      /* of each child, at any depth */
    int64_t child_extra;       /* values of each child behind what its parent needs */
    int64_t dictionary_offset; /* of each dictionary */
    int64_t first_offset;      /* what the first offset of binary and list is */

    enum adi_sample_nulls nulls;            /* of all nullable fields outside dictionaries */
    enum adi_sample_nulls dictionary_nulls; /* and inside */
    bool null_count_unknown;

    enum adi_sample_text text;
    enum adi_sample_lists lists;
    int64_t variadic;     /* data buffers of a view that has long values; 0: one */
    bool variadic_hole;   /* the first of them is NULL and of length 0 */
    bool offsets_omitted; /* length 0: NULL in place of the one offset */
    bool empty_kept;      /* buffers of 0 bytes are there, not NULL */
    bool unaligned;
    enum adi_sample_padding padding;

    int64_t depth; /* how often the root holds itself, itself included; 0: once */
    int64_t width; /* columns of the root; 0: as many as the type has */
    enum adi_sample_names names;
    enum adi_sample_metadata metadata;
    bool non_nullable;
    bool batch; /* the root is a record batch: no nulls of its own */
};

#endif /* ADI_SAMPLE_PLAN_H */
