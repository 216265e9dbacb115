/* SPDX-License-Identifier: Apache-2.0 */
#include "sample_own.h"

#include <errno.h>

#include "import.h"
#include "schema.h"

static struct {
    struct adi_device *cpu;
    const struct ArrowSchema *schema;
    const struct ArrowArray *array;
} own;

static const struct adi_sample_type type = {.name = "own", .format = ""};

static const struct adi_sample_shape shape = {
    .name = "own", .what = "what the implementation itself exports", .traits = 0};

void adi_sample_own_set(struct adi_device *cpu, const struct ArrowSchema *schema,
                        const struct ArrowArray *array) {
    own.cpu = cpu;
    own.schema = schema;
    own.array = array;
}

const struct adi_sample_type *adi_sample_own_type(void) {
    return &type;
}

const struct adi_sample_shape *adi_sample_own_shape(void) {
    return &shape;
}

int adi_sample_own(struct ArrowSchema *schema_out, struct ArrowArray *host_out,
                   struct adi_error *error) {
    struct ArrowSchema copied;
    if (own.schema == NULL) return adi_error_set(error, EINVAL, "there is no sample own/own");
    struct ArrowDeviceArray array = {
        .array = *own.array, .device_id = own.cpu->id, .device_type = own.cpu->ops->type};
    ADI_TRY(adi_schema_export(own.schema, &copied, error));
    int code = adi_copy_to_host(own.cpu, own.schema, &array, host_out, error);
    if (code == 0)
        *schema_out = copied;
    else
        copied.release(&copied);
    return code;
}
