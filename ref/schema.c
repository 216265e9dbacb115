/* SPDX-License-Identifier: Apache-2.0 */
#include "schema.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "metadata.h"
#include "text.h"
#include "type.h"

/* The structures are followed by their arrays of children, these by strings and metadata. The
 * root's structure is the caller's. */
struct block {
    atomic_size_t live; /* structures not yet released */
    struct ArrowSchema schemas[];
};

struct size {
    size_t schemas, children, bytes;
};

static size_t string_bytes(const char *text) {
    return text == NULL ? 0 : strlen(text) + 1;
}

static void measure(const struct ArrowSchema *from, struct size *size) {
    size->schemas++;
    size->children += (size_t)from->n_children;
    size->bytes +=
        string_bytes(from->format) + string_bytes(from->name) + adi_metadata_bytes(from->metadata);
    for (int64_t i = 0; i < from->n_children; i++) measure(from->children[i], size);
    if (from->dictionary != NULL) measure(from->dictionary, size);
}

static void release_schema(struct ArrowSchema *schema) {
    struct block *block = schema->private_data;
    for (int64_t i = 0; i < schema->n_children; i++) {
        struct ArrowSchema *child = schema->children[i];
        if (child->release != NULL) child->release(child);
    }
    struct ArrowSchema *dictionary = schema->dictionary;
    if (dictionary != NULL && dictionary->release != NULL) dictionary->release(dictionary);
    schema->release = NULL;
    if (atomic_fetch_sub_explicit(&block->live, 1, memory_order_acq_rel) == 1) free(block);
}

/* What is left of a block while it is being filled. */
struct room {
    struct block *block;
    struct ArrowSchema *schemas;
    struct ArrowSchema **children;
    char *bytes;
};

static const char *put(struct room *room, const char *from, size_t bytes) {
    if (from == NULL) return NULL;
    char *to = memcpy(room->bytes, from, bytes);
    room->bytes += bytes;
    return to;
}

static void fill(const struct ArrowSchema *from, struct room *room, struct ArrowSchema *to) {
    *to = *from;
    to->release = release_schema;
    to->private_data = room->block;
    to->format = put(room, from->format, string_bytes(from->format));
    to->name = put(room, from->name, string_bytes(from->name));
    to->metadata = put(room, from->metadata, adi_metadata_bytes(from->metadata));
    to->children = from->n_children == 0 ? NULL : room->children;
    room->children += from->n_children;
    for (int64_t i = 0; i < from->n_children; i++) {
        to->children[i] = room->schemas++;
        fill(from->children[i], room, to->children[i]);
    }
    if (from->dictionary != NULL) {
        to->dictionary = room->schemas++;
        fill(from->dictionary, room, to->dictionary);
    }
}

int adi_schema_export(const struct ArrowSchema *from, struct ArrowSchema *out,
                      struct adi_error *error) {
    struct size size = {0};
    measure(from, &size);
    size_t children_at = sizeof(struct block) + (size.schemas - 1) * sizeof(struct ArrowSchema);
    size_t bytes_at = children_at + size.children * sizeof(struct ArrowSchema *);
    struct block *block = malloc(bytes_at + size.bytes);
    if (block == NULL)
        return adi_error_set(error, ENOMEM, "no memory for a schema of %zu structures",
                             size.schemas);
    atomic_init(&block->live, size.schemas);
    char *start = (char *)block;
    struct room room = {block, block->schemas, (struct ArrowSchema **)(void *)(start + children_at),
                        start + bytes_at};
    fill(from, &room, out);
    return 0;
}

struct comparison {
    bool type_only;
    struct adi_error *difference;
};

static int differ_text(const struct comparison *comparison, const struct adi_place *place,
                       const char *member, const char *seen, const char *wanted) {
    char at[ADI_PLACE_SIZE], saw[ADI_QUOTE_SIZE], want[ADI_QUOTE_SIZE];
    return adi_error_set(comparison->difference, EILSEQ, "%s: %s, wanted %s",
                         adi_place_text(place, member, at), adi_quote(seen, strlen(seen), saw),
                         adi_quote(wanted, strlen(wanted), want));
}

static int differ_number(const struct comparison *comparison, const struct adi_place *place,
                         const char *member, int64_t seen, int64_t wanted) {
    char at[ADI_PLACE_SIZE];
    return adi_error_set(comparison->difference, EILSEQ, "%s: %" PRId64 ", wanted %" PRId64,
                         adi_place_text(place, member, at), seen, wanted);
}

