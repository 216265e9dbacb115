/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "bench.h"
#include "export.h"
#include "schema.h"

#define MOST_ROWS   (1 << 18)
#define MAX_COLUMNS 100
#define MAX_DEPTH   8

static const int32_t values[MOST_ROWS] = {1, 2, 3, 5, 7, 11, 13, 17};
static const void *const leaf_buffers[] = {NULL, values}, *const struct_buffers[] = {NULL};

/* One column, described on the stack: node 0 is the leaf, each further one a struct round it. All
 * columns share it, and the copies that adi_export makes do not. */
struct column {
    struct ArrowSchema schemas[MAX_DEPTH], *schema_children[MAX_DEPTH][1];
    struct ArrowArray arrays[MAX_DEPTH], *array_children[MAX_DEPTH][1];
};

static void keep_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
}

static void keep_array(struct ArrowArray *array) {
    array->release = NULL;
}

static void describe(int depth, int64_t rows, struct column *column) {
    column->schemas[0] = (struct ArrowSchema){
        .format = "i", .name = "f0", .flags = ARROW_FLAG_NULLABLE, .release = keep_schema};
    column->arrays[0] = (struct ArrowArray){.length = rows,
                                            .n_buffers = 2,
                                            .buffers = (const void **)leaf_buffers,
                                            .release = keep_array};
    for (int i = 1; i < depth; i++) {
        column->schema_children[i][0] = &column->schemas[i - 1];
        column->array_children[i][0] = &column->arrays[i - 1];
        column->schemas[i] = (struct ArrowSchema){.format = "+s",
                                                  .name = "f0",
                                                  .flags = ARROW_FLAG_NULLABLE,
                                                  .n_children = 1,
                                                  .children = column->schema_children[i],
                                                  .release = keep_schema};
        column->arrays[i] = (struct ArrowArray){.length = rows,
                                                .n_buffers = 1,
                                                .n_children = 1,
                                                .buffers = (const void **)struct_buffers,
                                                .children = column->array_children[i],
                                                .release = keep_array};
    }
}

int adi_bench_make(const struct adi_bench_shape *shape, struct ArrowSchema *schema,
                   struct ArrowArray *batch) {
    struct column column;
    struct ArrowSchema *schemas[MAX_COLUMNS];
    struct ArrowArray *arrays[MAX_COLUMNS];
    describe(shape->depth, shape->rows, &column);
    for (int i = 0; i < shape->columns; i++) {
        schemas[i] = &column.schemas[shape->depth - 1];
        arrays[i] = &column.arrays[shape->depth - 1];
    }
    struct ArrowSchema root_schema = {
        .format = "+s", .n_children = shape->columns, .children = schemas, .release = keep_schema};
    struct ArrowArray root = {.length = shape->rows,
                              .n_buffers = 1,
                              .n_children = shape->columns,
                              .buffers = (const void **)struct_buffers,
                              .children = arrays,
                              .release = keep_array};
    ADI_TRY(adi_schema_export(&root_schema, schema, NULL));
    int code = adi_export(&root, (struct adi_owner){NULL, NULL}, batch, NULL);
    if (code != 0) schema->release(schema);
    return code;
}
