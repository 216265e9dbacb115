/* SPDX-License-Identifier: Apache-2.0 */
#include "sample.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "sample_build.h"
#include "sample_own.h"
#include "schema.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))
#define MANY        67
#define TYPICAL     ADI_TYPICAL

static const struct type_row {
    struct adi_sample_type type;
    const char *spec;
    unsigned features; /* those that its spec does not show */
} types[] = {
#define TYPE(name, format, rest, features) {{name, format}, format rest, features},
#include "sample_types.def"
#undef TYPE
};

static const struct shape_row {
    struct adi_sample_shape shape;
    struct adi_sample_plan plan;
} shapes[] = {
#define SHAPE(name, what, traits, ...) {{name, what, traits}, {__VA_ARGS__}},
#include "sample_shapes.def"
#undef SHAPE
};

const struct adi_sample_type *adi_sample_type(size_t index) {
    return index < COUNT(types) ? &types[index].type : NULL;
}

const struct adi_sample_shape *adi_sample_shape(size_t index) {
    return index < COUNT(shapes) ? &shapes[index].shape : NULL;
}

static const struct type_row *type_row(const char *name) {
    for (size_t i = 0; i < COUNT(types); i++)
        if (strcmp(types[i].type.name, name) == 0) return &types[i];
    return NULL;
}

static const struct shape_row *shape_row(const char *name) {
    for (size_t i = 0; i < COUNT(shapes); i++)
        if (strcmp(shapes[i].shape.name, name) == 0) return &shapes[i];
    return NULL;
}

const struct adi_sample_type *adi_sample_type_named(const char *name) {
    const struct type_row *row = type_row(name);
    return row == NULL ? NULL : &row->type;
}

const struct adi_sample_shape *adi_sample_shape_named(const char *name) {
    const struct shape_row *row = shape_row(name);
    return row == NULL ? NULL : &row->shape;
}

static unsigned features_of(const struct type_row *type) {
    return adi_sample_features(type->spec) | type->features;
}

static bool exists(const struct type_row *type, const struct shape_row *shape) {
    return (shape->plan.needs & ~features_of(type)) == 0;
}

bool adi_sample_exists(const struct adi_sample_type *type, const struct adi_sample_shape *shape) {
    const struct type_row *type_found = type_row(type->name);
    const struct shape_row *shape_found = shape_row(shape->name);
    return type_found != NULL && shape_found != NULL && exists(type_found, shape_found);
}

size_t adi_sample_shapes(const struct adi_sample_type *type, const struct adi_sample_shape **out,
                         size_t most) {
    const struct type_row *row = type_row(type->name);
    const unsigned features = row == NULL ? 0 : features_of(row);
    size_t n = 0;
    for (size_t i = 0; row != NULL && i < COUNT(shapes); i++) {
        if ((shapes[i].plan.needs & ~features) != 0) continue;
        if (n < most) out[n] = &shapes[i].shape;
        n++;
    }
    return n;
}

static void release_buffers(void *state) {
    struct adi_arena *buffers = state;
    adi_arena_free(buffers);
    free(buffers);
}

/* Hands out what was built: the schema first, as that is the one which can be taken back. */
static int hand_out(const struct ArrowSchema *schema, const struct ArrowArray *array,
                    struct adi_arena *buffers, struct ArrowSchema *schema_out,
                    struct ArrowArray *host_out, struct adi_error *error) {
    const struct adi_owner owner = {.release = release_buffers, .state = buffers};
    struct ArrowSchema exported;
    ADI_TRY(adi_schema_export(schema, &exported, error));
    const int code = adi_export(array, owner, host_out, error);
    if (code == 0)
        *schema_out = exported;
    else
        exported.release(&exported);
    return code;
}

int adi_sample(const struct adi_sample_type *type, const struct adi_sample_shape *shape,
               uint64_t seed, struct ArrowSchema *schema_out, struct ArrowArray *host_out,
               struct adi_error *error) {
    if (type == adi_sample_own_type()) return adi_sample_own(schema_out, host_out, error);
    const struct type_row *type_found = type_row(type->name);
    const struct shape_row *shape_found = shape_row(shape->name);
    if (type_found == NULL || shape_found == NULL || !exists(type_found, shape_found))
        return adi_error_set(error, EINVAL, "there is no sample %s/%s", type->name, shape->name);
    struct adi_arena *buffers = calloc(1, sizeof *buffers);
    if (buffers == NULL) return adi_error_set(error, ENOMEM, "no memory for a sample");

    struct adi_sample_builder builder = {
        .plan = &shape_found->plan,
        .buffers = buffers,
        .values = {seed},
        .nulls = shape_found->plan.nulls,
        .error = error,
    };
    adi_random_stir(&builder.structure, type->name);
    adi_random_stir(&builder.values, type->name);
    struct ArrowSchema schema;
    struct ArrowArray array;
    int code = adi_sample_schema(&builder, type_found->spec, &schema);
    struct adi_sample_node root = {
        .schema = &schema,
        .length = shape_found->plan.length,
        .offset = shape_found->plan.offset,
    };
    if (code == 0) code = adi_sample_array(&builder, &root, &array);
    if (code == 0) code = hand_out(&schema, &array, buffers, schema_out, host_out, error);
    if (code != 0) release_buffers(buffers);
    adi_arena_free(&builder.scratch);
    return code;
}
