/* SPDX-License-Identifier: Apache-2.0 */
#include "compare.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schema.h"
#include "text.h"
#include "value.h"

/* A stretch of rows to compare: `count` values, seen from `a` on and wanted from `b` on; the first
 * is called `row` in sentences. */
struct stretch {
    const struct adi_node *seen, *wanted;
    int64_t a, b, count, row;
    const struct adi_place *place;
    struct adi_error *difference;
};

static int compare(const struct stretch *s);

static int differ(const struct stretch *s, int64_t i) {
    struct adi_place value = {s->place, ADI_PLACE_VALUE, s->row + i};
    char at[ADI_PLACE_SIZE], saw[ADI_VALUE_SIZE], want[ADI_VALUE_SIZE], more[80] = "";
    int64_t offset = s->seen->array->offset, wanted = s->wanted->array->offset;
    if (offset != 0 || wanted != 0)
        snprintf(more, sizeof more, " (at offset %" PRId64 ", wanted at offset %" PRId64 ")",
                 offset, wanted);
    return adi_error_set(s->difference, EILSEQ, "%s: saw %s, wanted %s%s",
                         adi_place_text(&value, "", at), adi_node_text(s->seen, s->a + i, saw),
                         adi_node_text(s->wanted, s->b + i, want), more);
}

/* The values that stand for `count` rows from `i` on, in a child or dictionary, at the same place.
 */
static int compare_inner(const struct stretch *s, int64_t i, struct adi_range seen,
                         struct adi_range wanted, const struct adi_place *place) {
    struct stretch inner = {.seen = seen.node,
                            .wanted = wanted.node,
                            .a = seen.start,
                            .b = wanted.start,
                            .count = seen.count,
                            .row = s->row + i,
                            .place = place,
                            .difference = s->difference};
    return compare(&inner);
}

static int compare_fixed(const struct stretch *s) {
    if (s->seen->type.bits == 1) {
        const struct ArrowArray *a = s->seen->array, *b = s->wanted->array;
        for (int64_t i = 0; i < s->count; i++)
            if (adi_bit(a->buffers[1], a->offset + s->a + i) !=
                adi_bit(b->buffers[1], b->offset + s->b + i))
                return differ(s, i);
        return 0;
    }
    const char *a = adi_node_bytes(s->seen, s->a).at, *b = adi_node_bytes(s->wanted, s->b).at;
    int64_t bytes = s->seen->type.bits / 8;
    if (memcmp(a, b, (size_t)(s->count * bytes)) == 0) return 0;
    int64_t i = 0;
    while (memcmp(a + i * bytes, b + i * bytes, (size_t)bytes) == 0) i++;
    return differ(s, i);
}

static int compare_bytes(const struct stretch *s) {
    for (int64_t i = 0; i < s->count; i++) {
        struct adi_bytes a = adi_node_bytes(s->seen, s->a + i);
        struct adi_bytes b = adi_node_bytes(s->wanted, s->b + i);
        if (a.count != b.count || memcmp(a.at, b.at, (size_t)a.count) != 0) return differ(s, i);
    }
    return 0;
}

static int compare_lists(const struct stretch *s) {
    for (int64_t i = 0; i < s->count; i++) {
        struct adi_range a = adi_node_list(s->seen, s->a + i);
        struct adi_range b = adi_node_list(s->wanted, s->b + i);
        if (a.count != b.count) return differ(s, i);
        struct adi_place value = {s->place, ADI_PLACE_VALUE, s->row + i};
        struct stretch items = {a.node,  b.node, a.start, b.start,
                                a.count, 0,      &value,  s->difference};
        ADI_TRY(compare(&items));
    }
    return 0;
}

static int compare_structs(const struct stretch *s) {
    const struct ArrowArray *a = s->seen->array, *b = s->wanted->array;
    for (int64_t i = 0; i < a->n_children; i++) {
        struct adi_place place = {s->place, ADI_PLACE_CHILD, i};
        struct adi_range seen = {&s->seen->children[i], a->offset + s->a, s->count};
        struct adi_range wanted = {&s->wanted->children[i], b->offset + s->b, s->count};
        ADI_TRY(compare_inner(s, 0, seen, wanted, &place));
    }
    return 0;
}

