/* SPDX-License-Identifier: Apache-2.0
 *
 * A format string, parsed, and the physical layout that follows from it.
 * C data interface, "Data type description -- format strings"; columnar format, "Physical Memory
 * Layout".
 */
#ifndef ADI_TYPE_H
#define ADI_TYPE_H

#include "abi.h"
#include "device.h"
#include "error.h"

/* The physical layouts of the columnar format. */
enum adi_layout {
    ADI_LAYOUT_NULL,   /* no buffers */
    ADI_LAYOUT_FIXED,  /* validity, values of `bits` bits: bool, numbers, decimals, temporal, w:N */
    ADI_LAYOUT_BINARY, /* validity, offsets of `bits` bits, data */
    ADI_LAYOUT_VIEW,   /* validity, 16-byte views, variadic data buffers, int64 lengths of these */
    ADI_LAYOUT_LIST,   /* validity, offsets of `bits` bits; one child (list, large list, map) */
    ADI_LAYOUT_LIST_VIEW,    /* validity, offsets and sizes of `bits` bits; one child */
    ADI_LAYOUT_FIXED_LIST,   /* validity; one child of `size` values an item */
    ADI_LAYOUT_STRUCT,       /* validity; any number of children */
    ADI_LAYOUT_SPARSE_UNION, /* type ids */
    ADI_LAYOUT_DENSE_UNION,  /* type ids, int32 offsets */
    ADI_LAYOUT_RUN_END,      /* no buffers; children run_ends and values */
};

/* What a buffer of a layout holds. */
enum adi_buffer_role {
    ADI_BUFFER_VALIDITY,
    ADI_BUFFER_VALUES,
    ADI_BUFFER_OFFSETS, /* length + offset + 1 of them for binary and list; length + offset for
                           views and unions */
    ADI_BUFFER_SIZES,
    ADI_BUFFER_DATA,
    ADI_BUFFER_VIEWS,
    ADI_BUFFER_VARIADIC,
    ADI_BUFFER_VARIADIC_LENGTHS,
    ADI_BUFFER_TYPE_IDS,
};

#define ADI_UNION_IDS 128

struct adi_type {
    const char *name; /* static text without parameters: "int32", "timestamp", "list",
                         "fixed_size_binary" */
    enum adi_layout layout;
    int64_t bits; /* of a value (FIXED; 8 * N for w:N), of an offset (BINARY, LIST, LIST_VIEW) */
    int32_t size; /* N of w:N in bytes, N of +w:N in values */
    int32_t n_children; /* that the type must have; -1: any number (struct) */
    bool is_integer;    /* may be the index of a dictionary */
    bool is_signed;     /* of an integer */
    int32_t precision, scale;
    int32_t n_type_ids;
    int8_t type_ids[ADI_UNION_IDS]; /* as many as that, in the order of the children */
    const char *timezone; /* points into the format string; NULL where the type has none */
};

/* Parses `format` (NUL-terminated UTF-8) into `*out`, which points into `format`. EINVAL:
 * malformed; the sentence says what was expected and at which position, counted in bytes from 0. */
int adi_type_parse(const char *format, struct adi_type *out, struct adi_error *error);

/* How many buffers an array of the type has; for views this is the least number (3), and each
 * variadic buffer is one more. */
int64_t adi_type_buffers(const struct adi_type *type);

/* What buffer `index` of `n_buffers` holds. `n_buffers` matters for views only. */
enum adi_buffer_role adi_type_role(const struct adi_type *type, int64_t index, int64_t n_buffers);

/* A short word for a role: "validity", "offsets". Static text. */
const char *adi_buffer_role_name(enum adi_buffer_role role);

/* The bytes that `array` needs in buffer `index` to represent its length + offset values, in
 * `*bytes`. What depends on data (the last offset of binary, the lengths of variadic buffers) is
 * read through `device`; so the caller has waited before. `device` NULL: the buffers are host
 * memory, trusted and read directly. Variadic lengths are read by `device` and, where that answers
 * EFAULT, as host memory if it is readable: producers keep them on either side. A NULL validity
 * bitmap needs 0. The letter of the columnar format: length 0 and offset 0 need one offset in
 * binary and list, unless the buffer is NULL: then 0. EINVAL: negative or overflowing lengths, NULL
 * offsets or variadic lengths that would have to be read, or an offset or length below 0; or what
 * `device->read` answers. */
int adi_type_buffer_bytes(const struct adi_type *type, const struct ArrowArray *array,
                          int64_t index, struct adi_device *device, int64_t *bytes,
                          struct adi_error *error);

#endif /* ADI_TYPE_H */
