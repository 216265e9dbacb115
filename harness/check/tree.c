/* SPDX-License-Identifier: Apache-2.0 */
#include "tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "move.h"
#include "node.h"
#include "safe_read.h"

#define STRING_MOST ((size_t)1 << 20)

struct walk {
    struct adi_safe_reader reader;
    int64_t nodes;
    struct adi_device *device;
    bool no_memory;
};

/* Where a node is to be copied from. */
struct origin {
    const struct adi_node *parent;
    bool is_dictionary;
    int64_t index;
    const struct ArrowSchema *schema;
    bool has_array;
    const struct ArrowArray *array;
};

/* All zero. Small pieces that malloc has at hand are quicker than those of calloc, of which it
 * keeps none; the caller has few and small ones. */
static void *need(struct walk *walk, size_t count, size_t bytes) {
    void *memory = malloc(count == 0 ? bytes : count * bytes);
    if (memory == NULL)
        walk->no_memory = true;
    else
        memset(memory, 0, count * bytes);
    return memory;
}

/* An end to bottomless and endless trees. */
static enum adi_unreadable trace(const struct walk *walk, const struct origin *origin) {
    int depth = 1;
    for (const struct adi_node *up = origin->parent; up != NULL; up = up->parent, depth++)
        if (up->schema_at == origin->schema || (origin->has_array && up->array_at == origin->array))
            return ADI_CYCLIC;
    return depth > ADI_TREE_DEPTH || walk->nodes > ADI_TREE_NODES ? ADI_CUT : ADI_COPIED;
}

/* DV-008, DV-023, DV-024: everything but the buffers is in CPU memory. */
static enum adi_unreadable copy_structure(struct walk *walk, void *to, const void *from,
                                          size_t bytes) {
    if (from == NULL) return ADI_NULL;
    if (adi_safe_reader_read(&walk->reader, to, from, bytes) == 0) return ADI_COPIED;
    memset(to, 0, bytes);
    return ADI_UNREADABLE;
}

static enum adi_unreadable copy_string(struct walk *walk, const char *from, char **out) {
    if (from == NULL) return ADI_NULL;
    switch (adi_safe_reader_string(&walk->reader, from, STRING_MOST, out)) {
    case 0:
        return ADI_COPIED;
    case EFAULT:
        return ADI_UNREADABLE;
    case ENOMEM:
        walk->no_memory = true;
        return ADI_CUT;
    default:
        return ADI_CUT;
    }
}

/* Copies an array of `count` pointers. */
static enum adi_unreadable copy_pointers(struct walk *walk, const void *from, int64_t count,
                                         void ***out) {
    *out = NULL;
    if (count <= 0) return ADI_COPIED;
    if (from == NULL) return ADI_NULL;
    if (count > ADI_TREE_NODES) {
        uintptr_t last;
        size_t bytes;
        if (__builtin_mul_overflow((size_t)count - 1, sizeof(void *), &bytes))
            return ADI_UNREADABLE;
        const void *last_at = (const void *)((uintptr_t)from + bytes);
        return adi_safe_read(&last, last_at, sizeof last) == 0 ? ADI_CUT : ADI_UNREADABLE;
    }
    void **copy = need(walk, (size_t)count, sizeof *copy);
    if (copy == NULL) return ADI_CUT;
    if (adi_safe_reader_read(&walk->reader, copy, from, (size_t)count * sizeof *copy) == 0) {
        *out = copy;
        return ADI_COPIED;
    }
    free(copy);
    return ADI_UNREADABLE;
}

static char *keep_error(struct walk *walk, const struct adi_error *error) {
    char *text = strdup(error->text);
    if (text == NULL) walk->no_memory = true;
    return text;
}

static void copy_texts(struct walk *walk, struct adi_node *node) {
    struct adi_error error = {""};
    node->format_unreadable = copy_string(walk, node->schema.format, &node->format);
    node->name_unreadable = copy_string(walk, node->schema.name, &node->name);
    if (node->format != NULL) {
        node->type_known = adi_type_parse(node->format, &node->type, &error) == 0;
        if (!node->type_known) node->type_error = keep_error(walk, &error);
    }
    if (node->schema.metadata == NULL) return;
    int code = adi_safe_reader_metadata(&walk->reader, node->schema.metadata, &node->metadata,
                                        &node->metadata_size, &error);
    if (code == EINVAL || code == EFAULT) node->metadata_error = keep_error(walk, &error);
    if (code == ENOMEM) walk->no_memory = true;
}

static void copy_buffers(struct walk *walk, struct adi_node *node) {
    void **buffers;
    node->buffers_unreadable =
        copy_pointers(walk, node->array.buffers, node->array.n_buffers, &buffers);
    if (buffers == NULL) return;
    node->buffers = need(walk, (size_t)node->array.n_buffers, sizeof *node->buffers);
    if (node->buffers != NULL) node->n_buffers = node->array.n_buffers;
    for (int64_t i = 0; i < node->n_buffers; i++)
        node->buffers[i] = (struct adi_bytes){.buffer = buffers[i], .size = -1};
    free(buffers);
}