/* A decimal of 128 bits can be written with its width and without. */
static bool same_format(const char *a, const char *b) {
    if (strcmp(a, b) == 0) return true;
    struct adi_type one, other;
    return a[0] == 'd' && b[0] == 'd' && adi_type_parse(a, &one, NULL) == 0 &&
           adi_type_parse(b, &other, NULL) == 0 && one.bits == other.bits &&
           one.precision == other.precision && one.scale == other.scale;
}

static bool same_pair(const struct adi_pair *a, const struct adi_pair *b) {
    return a->key_bytes == b->key_bytes && a->value_bytes == b->value_bytes &&
           memcmp(a->key, b->key, (size_t)a->key_bytes) == 0 &&
           memcmp(a->value, b->value, (size_t)a->value_bytes) == 0;
}

static int32_t count_pair(const char *metadata, const struct adi_pair *wanted) {
    struct adi_metadata_reader reader;
    struct adi_pair pair;
    int32_t count = 0;
    if (metadata == NULL || adi_metadata_open(metadata, SIZE_MAX, &reader, NULL) != 0) return 0;
    while (adi_metadata_next(&reader, &pair, NULL) == 0) count += same_pair(&pair, wanted);
    return count;
}

/* The first pair of `metadata` that is there more often than in `other`. Order is no difference. */
static bool find_extra_pair(const char *metadata, const char *other, struct adi_pair *extra) {
    struct adi_metadata_reader reader;
    if (metadata == NULL || adi_metadata_open(metadata, SIZE_MAX, &reader, NULL) != 0) return false;
    while (adi_metadata_next(&reader, extra, NULL) == 0)
        if (count_pair(metadata, extra) > count_pair(other, extra)) return true;
    return false;
}

static int compare_metadata(const struct comparison *comparison, const struct adi_place *place,
                            const char *seen, const char *wanted) {
    size_t bytes = adi_metadata_bytes(seen);
    if (bytes == adi_metadata_bytes(wanted) && (bytes == 0 || memcmp(seen, wanted, bytes) == 0))
        return 0;
    struct adi_pair pair;
    bool extra = find_extra_pair(seen, wanted, &pair);
    if (!extra && !find_extra_pair(wanted, seen, &pair)) return 0;
    char at[ADI_PLACE_SIZE], key[ADI_QUOTE_SIZE], value[ADI_QUOTE_SIZE];
    return adi_error_set(
        comparison->difference, EILSEQ, "%s: the pair %s = %s is %s",
        adi_place_text(place, "metadata", at), adi_quote(pair.key, (size_t)pair.key_bytes, key),
        adi_quote(pair.value, (size_t)pair.value_bytes, value), extra ? "not wanted" : "missing");
}

static int compare(const struct comparison *comparison, const struct ArrowSchema *seen,
                   const struct ArrowSchema *wanted, const struct adi_place *place) {
    if (!same_format(seen->format, wanted->format))
        return differ_text(comparison, place, "format", seen->format, wanted->format);
    if (seen->n_children != wanted->n_children)
        return differ_number(comparison, place, "n_children", seen->n_children, wanted->n_children);
    if (!comparison->type_only) {
        const char *name = seen->name == NULL ? "" : seen->name;
        const char *wanted_name = wanted->name == NULL ? "" : wanted->name;
        if (strcmp(name, wanted_name) != 0)
            return differ_text(comparison, place, "name", name, wanted_name);
        if (seen->flags != wanted->flags)
            return differ_number(comparison, place, "flags", seen->flags, wanted->flags);
        ADI_TRY(compare_metadata(comparison, place, seen->metadata, wanted->metadata));
    }
    for (int64_t i = 0; i < seen->n_children; i++) {
        struct adi_place child = {place, ADI_PLACE_CHILD, i};
        ADI_TRY(compare(comparison, seen->children[i], wanted->children[i], &child));
    }
    struct adi_place dictionary = {place, ADI_PLACE_DICTIONARY, 0};
    if ((seen->dictionary == NULL) != (wanted->dictionary == NULL)) {
        char at[ADI_PLACE_SIZE];
        return adi_error_set(comparison->difference, EILSEQ, "%s: %s",
                             adi_place_text(&dictionary, "", at),
                             seen->dictionary == NULL ? "missing" : "not wanted");
    }
    if (seen->dictionary == NULL) return 0;
    return compare(comparison, seen->dictionary, wanted->dictionary, &dictionary);
}

int adi_schema_compare(const struct ArrowSchema *seen, const struct ArrowSchema *wanted,
                       struct adi_error *difference) {
    struct comparison comparison = {false, difference};
    return compare(&comparison, seen, wanted, NULL);
}

int adi_schema_compare_type(const struct ArrowSchema *seen, const struct ArrowSchema *wanted,
                            struct adi_error *difference) {
    struct comparison comparison = {true, difference};
    return compare(&comparison, seen, wanted, NULL);
}
