/* SPDX-License-Identifier: Apache-2.0 */
#include "async_kept.h"

#include <stdio.h>
#include <string.h>

#include "device_types.h"
#include "tree.h"

void adi_async_forget(struct adi_async_handler *handler) {
    adi_tree_free(handler->schema_before);
    handler->schema_before = NULL;
    for (size_t i = 0; i < ADI_ASYNC_TASKS; i++) {
        adi_tree_free(handler->before[i].tree);
        handler->before[i] = (struct adi_async_before){.number = 0};
    }
}

static struct adi_node *copy(const struct adi_async_handler *handler,
                             const struct adi_async_taken *taken) {
    if (!adi_device_type_is_cpu(taken->array.device_type)) return NULL;
    return adi_tree_copy_cpu(&handler->schema, &taken->array.array);
}

static void remember(struct adi_async_handler *handler) {
    adi_async_forget(handler);
    if (handler->schema.release == NULL) return;
    handler->schema_before = adi_tree_copy(&handler->schema, NULL, NULL);
    for (size_t i = 0; i < handler->n_taken; i++)
        handler->before[i] =
            (struct adi_async_before){handler->taken[i].number, copy(handler, &handler->taken[i])};
}

/* ---- is it the same? ---- */

static bool is_same_text(const char *a, const char *b) {
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool is_same_buffer(const struct adi_bytes *a, const struct adi_bytes *b) {
    if (a->buffer != b->buffer || a->size != b->size) return false;
    if (a->data == NULL || b->data == NULL) return a->data == b->data;
    return memcmp(a->data, b->data, (size_t)a->size) == 0;
}

static bool is_same_array(const struct ArrowArray *a, const struct ArrowArray *b) {
    return a->length == b->length && a->null_count == b->null_count && a->offset == b->offset &&
           a->n_buffers == b->n_buffers && a->n_children == b->n_children &&
           (a->release == NULL) == (b->release == NULL);
}

static bool is_same(const struct adi_node *a, const struct adi_node *b) {
    if (a == NULL || b == NULL) return a == b;
    bool same = is_same_text(a->format, b->format) && is_same_text(a->name, b->name) &&
                is_same_array(&a->array, &b->array) && a->n_children == b->n_children &&
                a->n_buffers == b->n_buffers &&
                (a->schema.release == NULL) == (b->schema.release == NULL);
    for (int64_t i = 0; i < a->n_buffers && same; i++)
        same = is_same_buffer(&a->buffers[i], &b->buffers[i]);
    for (int64_t i = 0; i < a->n_children && same; i++)
        same = is_same(a->children[i], b->children[i]);
    return same && is_same(a->dictionary, b->dictionary);
}

static bool is_as_it_was(const struct adi_node *before, struct adi_node *now) {
    bool same = before == NULL || now == NULL || is_same(before, now);
    adi_tree_free(now);
    return same;
}

static const struct adi_node *find(const struct adi_async_handler *handler, int64_t number) {
    for (size_t i = 0; i < ADI_ASYNC_TASKS; i++)
        if (handler->before[i].number == number) return handler->before[i].tree;
    return NULL;
}

static bool tell(struct adi_async_handler *handler, const char *what) {
    adi_async_handler_report(handler, "async/chunk-depends-on-stream", "something else",
                             "what it was in the last callback", what);
    return false;
}

/* Nobody but its consumer, who keeps it here, may do anything to it. */
static bool is_schema_kept(const struct adi_async_handler *handler) {
    return handler->schema_before == NULL || handler->schema.release == NULL ||
           is_as_it_was(handler->schema_before, adi_tree_copy(&handler->schema, NULL, NULL));
}

static bool tell_schema(struct adi_async_handler *handler) {
    return tell(handler, "the schema is not what was handed over");
}

void adi_async_remember(struct adi_async_handler *handler) {
    pthread_mutex_lock(&handler->lock);
    bool is_kept = is_schema_kept(handler);
    remember(handler);
    pthread_mutex_unlock(&handler->lock);
    if (!is_kept) tell_schema(handler);
}

bool adi_async_is_kept(struct adi_async_handler *handler) {
    char what[64];
    if (!is_schema_kept(handler)) return tell_schema(handler);
    for (size_t i = 0; i < handler->n_taken; i++) {
        const struct adi_node *before = find(handler, handler->taken[i].number);
        if (before == NULL || is_as_it_was(before, copy(handler, &handler->taken[i]))) continue;
        snprintf(what, sizeof what, "batch %lld is not what was extracted",
                 (long long)handler->taken[i].number);
        return tell(handler, what);
    }
    return true;
}