static struct adi_node *copy_node(struct walk *walk, const struct origin *origin);

static void copy_children(struct walk *walk, struct adi_node *node) {
    int64_t n = node->schema.n_children;
    void **schemas, **arrays = NULL;
    node->schema_children_unreadable = copy_pointers(walk, node->schema.children, n, &schemas);
    if (node->has_array) {
        node->array_children_unreadable =
            copy_pointers(walk, node->array.children, node->array.n_children, &arrays);
        if (arrays == NULL || node->array.n_children < n)
            n = arrays == NULL ? 0 : node->array.n_children;
    }
    if (schemas == NULL) n = 0;
    if (n > 0) node->children = need(walk, (size_t)n, sizeof *node->children);
    for (int64_t i = 0; i < n && !walk->no_memory; i++) {
        struct origin child = {.parent = node,
                               .index = i,
                               .schema = schemas[i],
                               .has_array = node->has_array,
                               .array = arrays == NULL ? NULL : arrays[i]};
        node->children[i] = copy_node(walk, &child);
        if (node->children[i] != NULL) node->n_children++;
    }
    free(schemas);
    free(arrays);
}

static void copy_dictionary(struct walk *walk, struct adi_node *node) {
    if (node->schema.dictionary == NULL || walk->no_memory) return;
    if (node->has_array && node->array.dictionary == NULL) return;
    struct origin dictionary = {.parent = node,
                                .is_dictionary = true,
                                .schema = node->schema.dictionary,
                                .has_array = node->has_array,
                                .array = node->array.dictionary};
    node->dictionary = copy_node(walk, &dictionary);
}

/* What a released structure holds is nobody's business any more. */
static struct adi_node *copy_node(struct walk *walk, const struct origin *origin) {
    struct adi_node *node = need(walk, 1, sizeof *node);
    if (node == NULL) return NULL;
    walk->nodes++;
    node->parent = origin->parent;
    node->is_dictionary = origin->is_dictionary;
    node->index = origin->index;
    node->schema_at = origin->schema;
    node->has_array = origin->has_array;
    node->array_at = origin->array;
    node->device = walk->device;

    enum adi_unreadable traced = trace(walk, origin);
    node->schema_unreadable = node->array_unreadable = traced;
    if (traced != ADI_COPIED) return node;
    node->schema_unreadable =
        copy_structure(walk, &node->schema, origin->schema, sizeof node->schema);
    if (origin->has_array)
        node->array_unreadable =
            copy_structure(walk, &node->array, origin->array, sizeof node->array);
    if (node->schema.release != NULL) copy_texts(walk, node);
    if (node->array.release != NULL) copy_buffers(walk, node);
    if (node->schema.release != NULL && (!node->has_array || node->array.release != NULL)) {
        copy_children(walk, node);
        copy_dictionary(walk, node);
    }
    return node;
}

static struct adi_node *copy_tree(struct walk *walk, const struct ArrowSchema *schema,
                                  const struct ArrowDeviceArray *array) {
    struct origin root = {.schema = schema,
                          .has_array = array != NULL,
                          .array = array == NULL ? NULL : &array->array};
    struct adi_node *node = copy_node(walk, &root);
    if (node != NULL && array != NULL) {
        node->device_array = need(walk, 1, sizeof *node->device_array);
        if (node->device_array != NULL)
            node->array_unreadable = copy_structure(walk, node->device_array, array, sizeof *array);
    }
    if (walk->no_memory) {
        adi_tree_free(node);
        return NULL;
    }
    if (node->array_unreadable == ADI_COPIED && array != NULL) adi_tree_read(node);
    return node;
}

struct adi_node *adi_tree_copy(const struct ArrowSchema *schema,
                               const struct ArrowDeviceArray *array, struct adi_device *device) {
    struct walk walk = {.device = device};
    return copy_tree(&walk, schema, array);
}

struct adi_node *adi_tree_copy_own(const struct ArrowSchema *schema,
                                   const struct ArrowDeviceArray *array,
                                   struct adi_device *device) {
    struct walk walk = {.device = device, .reader.trusts = true};
    return copy_tree(&walk, schema, array);
}

struct adi_node *adi_tree_copy_cpu(const struct ArrowSchema *schema,
                                   const struct ArrowArray *array) {
    static struct adi_device cpu = {.ops = &adi_device_cpu, .id = -1};
    const struct ArrowDeviceArray on_cpu = adi_device_array_of_cpu(array);
    return adi_tree_copy(schema, &on_cpu, &cpu);
}

void adi_tree_free(struct adi_node *root) {
    if (root == NULL) return;
    for (int64_t i = 0; i < root->n_children; i++) adi_tree_free(root->children[i]);
    adi_tree_free(root->dictionary);
    for (int64_t i = 0; i < root->n_buffers; i++) {
        free(root->buffers[i].data);
        free(root->buffers[i].fault);
    }
    free(root->children);
    free(root->buffers);
    free(root->format);
    free(root->name);
    free(root->metadata);
    free(root->metadata_error);
    free(root->type_error);
    free(root->device_array);
    free(root->wait_error);
    free(root);
}
