/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "implementation.h"

void *base_copy_bytes(const void *from, size_t bytes) {
    void *to = malloc(bytes > 0 ? bytes : 1);
    if (to != NULL && bytes > 0) memcpy(to, from, bytes);
    return to;
}

size_t base_metadata_bytes(const char *metadata) {
    if (metadata == NULL) return 0;
    const char *at = metadata;
    int32_t texts, bytes;
    memcpy(&texts, at, sizeof texts);
    at += sizeof texts;
    for (int32_t i = 0; i < 2 * texts; i++) {
        memcpy(&bytes, at, sizeof bytes);
        at += (int32_t)sizeof bytes + bytes;
    }
    return (size_t)(at - metadata);
}

/* ---- schemas ---- */

static int copy_text(const char *from, size_t bytes, char **owned, const char **to) {
    if (from == NULL) return 0;
    *owned = base_copy_bytes(from, bytes);
    *to = *owned;
    return *owned == NULL ? ENOMEM : 0;
}

static int copy_texts(const struct ArrowSchema *from, struct ArrowSchema *to) {
    struct base_texts *texts = calloc(1, sizeof *texts);
    to->private_data = texts;
    if (texts == NULL) return ENOMEM;
    size_t name_bytes = from->name == NULL ? 0 : strlen(from->name) + 1;
    int code = copy_text(from->format, strlen(from->format) + 1, &texts->format, &to->format);
    if (code == 0) code = copy_text(from->name, name_bytes, &texts->name, &to->name);
    if (code == 0)
        code = copy_text(from->metadata, base_metadata_bytes(from->metadata), &texts->metadata,
                         &to->metadata);
    return code;
}

static int copy_schema_into(const struct ArrowSchema *from, struct ArrowSchema **slot) {
    *slot = calloc(1, sizeof **slot);
    return *slot == NULL ? ENOMEM : base_schema_copy(from, *slot);
}

int base_schema_copy(const struct ArrowSchema *from, struct ArrowSchema *to) {
    *to = (struct ArrowSchema){.flags = from->flags, .release = base.release_schema};
    int code = copy_texts(from, to);
    if (code == 0 && from->n_children > 0) {
        to->children = calloc((size_t)from->n_children, sizeof(void *));
        if (to->children == NULL) code = ENOMEM;
    }
    for (int64_t i = 0; code == 0 && i < from->n_children; i++)
        code = copy_schema_into(from->children[i], &to->children[to->n_children++]);
    if (code == 0 && from->dictionary != NULL)
        code = copy_schema_into(from->dictionary, &to->dictionary);
    if (code != 0) base_schema_release(to);
    return code;
}

static void release_schema_at(struct ArrowSchema *schema) {
    if (schema != NULL && schema->release != NULL) schema->release(schema);
    free(schema);
}

void base_schema_release(struct ArrowSchema *schema) {
    struct base_texts *texts = schema->private_data;
    for (int64_t i = 0; i < schema->n_children; i++) release_schema_at(schema->children[i]);
    free(schema->children);
    release_schema_at(schema->dictionary);
    if (texts != NULL) {
        free(texts->format);
        free(texts->name);
        free(texts->metadata);
    }
    free(texts);
    schema->release = NULL;
}

/* ---- arrays ---- */

struct base_import {
    atomic_int keepers;
    struct ArrowArray array;
};

struct base_import *base_import_make(void) {
    struct base_import *import = calloc(1, sizeof *import);
    if (import != NULL) atomic_init(&import->keepers, 1);
    return import;
}

void base_import_take(struct base_import *import, struct ArrowArray *array) {
    import->array = *array;
    array->release = NULL;
}

void base_import_let(struct base_import *import) {
    if (atomic_fetch_sub(&import->keepers, 1) > 1) return;
    if (import->array.release != NULL) import->array.release(&import->array);
    free(import);
}

