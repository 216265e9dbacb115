/* SPDX-License-Identifier: Apache-2.0 */
#include "source.h"

#include <errno.h>

#include "batches.h"
#include "move.h"
#include "sample.h"
#include "schema.h"

static int make(const char *type, const char *shape, uint64_t seed, struct ArrowSchema *schema,
                struct ArrowArray *array, struct adi_error *error) {
    const struct adi_sample_type *of = adi_sample_type_named(type);
    const struct adi_sample_shape *in = adi_sample_shape_named(shape);
    if (of == NULL || in == NULL)
        return adi_error_set(error, EINVAL, "there is no sample %s/%s", type, shape);
    return adi_sample(of, in, seed, schema, array, error);
}

/* Only the first chunk's schema is kept; the others have to be of its type. */
static int add_chunk(const struct adi_source_plan *plan, const struct adi_source_chunk *chunk,
                     struct adi_batches *batches, struct adi_error *error) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    ADI_TRY(make(plan->type, chunk->shape, chunk->seed, &schema, &array, error));
    int code = 0;
    if (batches->schema.release == NULL)
        adi_schema_move(&schema, &batches->schema);
    else if (adi_schema_compare_type(&schema, &batches->schema, NULL) != 0)
        code = adi_error_set(error, EINVAL, "%s/%s is not of the type of %s/%s", plan->type,
                             chunk->shape, plan->type, plan->chunks[0].shape);
    if (code == 0) code = adi_batches_add(batches, &array, chunk->times, error);
    adi_schema_release(&schema);
    adi_array_release(&array);
    return code;
}

static int set_error(struct adi_last_error *to, const struct adi_source_error *from,
                     struct adi_error *error) {
    adi_last_error_set(to, from->code, from->text);
    if (from->text == NULL || to->text != NULL) return 0;
    return adi_error_set(error, ENOMEM, "no memory for the text of an error");
}

static int fill(const struct adi_source_plan *plan, struct adi_batches *batches,
                struct adi_error *error) {
    ADI_TRY(set_error(&batches->schema_error, &plan->schema_error, error));
    ADI_TRY(set_error(&batches->error, &plan->error, error));
    for (size_t i = 0; i < plan->n_chunks; i++)
        ADI_TRY(add_chunk(plan, &plan->chunks[i], batches, error));
    if (plan->n_chunks > 0) return 0;
    struct ArrowArray none;
    ADI_TRY(make(plan->type, "empty", 0, &batches->schema, &none, error));
    adi_array_release(&none);
    return 0;
}

int adi_source_open(const struct adi_source_plan *plan, struct ArrowArrayStream *out,
                    struct adi_error *error) {
    struct adi_batches batches = {0};
    int code = fill(plan, &batches, error);
    if (code == 0) code = adi_batches_stream(&batches, out, error);
    adi_batches_release(&batches);
    return code;
}
