/* SPDX-License-Identifier: Apache-2.0 */
#include "block.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

/* The structures are followed by their arrays of pointers, these by the tail. The root's structure
 * is the caller's. */
struct block {
    atomic_size_t live; /* structures not yet released */
    void (*release_tail)(void *tail);
    void *tail;
    struct ArrowArray arrays[];
};

struct size {
    size_t arrays, children, buffers;
};

static void measure(const struct ArrowArray *from, struct size *size) {
    size->arrays++;
    size->children += (size_t)from->n_children;
    size->buffers += (size_t)from->n_buffers;
    for (int64_t i = 0; i < from->n_children; i++) measure(from->children[i], size);
    if (from->dictionary != NULL) measure(from->dictionary, size);
}

size_t adi_block_buffers(const struct ArrowArray *array) {
    struct size size = {0};
    measure(array, &size);
    return size.buffers;
}

static void release_array(struct ArrowArray *array) {
    struct block *block = array->private_data;
    for (int64_t i = 0; i < array->n_children; i++) {
        struct ArrowArray *child = array->children[i];
        if (child->release != NULL) child->release(child);
    }
    struct ArrowArray *dictionary = array->dictionary;
    if (dictionary != NULL && dictionary->release != NULL) dictionary->release(dictionary);
    array->release = NULL;
    if (atomic_fetch_sub_explicit(&block->live, 1, memory_order_acq_rel) > 1) return;
    if (block->release_tail != NULL) block->release_tail(block->tail);
    free(block);
}

/* What is left of a block while it is being filled. */
struct room {
    struct block *block;
    struct ArrowArray *arrays;
    void **pointers;
};

static void fill(const struct ArrowArray *from, struct room *room, struct ArrowArray *to) {
    *to = *from;
    to->release = release_array;
    to->private_data = room->block;
    to->buffers = from->n_buffers == 0 ? NULL : (const void **)room->pointers;
    room->pointers += from->n_buffers;
    for (int64_t i = 0; i < from->n_buffers; i++) to->buffers[i] = from->buffers[i];

    to->children = from->n_children == 0 ? NULL : (struct ArrowArray **)room->pointers;
    room->pointers += from->n_children;
    for (int64_t i = 0; i < from->n_children; i++) {
        to->children[i] = room->arrays++;
        fill(from->children[i], room, to->children[i]);
    }
    if (from->dictionary != NULL) {
        to->dictionary = room->arrays++;
        fill(from->dictionary, room, to->dictionary);
    }
}

int adi_block_export(const struct ArrowArray *from, void (*release_tail)(void *tail),
                     size_t tail_bytes, struct ArrowArray *out, void **tail,
                     struct adi_error *error) {
    struct size size = {0};
    measure(from, &size);
    size_t pointers_at = sizeof(struct block) + (size.arrays - 1) * sizeof(struct ArrowArray);
    size_t pointers_end = pointers_at + (size.buffers + size.children) * sizeof(void *);
    size_t tail_at = (pointers_end + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
    struct block *block = tail_bytes > SIZE_MAX - tail_at ? NULL : malloc(tail_at + tail_bytes);
    if (block == NULL)
        return adi_error_set(error, ENOMEM, "no memory for %zu structures, %zu buffers, %zu bytes",
                             size.arrays, size.buffers, tail_bytes);

    *tail = (char *)block + tail_at;
    block->release_tail = release_tail;
    block->tail = *tail;
    atomic_init(&block->live, size.arrays);
    struct room room = {block, block->arrays, (void **)(void *)((char *)block + pointers_at)};
    fill(from, &room, out);
    return 0;
}

struct walk {
    int (*visit)(void *state, const struct adi_buffer *buffer, struct adi_error *error);
    void *state;
    struct adi_error *error;
};

static int walk_array(const struct walk *walk, const struct ArrowSchema *schema,
                      const struct ArrowArray *array, struct ArrowArray *copy,
                      const struct adi_place *place) {
    struct adi_type type;
    ADI_TRY(adi_type_parse(schema->format, &type, walk->error));
    for (int64_t i = 0; i < array->n_buffers; i++) {
        struct adi_buffer buffer = {&type, array, i, copy == NULL ? NULL : &copy->buffers[i]};
        if (walk->error != NULL) walk->error->text[0] = '\0'; /* it may be of something else */
        int code = walk->visit(walk->state, &buffer, walk->error);
        if (code != 0) return adi_error_at_buffer(walk->error, code, place, i);
    }
    for (int64_t i = 0; i < array->n_children; i++) {
        struct adi_place child = {place, ADI_PLACE_CHILD, i};
        ADI_TRY(walk_array(walk, schema->children[i], array->children[i],
                           copy == NULL ? NULL : copy->children[i], &child));
    }
    if (array->dictionary == NULL) return 0;
    struct adi_place dictionary = {place, ADI_PLACE_DICTIONARY, 0};
    return walk_array(walk, schema->dictionary, array->dictionary,
                      copy == NULL ? NULL : copy->dictionary, &dictionary);
}

int adi_block_walk(const struct ArrowSchema *schema, const struct ArrowArray *array,
                   struct ArrowArray *copy,
                   int (*visit)(void *state, const struct adi_buffer *buffer,
                                struct adi_error *error),
                   void *state, struct adi_error *error) {
    struct walk walk = {visit, state, error};
    return walk_array(&walk, schema, array, copy, NULL);
}
