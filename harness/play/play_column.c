/* SPDX-License-Identifier: Apache-2.0
 *
 * One column of values after the other: chunks may be cut anew, so rows are compared, as many at a
 * time as lie in one chunk of both.
 */
#include <errno.h>
#include <string.h>

#include "move.h"
#include "play_stream.h"
#include "sample_own.h"
#include "source.h"

/* The root of a record batch has no nulls, and many refuse one with an offset. */
static bool is_of_root(const char *shape) {
    return strcmp(shape, "offset") == 0 || strcmp(shape, "nulls") == 0;
}

static const char *shape_of(const struct adi_test *test, const struct adi_stream_chunk *chunk) {
    const struct adi_case *now = test->now;
    const bool batch = (now->shape->traits & ADI_SHAPE_BATCH) != 0;
    const struct adi_sample_shape *shape =
        chunk->shape == NULL || (batch && is_of_root(chunk->shape))
            ? NULL
            : adi_sample_shape_named(chunk->shape);
    return shape != NULL && adi_sample_exists(now->type, shape) ? shape->name : now->shape->name;
}

/* What an implementation has in its stream itself, whatever the design is. */
static int make_own(struct adi_column *column, struct adi_error *error) {
    size_t n = adi_sample_own_count();
    *column = (struct adi_column){.n = 0};
    if (n > ADI_STREAM_CHUNKS)
        return adi_error_set(error, E2BIG, "a stream of more than %d chunks", ADI_STREAM_CHUNKS);
    ADI_TRY(adi_sample_own_schema(&column->schema, error));
    for (; column->n < n; column->n++)
        ADI_TRY(adi_sample_own_chunk(column->n, NULL, &column->chunks[column->n], error));
    return 0;
}

/* The source's own order: it holds that all chunks are of one type. */
int adi_column_make(const struct adi_test *test, const struct adi_stream_design *design,
                    struct adi_column *column, struct adi_error *error) {
    struct adi_source_chunk chunks[ADI_STREAM_CHUNKS];
    struct ArrowArrayStream source;
    if (test->now->type == adi_sample_own_type()) return make_own(column, error);
    *column = (struct adi_column){.n = 0};
    for (size_t i = 0; i < design->n; i++)
        chunks[i] = (struct adi_source_chunk){shape_of(test, &design->chunks[i]),
                                              test->seed + design->chunks[i].more, 1};
    const struct adi_source_plan plan = {
        test->now->type->name, chunks, design->n, {0, NULL}, {0, NULL}};
    ADI_TRY(adi_source_open(&plan, &source, error));
    int code = source.get_schema(&source, &column->schema);
    for (; code == 0 && column->n < design->n; column->n++)
        code = source.get_next(&source, &column->chunks[column->n]);
    adi_array_stream_release(&source);
    return code == 0 ? 0 : adi_error_set(error, code, "no chunk %zu", column->n);
}

void adi_column_free(struct adi_column *column) {
    for (size_t i = 0; i < column->n; i++) adi_array_release(&column->chunks[i]);
    adi_schema_release(&column->schema);
    column->n = 0;
}

int64_t adi_column_rows(const struct adi_column *column) {
    int64_t rows = 0;
    for (size_t i = 0; i < column->n; i++) rows += column->chunks[i].length;
    return rows;
}

int64_t adi_column_seen(const struct adi_column *column) {
    int64_t rows = column->row;
    for (size_t i = 0; i < column->at; i++) rows += column->chunks[i].length;
    return rows;
}

/* Where it is the whole array it is that: nothing about it is lost. */
static struct ArrowArray slice_of(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                  int64_t from, int64_t rows) {
    struct ArrowArray slice = *array;
    if (from == 0 && rows == array->length) return slice;
    bool is_null = schema->format[0] == 'n' && schema->format[1] == '\0';
    slice.offset += from;
    slice.length = rows;
    slice.null_count = is_null ? rows : array->null_count == 0 ? 0 : -1;
    return slice;
}

bool adi_column_next(struct adi_column *column, const struct ArrowSchema *schema,
                     const struct ArrowArray *array, int64_t *from, struct ArrowArray *slice,
                     struct ArrowArray *wanted) {
    /* What has no rows is passed over, but by an array that has none itself. */
    while (column->at < column->n && column->row == column->chunks[column->at].length &&
           (array->length > 0 || column->row > 0)) {
        column->at++;
        column->row = 0;
    }
    if (column->at == column->n || (*from == array->length && *from > 0)) return false;
    const struct ArrowArray *chunk = &column->chunks[column->at];
    int64_t left = chunk->length - column->row, rows = array->length - *from;
    if (rows > left) rows = left;
    *slice = slice_of(schema, array, *from, rows);
    *wanted = slice_of(&column->schema, chunk, column->row, rows);
    column->row += rows;
    *from += rows;
    return true;
}

int64_t adi_column_compare(struct adi_column *column, const struct ArrowSchema *schema,
                           const struct ArrowArray *array, adi_column_same *same, void *context) {
    struct ArrowArray slice, wanted;
    int64_t from = 0;
    do {
        if (!adi_column_next(column, schema, array, &from, &slice, &wanted)) break;
        if (!same(context, &slice, &wanted)) return -1;
    } while (from < array->length);
    return from < array->length ? array->length - from : 0;
}