static int compare_unions(const struct stretch *s) {
    for (int64_t i = 0; i < s->count; i++) {
        int8_t id, wanted_id;
        struct adi_range a = adi_node_union(s->seen, s->a + i, &id);
        struct adi_range b = adi_node_union(s->wanted, s->b + i, &wanted_id);
        if (id != wanted_id) return differ(s, i);
        struct adi_place place = {s->place, ADI_PLACE_CHILD, a.node - s->seen->children};
        ADI_TRY(compare_inner(s, i, a, b, &place));
    }
    return 0;
}

static int compare_runs(const struct stretch *s) {
    for (int64_t i = 0, left, wanted_left; i < s->count; i += left) {
        struct adi_range a = adi_node_run(s->seen, s->a + i, &left);
        struct adi_range b = adi_node_run(s->wanted, s->b + i, &wanted_left);
        if (wanted_left < left) left = wanted_left;
        ADI_TRY(compare_inner(s, i, a, b, s->place));
    }
    return 0;
}

/* Values none of which is null by the array's own bitmap. */
static int compare_valid(const struct stretch *s) {
    if (s->seen->dictionary != NULL) {
        for (int64_t i = 0; i < s->count; i++)
            ADI_TRY(compare_inner(s, i, adi_node_decoded(s->seen, s->a + i),
                                  adi_node_decoded(s->wanted, s->b + i), s->place));
        return 0;
    }
    switch (s->seen->type.layout) {
    case ADI_LAYOUT_NULL:
        return 0;
    case ADI_LAYOUT_FIXED:
        return compare_fixed(s);
    case ADI_LAYOUT_BINARY:
    case ADI_LAYOUT_VIEW:
        return compare_bytes(s);
    case ADI_LAYOUT_LIST:
    case ADI_LAYOUT_LIST_VIEW:
    case ADI_LAYOUT_FIXED_LIST:
        return compare_lists(s);
    case ADI_LAYOUT_STRUCT:
        return compare_structs(s);
    case ADI_LAYOUT_SPARSE_UNION:
    case ADI_LAYOUT_DENSE_UNION:
        return compare_unions(s);
    case ADI_LAYOUT_RUN_END:
        return compare_runs(s);
    }
    return 0;
}

/* Cuts the stretch at its nulls: what lies under a null is not looked at, in children neither. */
static int compare(const struct stretch *s) {
    if (s->count == 0) return 0;
    bool plain = s->seen->dictionary == NULL &&
                 (!adi_node_has_validity(s->seen) ||
                  (s->seen->array->buffers[0] == NULL && s->wanted->array->buffers[0] == NULL));
    if (plain) return compare_valid(s);
    for (int64_t i = 0, first = 0; i <= s->count; i++) {
        bool null = i == s->count || adi_node_is_null(s->seen, s->a + i);
        if (i < s->count && null != adi_node_is_null(s->wanted, s->b + i)) return differ(s, i);
        if (!null) continue;
        struct stretch valid = *s;
        valid.a += first;
        valid.b += first;
        valid.row += first;
        valid.count = i - first;
        if (valid.count > 0) ADI_TRY(compare_valid(&valid));
        first = i + 1;
    }
    return 0;
}

int adi_array_compare(const struct ArrowSchema *seen_schema, const struct ArrowArray *seen,
                      const struct ArrowSchema *wanted_schema, const struct ArrowArray *wanted,
                      struct adi_error *difference) {
    ADI_TRY(adi_schema_compare_type(seen_schema, wanted_schema, difference));
    if (seen->length != wanted->length)
        return adi_error_set(difference, EILSEQ, "length: saw %" PRId64 ", wanted %" PRId64,
                             seen->length, wanted->length);
    struct adi_node *seen_node = NULL, *wanted_node = NULL;
    int code = adi_node_open(seen_schema, seen, &seen_node, difference);
    if (code == 0) code = adi_node_open(wanted_schema, wanted, &wanted_node, difference);
    if (code == 0) {
        struct stretch all = {.seen = seen_node,
                              .wanted = wanted_node,
                              .count = seen->length,
                              .difference = difference};
        code = compare(&all);
    }
    free(wanted_node);
    free(seen_node);
    return code;
}
