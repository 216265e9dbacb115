/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The values of an export are those that were handed over, and laid out in
 * another way: children of a struct begin and end where it does, or go on behind it; the child of a
 * list has values that no list uses, in front; dictionaries are in another order, and have a value
 * that nobody uses.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/implementation.h"

#define UNUSED 8 /* values in front: a whole byte of a bitmap */

/* The counted nulls may be others now. */
static void recount(const struct ArrowSchema *schema, struct ArrowArray *array) {
    if (strcmp(schema->format, "n") == 0)
        array->null_count = array->length;
    else if (array->null_count > 0)
        array->null_count = -1;
}

static bool replace(struct ArrowArray *array, int64_t i, void *buffer) {
    if (buffer == NULL) return false;
    base.buffer_free((void *)array->buffers[i]);
    array->buffers[i] = buffer;
    return true;
}

/* ---- structs ---- */

/* Children are as long as their parent, and begin with it. */
static void cut_children(const struct ArrowSchema *schema, struct ArrowArray *array) {
    if (array->offset != 0 && array->buffers[0] != NULL) return;
    for (int64_t i = 0; i < array->n_children; i++) {
        struct ArrowArray *child = array->children[i];
        child->offset += array->offset;
        child->length = array->length;
        recount(schema->children[i], child);
    }
    array->offset = 0;
}

/* The first child, where that is an int32 without nulls, has two values more than it needs. */
static void lengthen_child(const struct ArrowSchema *schema, struct ArrowArray *array) {
    struct ArrowArray *child = array->n_children == 0 ? NULL : array->children[0];
    if (child == NULL || strcmp(schema->children[0]->format, "i") != 0 ||
        child->dictionary != NULL || child->buffers[0] != NULL)
        return;
    int64_t n = child->offset + child->length;
    int32_t *values = base.buffer_alloc((size_t)(n + 2) * sizeof *values);
    if (values == NULL) return;
    if (n > 0) memcpy(values, child->buffers[1], (size_t)n * sizeof *values);
    values[n] = values[n + 1] = 4711;
    if (replace(child, 1, values)) child->length += 2;
}

/* ---- lists ---- */

static void *put_behind(const void *from, size_t bytes, size_t unused) {
    char *to = base.buffer_alloc(bytes + unused);
    if (to == NULL) return NULL;
    memset(to, 0x5A, unused);
    if (bytes > 0) memcpy(to + unused, from, bytes);
    return to;
}

/* Of a list of int32. */
static void pad_child(const struct ArrowSchema *schema, struct ArrowArray *array) {
    struct ArrowArray *child = array->children[0];
    const struct ArrowSchema *of = schema->children[0];
    if (strcmp(of->format, "i") != 0 || child->dictionary != NULL || array->buffers[1] == NULL)
        return;
    int32_t *offsets = (int32_t *)array->buffers[1];
    size_t n = (size_t)(array->offset + array->length + 1);
    int64_t values = base_buffer_bytes(of, child, 1), bits = base_buffer_bytes(of, child, 0);
    if (!replace(child, 1, put_behind(child->buffers[1], (size_t)values, UNUSED * 4))) return;
    if (child->buffers[0] != NULL)
        replace(child, 0, put_behind(child->buffers[0], (size_t)bits, UNUSED / 8));
    for (size_t i = 0; i < n; i++) offsets[i] += UNUSED;
    child->length += UNUSED;
    recount(of, child);
}

/* ---- dictionaries ---- */

/* utf8 values backwards, and an empty one behind them. */
static bool turn_values(struct ArrowArray *values) {
    int64_t n = values->length;
    const int32_t *from = values->buffers[1];
    if (n == 0 || values->offset != 0 || values->buffers[0] != NULL) return false;
    int32_t *to = base.buffer_alloc((size_t)(n + 2) * sizeof *to), at = 0;
    char *text = base.buffer_alloc((size_t)from[n] + 1);
    if (to == NULL || text == NULL) {
        base.buffer_free(to);
        base.buffer_free(text);
        return false;
    }
    for (int64_t i = 0; i < n; i++) {
        int32_t begin = from[n - 1 - i], bytes = from[n - i] - begin;
        if (bytes > 0) memcpy(text + at, (const char *)values->buffers[2] + begin, (size_t)bytes);
        to[i] = at;
        at += bytes;
    }
    to[n] = to[n + 1] = at;
    values->length = n + 1;
    return replace(values, 1, to) && replace(values, 2, text);
}

static void turn_dictionary(const struct ArrowSchema *schema, struct ArrowArray *array) {
    const bool small = strcmp(schema->format, "c") == 0;
    if ((!small && strcmp(schema->format, "i") != 0) || array->buffers[0] != NULL ||
        strcmp(schema->dictionary->format, "u") != 0 ||
        (schema->flags & ARROW_FLAG_DICTIONARY_ORDERED) || !turn_values(array->dictionary))
        return;
    int64_t last = array->dictionary->length - 2;
    for (int64_t i = array->offset; i < array->offset + array->length; i++)
        if (small)
            ((int8_t *)array->buffers[1])[i] =
                (int8_t)(last - ((const int8_t *)array->buffers[1])[i]);
        else
            ((int32_t *)array->buffers[1])[i] =
                (int32_t)(last - ((const int32_t *)array->buffers[1])[i]);
}

static void lay_out(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    struct ArrowArray *array = &out->array;
    if (strcmp(schema->format, "+s") == 0) {
        cut_children(schema, array);
        lengthen_child(schema, array);
    } else if (strcmp(schema->format, "+l") == 0) {
        pad_child(schema, array);
    } else if (schema->dictionary != NULL) {
        turn_dictionary(schema, array);
    }
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = lay_out;
}
