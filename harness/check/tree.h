/* SPDX-License-Identifier: Apache-2.0
 *
 * A tree as the checks see it: structures, strings and arrays of pointers copied out of memory that
 * nobody promised to be readable, so that a predicate can look at anything without a crash. Buffers
 * are copied too where a device was given and the structure is sound.
 */
#ifndef ADI_TREE_H
#define ADI_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi.h"
#include "device.h"
#include "type.h"

/* Why a structure, a string or an array of pointers was not copied. */
enum adi_unreadable {
    ADI_COPIED,
    ADI_NULL,       /* the pointer is NULL */
    ADI_UNREADABLE, /* the memory is not there, or a string has no end */
    ADI_CYCLIC,     /* the structure is its own ancestor */
    ADI_CUT,        /* too deep or too many to be looked at; no fault of the producer */
};

/* A buffer and a copy of its content. */
struct adi_bytes {
    const void *buffer; /* the buffer value as exported */
    int64_t size;       /* what the array needs; -1: unknown */
    uint8_t *data;      /* `size` bytes; NULL: not read, or nothing to read */
    char *fault; /* what the device said when it could not read `size` bytes; NULL: nothing */
};

struct adi_node {
    const struct adi_node *parent; /* NULL at the root */
    bool is_dictionary;            /* of the parent; else its child `index` */
    int64_t index;

    const struct ArrowSchema *schema_at; /* what the parent points to */
    enum adi_unreadable schema_unreadable;
    struct ArrowSchema schema; /* what is there; zero if unreadable */
    enum adi_unreadable format_unreadable, name_unreadable, schema_children_unreadable;
    char *format, *name; /* copies; NULL if unreadable */
    uint8_t *metadata;   /* a copy, `metadata_size` bytes; NULL where NULL or malformed */
    int64_t metadata_size;
    char *metadata_error; /* why it is malformed; NULL: it is not */
    struct adi_type type; /* meaningful if type_known */
    bool type_known;
    char *type_error; /* why not, where there is a format; else NULL */

    bool has_array;                    /* false: only the schema is looked at */
    const struct ArrowArray *array_at; /* what the parent points to */
    enum adi_unreadable array_unreadable;
    struct ArrowArray array; /* what is there; zero if unreadable */
    enum adi_unreadable array_children_unreadable, buffers_unreadable;
    struct ArrowDeviceArray *device_array; /* at the root: a copy; else NULL */
    int waited;       /* at the root: what waiting on sync_event came to, an errno value; 0: done,
                         or nothing to wait for */
    char *wait_error; /* and its sentence; NULL if 0 */
    struct adi_device *device; /* that the array was asked of; NULL: buffers are not read */

    int64_t n_children; /* how many nodes follow: the smaller of what schema and array have; 0 where
                           an array of pointers is unreadable */
    struct adi_node **children;  /* entries are never NULL */
    struct adi_node *dictionary; /* NULL unless schema and array (if looked at) have one */
    int64_t n_buffers;           /* entries below; 0 if the array of pointers is unreadable */
    struct adi_bytes *buffers;
};

/* Copies `bytes` bytes from memory that may not be there. EFAULT: not all of it is readable. Any
 * thread. */
int adi_safe_read(void *to, const void *from, size_t bytes);

/* Copies the trees (the schema's, and the array's if `array` is not NULL) into nodes. `device`
 * NULL: buffers are not read; else they are, after waiting on the event, if the array is on that
 * device. Trees of more than ADI_TREE_NODES nodes or ADI_TREE_DEPTH levels are cut, cycles too.
 * NULL: out of memory. The caller frees the tree. */
struct adi_node *adi_tree_copy(const struct ArrowSchema *schema,
                               const struct ArrowDeviceArray *array, struct adi_device *device);
/* Waits for the event of an array that is looked at more than once, as `wait_host` does. If that
 * comes to its limit, neither this nor a tree of the array waits once more, and ETIMEDOUT is the
 * answer, until adi_tree_wait_anew. Main thread only. */
int adi_tree_wait(struct adi_device *device, void *event, struct adi_error *error);
/* Another array is looked at. */
void adi_tree_wait_anew(void);
/* The same of what this very program has exported: structures, strings and arrays of pointers are
 * there for certain, and only of buffers it is made sure. */
struct adi_node *adi_tree_copy_own(const struct ArrowSchema *schema,
                                   const struct ArrowDeviceArray *array, struct adi_device *device);
/* The same of an array of the host, buffers and all. */
struct adi_node *adi_tree_copy_cpu(const struct ArrowSchema *schema,
                                   const struct ArrowArray *array);
void adi_tree_free(struct adi_node *root);

#define ADI_TREE_NODES 100000
#define ADI_TREE_DEPTH 1000

#endif /* ADI_TREE_H */
