/* SPDX-License-Identifier: Apache-2.0 */
#include "sample_own.h"

#include <errno.h>

#include "import.h"
#include "schema.h"

static struct {
    struct adi_device *cpu;
    const struct ArrowSchema *schema;
    const struct ArrowArray *arrays;
    size_t count;
    int failure, schema_failure;
    bool goes_on;
} own;

static const struct adi_sample_type type = {.name = "own", .format = ""};

static const struct adi_sample_shape shape = {
    .name = "own", .what = "what the implementation itself exports", .traits = 0};

void adi_sample_own_set(struct adi_device *cpu, const struct ArrowSchema *schema,
                        const struct ArrowArray *arrays, size_t n_arrays) {
    own.cpu = cpu;
    own.schema = schema;
    own.arrays = arrays;
    own.count = n_arrays;
    own.failure = own.schema_failure = 0;
    own.goes_on = false;
}

void adi_sample_own_fails(int code, bool of_schema) {
    *(of_schema ? &own.schema_failure : &own.failure) = code;
}

int adi_sample_own_failure(bool of_schema) {
    return of_schema ? own.schema_failure : own.failure;
}

void adi_sample_own_goes_on(void) {
    own.goes_on = true;
}

bool adi_sample_own_is_open(void) {
    return own.goes_on;
}

size_t adi_sample_own_count(void) {
    return own.schema == NULL ? 0 : own.count;
}

const struct adi_sample_type *adi_sample_own_type(void) {
    return &type;
}

const struct adi_sample_shape *adi_sample_own_shape(void) {
    return &shape;
}

int adi_sample_own_schema(struct ArrowSchema *schema_out, struct adi_error *error) {
    if (own.schema == NULL) return adi_error_set(error, EINVAL, "there is no sample own/own");
    return adi_schema_export(own.schema, schema_out, error);
}

int adi_sample_own_chunk(size_t which, struct ArrowSchema *schema_out, struct ArrowArray *host_out,
                         struct adi_error *error) {
    struct ArrowSchema copied = {.release = NULL};
    if (which >= adi_sample_own_count())
        return adi_error_set(error, EINVAL, "there is no sample own/own");
    struct ArrowDeviceArray array = {
        .array = own.arrays[which], .device_id = own.cpu->id, .device_type = own.cpu->ops->type};
    if (schema_out != NULL) ADI_TRY(adi_sample_own_schema(&copied, error));
    int code = adi_copy_to_host(own.cpu, own.schema, &array, host_out, error);
    if (code == 0 && schema_out != NULL)
        *schema_out = copied;
    else if (copied.release != NULL)
        copied.release(&copied);
    return code;
}

int adi_sample_own(struct ArrowSchema *schema_out, struct ArrowArray *host_out,
                   struct adi_error *error) {
    return adi_sample_own_chunk(0, schema_out, host_out, error);
}
