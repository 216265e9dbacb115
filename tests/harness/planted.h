/* SPDX-License-Identifier: Apache-2.0
 *
 * A small correct tree in reach of the test, so that one thing at a time can be planted in it: a
 * struct of 4 rows with a column of every layout.
 */
#ifndef ADI_TESTS_PLANTED_H
#define ADI_TESTS_PLANTED_H

#include <stdint.h>

#include "abi.h"
#include "device.h"

enum {
    PLANTED_INT,    /* int32, slot 1 null */
    PLANTED_TEXT,   /* utf8 */
    PLANTED_VIEW,   /* utf8_view, one variadic buffer; slots 0 and 2 inline, 1 and 3 not */
    PLANTED_LIST,   /* list<int32> */
    PLANTED_VIEWS,  /* list_view<int32> */
    PLANTED_FIXED,  /* fixed_size_list<int32, 2> */
    PLANTED_INDEX,  /* dictionary<int8, utf8> */
    PLANTED_DENSE,  /* dense_union<5: int32, 9: utf8>; nothing is of type 9, whose length is 0 */
    PLANTED_SPARSE, /* sparse_union<0: int32> */
    PLANTED_RUNS,   /* run_end_encoded<int32, int32> */
    PLANTED_MAP,    /* map<int32, int32> */
    PLANTED_NULL,   /* null */
    PLANTED_STAMP,  /* timestamp[us, UTC], an extension type */
    PLANTED_COLUMNS
};

/* A schema and its array, with room for what they point to. */
struct planted_field {
    struct ArrowSchema *schema, *schemas[PLANTED_COLUMNS];
    struct ArrowArray *array, *arrays[PLANTED_COLUMNS];
    struct ArrowSchema schema_here; /* the root's array lies in planted.array */
    struct ArrowArray array_here;
    const void *buffers[4];
};

struct planted {
    struct ArrowDeviceArray array;
    struct planted_field root, column[PLANTED_COLUMNS], items[3], words, of_dense[2], of_sparse,
        runs[2], entries, key, value;
    struct adi_device device; /* the CPU, and what reads the buffers */
    struct adi_device_ops ops;

    uint8_t bits[1];
    int32_t ints[8], text_offsets[5], word_offsets[5], offsets[5], sizes[4], starts[4], ends[2],
        dense[4], no_text[1];
    char text[8], far[24], metadata[80];
    int32_t views[16];
    int64_t lengths[1], stamps[4];
    int8_t indices[4], dense_ids[4], sparse_ids[4];
};

/* Puts the correct tree into `*planted`. Nothing in it is allocated; releasing marks it only. */
void planted_tree(struct planted *planted);

#endif /* ADI_TESTS_PLANTED_H */
