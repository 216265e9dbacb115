/* SPDX-License-Identifier: Apache-2.0 */
#include "shape.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "layout.h"
#include "text.h"
#include "type.h"

/* One schema and its array, on the way down. */
struct spot {
    const struct adi_place *place;
    struct adi_error *error;
};

ADI_PRINTF(3, 4)
static int wrong(const struct spot *spot, const char *member, const char *format, ...) {
    char text[256], at[ADI_PLACE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    adi_place_text(spot->place, member, at);
    return adi_error_set(spot->error, EINVAL, "%s%s%s", at, *at == '\0' ? "" : ": ", text);
}

static int check_schema(const struct spot *spot, const struct ArrowSchema *schema,
                        struct adi_type *type) {
    if (schema == NULL) return wrong(spot, "", "the schema is NULL");
    if (schema->release == NULL) return wrong(spot, "", "the schema is released");
    struct adi_error said;
    if (adi_type_parse(schema->format, type, &said) != 0) return wrong(spot, "", "%s", said.text);
    if (schema->n_children < 0 || (type->n_children >= 0 && schema->n_children != type->n_children))
        return wrong(spot, "n_children", "the schema has %" PRId64 ", the type %s wants %" PRId32,
                     schema->n_children, type->name, type->n_children);
    if (schema->n_children > 0 && schema->children == NULL)
        return wrong(spot, "children", "NULL in the schema");
    if (schema->dictionary != NULL && !type->is_integer)
        return wrong(spot, "dictionary", "its indices are of type %s, wanted integers", type->name);
    return 0;
}

static int check_counts(const struct spot *spot, const struct ArrowArray *array) {
    int64_t end;
    if (array->length < 0) return wrong(spot, "length", "%" PRId64, array->length);
    if (array->offset < 0) return wrong(spot, "offset", "%" PRId64, array->offset);
    if (__builtin_add_overflow(array->length, array->offset, &end))
        return wrong(spot, "length", "%" PRId64 " and offset %" PRId64 " overflow", array->length,
                     array->offset);
    if (array->null_count < -1 || array->null_count > array->length)
        return wrong(spot, "null_count", "%" PRId64 ", wanted -1 to the length %" PRId64,
                     array->null_count, array->length);
    return 0;
}

static const char *buffer_member(int64_t index, char out[40]) {
    snprintf(out, 40, "buffers[%" PRId64 "]", index);
    return out;
}

/* Only what follows from the counts: the sizes of data and of variadic buffers are in buffers. */
static int check_buffers(const struct spot *spot, const struct adi_type *type,
                         const struct ArrowArray *array) {
    int64_t wanted = adi_type_buffers(type);
    bool views = type->layout == ADI_LAYOUT_VIEW;
    if (array->n_buffers < wanted || array->n_buffers > (views ? INT32_MAX : wanted))
        return wrong(spot, "n_buffers", "%" PRId64 ", wanted %s%" PRId64 " (%s)", array->n_buffers,
                     views ? "at least " : "", wanted, type->name);
    if (wanted > 0 && array->buffers == NULL) return wrong(spot, "buffers", "NULL");
    for (int64_t i = 0; i < array->n_buffers; i++) {
        enum adi_buffer_role role = adi_type_role(type, i, array->n_buffers);
        if (role == ADI_BUFFER_DATA || role == ADI_BUFFER_VARIADIC) continue;
        char member[40];
        int64_t bytes;
        struct adi_error said;
        if (adi_type_buffer_bytes(type, array, i, NULL, &bytes, &said) != 0)
            return wrong(spot, buffer_member(i, member), "%s", said.text);
        if (array->buffers[i] != NULL) continue;
        if (bytes > 0)
            return wrong(spot, buffer_member(i, member), "NULL, wanted %" PRId64 " bytes of %s",
                         bytes, adi_buffer_role_name(role));
        if (role == ADI_BUFFER_VALIDITY && array->null_count > 0)
            return wrong(spot, buffer_member(i, member), "NULL, but null_count is %" PRId64,
                         array->null_count);
    }
    return 0;
}

/* How long each child must be at least, as far as that follows from the counts alone. */
static int child_length(const struct spot *spot, const struct adi_type *type,
                        const struct ArrowArray *array, int64_t *least) {
    *least = 0;
    if (array->length == 0) return 0;
    int64_t end = array->length + array->offset;
    if (type->layout == ADI_LAYOUT_STRUCT || type->layout == ADI_LAYOUT_SPARSE_UNION) *least = end;
    if (type->layout == ADI_LAYOUT_FIXED_LIST && __builtin_mul_overflow(end, type->size, least))
        return wrong(spot, "length", "%" PRId64 " lists of %" PRId32 " overflow", end, type->size);
    return 0;
}

static int check(const struct ArrowSchema *schema, const struct ArrowArray *array,
                 int64_t least_length, const struct adi_place *place, struct adi_error *error);

static int check_run_ends(const struct spot *spot, const struct ArrowSchema *schema,
                          const struct ArrowArray *array) {
    const char *format = schema->children[0]->format;
    if (strlen(format) != 1 || strchr("sil", *format) == NULL || schema->children[0]->dictionary)
        return wrong(spot, "children[0]", "run ends of type \"%s\", wanted int16, int32 or int64",
                     format);
    if (array->children[0]->length != array->children[1]->length)
        return wrong(spot, "children[0].length", "%" PRId64 ", children[1] has %" PRId64,
                     array->children[0]->length, array->children[1]->length);
    if (array->length > 0 && array->children[0]->length == 0)
        return wrong(spot, "children[0].length", "0 runs for %" PRId64 " values", array->length);
    return 0;
}

static int check_children(const struct spot *spot, const struct adi_type *type,
                          const struct ArrowSchema *schema, const struct ArrowArray *array) {
    if (array->n_children != schema->n_children)
        return wrong(spot, "n_children", "%" PRId64 ", wanted %" PRId64, array->n_children,
                     schema->n_children);
    if (array->n_children > 0 && array->children == NULL) return wrong(spot, "children", "NULL");
    int64_t least;
    ADI_TRY(child_length(spot, type, array, &least));
    for (int64_t i = 0; i < array->n_children; i++) {
        struct adi_place child = {spot->place, ADI_PLACE_CHILD, i};
        ADI_TRY(check(schema->children[i], array->children[i], least, &child, spot->error));
    }
    return type->layout == ADI_LAYOUT_RUN_END ? check_run_ends(spot, schema, array) : 0;
}

static int check(const struct ArrowSchema *schema, const struct ArrowArray *array,
                 int64_t least_length, const struct adi_place *place, struct adi_error *error) {
    struct spot spot = {place, error};
    struct adi_type type;
    ADI_TRY(check_schema(&spot, schema, &type));
    if (array == NULL) return wrong(&spot, "", "NULL");
    if (array->release == NULL) return wrong(&spot, "", "the array is released");
    ADI_TRY(check_counts(&spot, array));
    if (array->length < least_length)
        return wrong(&spot, "length", "%" PRId64 ", its parent wants %" PRId64, array->length,
                     least_length);
    ADI_TRY(check_buffers(&spot, &type, array));
    ADI_TRY(check_children(&spot, &type, schema, array));
    if ((array->dictionary == NULL) != (schema->dictionary == NULL))
        return wrong(&spot, "dictionary", "%s",
                     array->dictionary == NULL ? "missing" : "there is none in the schema");
    if (array->dictionary == NULL) return 0;
    struct adi_place dictionary = {place, ADI_PLACE_DICTIONARY, 0};
    return check(schema->dictionary, array->dictionary, 0, &dictionary, error);
}

int adi_shape_check(const struct ArrowSchema *schema, const struct ArrowArray *array,
                    struct adi_error *error) {
    return check(schema, array, 0, NULL, error);
}