static int copy_buffers(const struct ArrowSchema *schema, const struct ArrowArray *from,
                        struct ArrowArray *to) {
    for (int64_t i = 0; i < from->n_buffers; i++) {
        int64_t bytes = base_buffer_bytes(schema, from, i);
        if (bytes < 0) return ENOTSUP;
        if (from->buffers[i] == NULL) continue;
        void *buffer = base.buffer_alloc(bytes > 0 ? (size_t)bytes : 1);
        if (buffer == NULL) return ENOMEM;
        to->buffers[i] = memcpy(buffer, from->buffers[i], (size_t)bytes);
    }
    return 0;
}

static int copy_array(const struct ArrowSchema *schema, const struct ArrowArray *from,
                      struct base_import *import, struct ArrowArray *to);

static int copy_array_into(const struct ArrowSchema *schema, const struct ArrowArray *from,
                           struct base_import *import, struct ArrowArray **slot) {
    *slot = calloc(1, sizeof **slot);
    return *slot == NULL ? ENOMEM : copy_array(schema, from, import, *slot);
}

/* The members of `to`, but for its children. */
static int copy_members(const struct ArrowSchema *schema, const struct ArrowArray *from,
                        struct base_import *import, struct ArrowArray *to) {
    *to = (struct ArrowArray){.length = from->length,
                              .null_count = from->null_count,
                              .offset = from->offset,
                              .release = base.release_array};
    struct base_owned *owned = calloc(1, sizeof *owned);
    to->private_data = owned;
    if (owned == NULL) return ENOMEM;
    owned->import = import;
    if (import != NULL) atomic_fetch_add(&import->keepers, 1);
    if (from->n_buffers > 0) to->buffers = calloc((size_t)from->n_buffers, sizeof(void *));
    if (from->n_children > 0) to->children = calloc((size_t)from->n_children, sizeof(void *));
    if ((from->n_buffers > 0 && to->buffers == NULL) ||
        (from->n_children > 0 && to->children == NULL))
        return ENOMEM;
    to->n_buffers = from->n_buffers;
    if (import == NULL) return copy_buffers(schema, from, to);
    for (int64_t i = 0; i < from->n_buffers; i++) to->buffers[i] = from->buffers[i];
    return 0;
}

/* `schema` is looked at only when there is no import. */
static int copy_array(const struct ArrowSchema *schema, const struct ArrowArray *from,
                      struct base_import *import, struct ArrowArray *to) {
    int code = copy_members(schema, from, import, to);
    for (int64_t i = 0; code == 0 && i < from->n_children; i++)
        code = copy_array_into(import == NULL ? schema->children[i] : NULL, from->children[i],
                               import, &to->children[to->n_children++]);
    if (code == 0 && from->dictionary != NULL)
        code = copy_array_into(import == NULL ? schema->dictionary : NULL, from->dictionary, import,
                               &to->dictionary);
    if (code != 0) base_array_release(to);
    return code;
}

int base_array_copy(const struct ArrowSchema *schema, const struct ArrowArray *from,
                    struct ArrowArray *to) {
    return copy_array(schema, from, NULL, to);
}

int base_array_share(const struct ArrowArray *from, struct base_import *import,
                     struct ArrowArray *to) {
    return copy_array(NULL, from, import, to);
}

static void release_array_at(struct ArrowArray *array) {
    if (array != NULL && array->release != NULL) array->release(array);
    free(array);
}

void base_array_release(struct ArrowArray *array) {
    struct base_owned *owned = array->private_data;
    for (int64_t i = 0; i < array->n_children; i++) release_array_at(array->children[i]);
    free(array->children);
    release_array_at(array->dictionary);
    if (owned != NULL && owned->import != NULL)
        base_import_let(owned->import);
    else
        for (int64_t i = 0; i < array->n_buffers; i++) base.buffer_free((void *)array->buffers[i]);
    free(array->buffers);
    free(owned);
    array->release = NULL;
}
