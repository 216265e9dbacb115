/* SPDX-License-Identifier: Apache-2.0
 *
 * What lives and dies by a release callback: where the members of that life are in each kind of
 * structure, so that the monitor, the watch and the guarded input are written once.
 * harness/handles.def is the table.
 */
#ifndef ADI_KIND_H
#define ADI_KIND_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "life.h"
#include "structures.h"

/* The kinds of handles: ADI_KIND_schema. */
enum adi_kind_id {
#define HANDLE(where, id, ...) ADI_KIND_##id,
#include "../handles.def"
    ADI_KINDS, /* how many */
};

#define ADI_OWNED_MOST 6 /* as many as a kind has at most */

struct adi_kind {
    const char *name; /* "schema", "array" */
    size_t size;
    size_t n_children, children, dictionary, release, private_data; /* offsets; 0: none */
    enum adi_life_state born; /* the state of one that was just handed out */
    /* Members that belong to the producer and must come back as they were: pointers and counts. */
    struct adi_owned {
        const char *name;
        size_t offset, bytes;
    } owned[ADI_OWNED_MOST];
};

/* Of the structures in abi.h; the others' are empty. */
extern const struct adi_kind adi_kinds[ADI_KINDS];

/* Those that are watched and guarded. */
#define adi_kind_schema              (adi_kinds[ADI_KIND_schema])
#define adi_kind_array               (adi_kinds[ADI_KIND_array])
#define adi_kind_array_stream        (adi_kinds[ADI_KIND_array_stream])
#define adi_kind_device_array_stream (adi_kinds[ADI_KIND_device_array_stream])

/* A release callback of any of these structures; called through adi_kind_call. */
typedef void adi_release_fn(void);

static inline void *adi_kind_pointer(const void *structure, size_t offset) {
    void *value;
    memcpy(&value, (const char *)structure + offset, sizeof value);
    return value;
}

static inline void adi_kind_set(void *structure, size_t offset, const void *value) {
    memcpy((char *)structure + offset, &value, sizeof value);
}

static inline int64_t adi_kind_children(const struct adi_kind *kind, const void *structure) {
    int64_t n = 0;
    if (kind->n_children != 0) memcpy(&n, (const char *)structure + kind->n_children, sizeof n);
    return n;
}

static inline void *adi_kind_child(const struct adi_kind *kind, const void *structure, int64_t i) {
    return ((void **)adi_kind_pointer(structure, kind->children))[i];
}

static inline void *adi_kind_dictionary(const struct adi_kind *kind, const void *structure) {
    return kind->dictionary == 0 ? NULL : adi_kind_pointer(structure, kind->dictionary);
}

static inline adi_release_fn *adi_kind_release(const struct adi_kind *kind, const void *structure) {
    adi_release_fn *release;
    memcpy(&release, (const char *)structure + kind->release, sizeof release);
    return release;
}

static inline void adi_kind_set_release(const struct adi_kind *kind, void *structure,
                                        adi_release_fn *release) {
    memcpy((char *)structure + kind->release, &release, sizeof release);
}

/* How many structures the tree has. */
size_t adi_kind_count(const struct adi_kind *kind, const void *structure);
/* What an owned member holds. */
intptr_t adi_kind_value(const struct adi_owned *member, const void *structure);
/* Calls `release` on the structure as what it is. */
void adi_kind_call(const struct adi_kind *kind, adi_release_fn *release, void *structure);

#endif /* ADI_KIND_H */
