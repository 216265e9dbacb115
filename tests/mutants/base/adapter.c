/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stream.h"

static const char *why = "";

static int refuse(int code, const char *text) {
    why = text;
    return code;
}

static const char *last_error(struct adi_adapter *self) {
    (void)self;
    return why;
}

static unsigned roles(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id) {
    (void)self, (void)device_id;
    return type == ARROW_DEVICE_CPU ? base.roles : 0;
}

int base_produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                 struct ArrowSchema *schema, struct ArrowArray *host,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self, (void)device_id;
    struct ArrowSchema made_schema;
    struct ArrowDeviceArray made = {.device_id = -1, .device_type = ARROW_DEVICE_CPU};
    if (type != ARROW_DEVICE_CPU) return refuse(ENOTSUP, "only the CPU is supported");
    int code = base_schema_copy(schema, &made_schema);
    if (code != 0) return refuse(code, "the schema cannot be copied");
    code = base_array_copy(schema, host, &made.array);
    if (code != 0) {
        made_schema.release(&made_schema);
        return refuse(code, "the array cannot be copied");
    }
    schema->release(schema);
    host->release(host);
    if (base.exported != NULL) base.exported(&made_schema, &made);
    *schema_out = made_schema;
    *out = made;
    return 0;
}

static int look_at_inputs(const struct ArrowSchema *schema, const struct ArrowDeviceArray *in) {
    if (in->array.release == NULL || schema->release == NULL)
        return refuse(EINVAL, "the input was released before");
    if (in->device_type != ARROW_DEVICE_CPU) return refuse(ENOTSUP, "only the CPU is supported");
    return 0;
}

int base_read(const struct ArrowSchema *schema, const struct ArrowDeviceArray *in,
              struct ArrowSchema *schema_out, struct ArrowArray *host_out) {
    struct ArrowSchema made_schema;
    struct ArrowArray made;
    int code = look_at_inputs(schema, in);
    if (code != 0) return code;
    code = base_schema_copy(schema, &made_schema);
    if (code != 0) return refuse(code, "the schema cannot be copied");
    code = base_array_copy(schema, &in->array, &made);
    if (code != 0) {
        made_schema.release(&made_schema);
        return refuse(code, "the array cannot be copied");
    }
    if (base.copied != NULL) base.copied(&made_schema, &made);
    *schema_out = made_schema;
    *host_out = made;
    return 0;
}

int base_consume(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowArray *host_out) {
    (void)self;
    int code = base_read(schema, in, schema_out, host_out);
    if (code != 0) return code;
    schema->release(schema);
    in->array.release(&in->array);
    return 0;
}

int base_relay(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
               struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self;
    struct ArrowSchema made_schema;
    struct ArrowDeviceArray made = {.device_id = in->device_id, .device_type = in->device_type};
    int code = look_at_inputs(schema, in);
    if (code != 0) return code;
    code = base_schema_copy(schema, &made_schema);
    if (code != 0) return refuse(code, "the schema cannot be copied");
    struct base_import *import = base_import_make();
    code = import == NULL ? ENOMEM : base_array_share(&in->array, import, &made.array);
    if (code != 0) {
        if (import != NULL) base_import_let(import);
        made_schema.release(&made_schema);
        return refuse(code, "the array cannot be shared");
    }
    schema->release(schema);
    base_import_take(import, &in->array);
    base_import_let(import);
    if (base.exported != NULL) base.exported(&made_schema, &made);
    *schema_out = made_schema;
    *out = made;
    return 0;
}

struct base base = {
    .adapter = {.size = sizeof(struct adi_adapter),
                .version = ADI_ADAPTER_VERSION,
                .name = "base",
                .release_name = "1",
                .roles = roles,
                .produce = base_produce,
                .consume = base_consume,
                .relay = base_relay,
                .produce_stream = base_produce_stream,
                .consume_stream = base_consume_stream,
                .relay_stream = base_relay_stream,
                .last_error = last_error},
    .roles = ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS,
    .release_schema = base_schema_release,
    .release_array = base_array_release,
    .buffer_alloc = malloc,
    .buffer_free = free,
};

struct adi_adapter *adi_adapter(void) {
    mutate();
    return &base.adapter;
}
