/* SPDX-License-Identifier: Apache-2.0
 *
 * A small, correct implementation of the device data interface on the CPU, for the mutants to spoil
 * in one place each. It shares no code with ref/: judge and judged must not share mistakes. An
 * export is a deep copy, every structure, string and buffer in an allocation of its own; a relay
 * shares the imported buffers.
 *
 * A mutant defines `mutate`, which is called before the adapter is used and puts the mutant's
 * functions in place of the base's; these may call the base's.
 */
#ifndef BASE_IMPLEMENTATION_H
#define BASE_IMPLEMENTATION_H

#include <stddef.h>

#include <adapter.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What can be replaced. */
struct base {
    struct adi_adapter adapter; /* produce, consume and relay may be replaced as well */
    unsigned roles;             /* on the CPU; there are none elsewhere */
    void (*release_schema)(struct ArrowSchema *);
    void (*release_array)(struct ArrowArray *);
    void *(*buffer_alloc)(size_t bytes); /* never 0 bytes */
    void (*buffer_free)(void *buffer);   /* NULL is ignored */
    /* (optional) A last touch to what `produce` or `relay` hands out. */
    void (*exported)(struct ArrowSchema *schema, struct ArrowDeviceArray *out);
    /* (optional) A last touch to the host copy that `consume` hands out. */
    void (*copied)(struct ArrowSchema *schema, struct ArrowArray *host);
};
extern struct base base;

void mutate(void);

/* ---- the roles: what the adapter's slots hold unless a mutant replaces them ---- */

int base_produce(struct adi_adapter *, ArrowDeviceType, int64_t device_id,
                 struct ArrowSchema *schema, struct ArrowArray *host,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out);
int base_consume(struct adi_adapter *, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowArray *host_out);
int base_relay(struct adi_adapter *, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
               struct ArrowSchema *schema_out, struct ArrowDeviceArray *out);

/* The first half of base_consume: copies, and leaves both inputs to the caller to release. */
int base_read(const struct ArrowSchema *schema, const struct ArrowDeviceArray *in,
              struct ArrowSchema *schema_out, struct ArrowArray *host_out);

/* ---- structures ---- */

/* private_data of each schema: the strings that it owns. */
struct base_texts {
    char *format, *name, *metadata;
};

/* An imported array that several structures stand on. */
struct base_import;

/* private_data of each array. */
struct base_owned {
    struct base_import *import; /* the buffers are this one's; NULL: the array's own */
};

/* Deep copies; what fails leaves nothing in `to`. */
int base_schema_copy(const struct ArrowSchema *from, struct ArrowSchema *to);
int base_array_copy(const struct ArrowSchema *schema, const struct ArrowArray *from,
                    struct ArrowArray *to);
/* As base_array_copy, but for the buffers: those are the import's, and each structure of the copy
 * keeps it alive. */
int base_array_share(const struct ArrowArray *from, struct base_import *import,
                     struct ArrowArray *to);

/* The callbacks of both kinds of copies. */
void base_schema_release(struct ArrowSchema *schema);
void base_array_release(struct ArrowArray *array);

/* An import that holds nothing yet and has one keeper. NULL: out of memory. */
struct base_import *base_import_make(void);
/* Moves the array in. */
void base_import_take(struct base_import *import, struct ArrowArray *array);
/* The last keeper to let go releases what is held. Any thread. */
void base_import_let(struct base_import *import);

/* ---- layouts ---- */

/* How many bytes `array->buffers[i]` has at least; -1: the type or the number of buffers is not
 * known. */
int64_t base_buffer_bytes(const struct ArrowSchema *schema, const struct ArrowArray *array,
                          int64_t i);

/* ---- what mutants need ---- */

/* A copy of `bytes` bytes by malloc. NULL: out of memory. */
void *base_copy_bytes(const void *from, size_t bytes);
/* Moves the array to a thread of its own, which releases it then. Returns 0 or ENOMEM: it is where
 * it was. */
int base_release_late(struct ArrowArray *array, long nanoseconds);
/* The length of encoded metadata, 0 for NULL. */
size_t base_metadata_bytes(const char *metadata);

/* The planted defect shows from here on, in this run: a line goes to the file that ADI_SHOWS names,
 * if there is one. */
void base_shows(void);

#ifdef __cplusplus
}
#endif

#endif /* BASE_IMPLEMENTATION_H */
