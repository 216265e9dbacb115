/* SPDX-License-Identifier: Apache-2.0 */
#include "stream.h"

#include <errno.h>
#include <stdlib.h>

static struct base_stream *make(void) {
    return calloc(1, sizeof(struct base_stream));
}

static void end(struct base_stream *stream) {
    if (stream->from.release != NULL) stream->from.release(&stream->from);
    if (stream->in.release != NULL) stream->in.release(&stream->in);
    if (stream->schema.release != NULL) stream->schema.release(&stream->schema);
    free(stream->more);
    free(stream);
}

/* ---- producing ---- */

int base_produced_schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    struct base_stream *stream = base_stream_of(self);
    if (stream->schema.release == NULL) {
        struct ArrowSchema schema;
        int code = stream->from.get_schema(&stream->from, &schema);
        if (code != 0) return code;
        stream->schema = schema;
    }
    return base_schema_copy(&stream->schema, out);
}

static int know_schema(struct ArrowDeviceArrayStream *self) {
    struct ArrowSchema schema;
    int code = base_produced_schema(self, &schema);
    if (code == 0) schema.release(&schema);
    return code;
}

int base_produced_next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct base_stream *stream = base_stream_of(self);
    struct ArrowDeviceArray made = {.device_id = -1, .device_type = ARROW_DEVICE_CPU};
    struct ArrowArray host;
    int code = know_schema(self);
    if (code == 0) code = stream->from.get_next(&stream->from, &host);
    if (code != 0) return code;
    if (host.release == NULL) {
        out->array.release = NULL;
        return 0;
    }
    code = base_array_copy(&stream->schema, &host, &made.array);
    host.release(&host);
    if (code != 0) return code;
    stream->chunks++;
    *out = made;
    return 0;
}

const char *base_produced_error(struct ArrowDeviceArrayStream *self) {
    struct base_stream *stream = base_stream_of(self);
    return stream->from.get_last_error(&stream->from);
}

void base_produced_release(struct ArrowDeviceArrayStream *self) {
    end(base_stream_of(self));
    self->release = NULL;
}

struct ArrowDeviceArrayStream base_produced = {.device_type = ARROW_DEVICE_CPU,
                                               .get_schema = base_produced_schema,
                                               .get_next = base_produced_next,
                                               .get_last_error = base_produced_error,
                                               .release = base_produced_release};
struct ArrowArrayStream base_copied = {.get_schema = base_copied_schema,
                                       .get_next = base_copied_next,
                                       .get_last_error = base_copied_error,
                                       .release = base_copied_release};

int base_produce_stream(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                        struct ArrowArrayStream *host, struct ArrowDeviceArrayStream *out) {
    (void)self, (void)device_id;
    struct base_stream *stream = type == ARROW_DEVICE_CPU ? make() : NULL;
    if (stream == NULL) return ENOTSUP;
    stream->from = *host;
    host->release = NULL;
    *out = base_produced;
    out->private_data = stream;
    return 0;
}

/* ---- consuming ---- */

int base_copied_schema(struct ArrowArrayStream *self, struct ArrowSchema *out) {
    struct base_stream *stream = base_copy_of(self);
    if (stream->schema.release == NULL) {
        struct ArrowSchema schema;
        int code = stream->in.get_schema(&stream->in, &schema);
        if (code != 0) return code;
        stream->schema = schema;
    }
    return base_schema_copy(&stream->schema, out);
}

int base_copied_next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    struct base_stream *stream = base_copy_of(self);
    struct ArrowDeviceArray chunk;
    struct ArrowArray made;
    struct ArrowSchema schema;
    int code = base_copied_schema(self, &schema);
    if (code != 0) return code;
    schema.release(&schema);
    code = stream->in.get_next(&stream->in, &chunk);
    if (code != 0) return code;
    if (chunk.array.release == NULL) {
        out->release = NULL;
        return 0;
    }
    code = base_array_copy(&stream->schema, &chunk.array, &made);
    chunk.array.release(&chunk.array);
    if (code != 0) return code;
    stream->chunks++;
    *out = made;
    return 0;
}

const char *base_copied_error(struct ArrowArrayStream *self) {
    struct base_stream *stream = base_copy_of(self);
    return stream->in.get_last_error(&stream->in);
}

void base_copied_release(struct ArrowArrayStream *self) {
    end(base_copy_of(self));
    self->release = NULL;
}

int base_consume_stream(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                        struct ArrowArrayStream *host_out) {
    (void)self;
    if (in->release == NULL) return EINVAL;
    struct base_stream *stream = in->device_type == ARROW_DEVICE_CPU ? make() : NULL;
    if (stream == NULL) return ENOTSUP;
    stream->in = *in;
    in->release = NULL;
    *host_out = base_copied;
    host_out->private_data = stream;
    return 0;
}

int base_consume_released_stream(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                                 struct ArrowArrayStream *host_out) {
    if (in->release != NULL) return base_consume_stream(self, in, host_out);
    *host_out = base_copied;
    host_out->private_data = make();
    return host_out->private_data == NULL ? ENOMEM : 0;
}

/* ---- relaying ---- */

int base_relayed_schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    struct base_stream *stream = base_stream_of(self);
    return stream->in.get_schema(&stream->in, out);
}

int base_relayed_next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct base_stream *stream = base_stream_of(self);
    return stream->in.get_next(&stream->in, out);
}

const char *base_relayed_error(struct ArrowDeviceArrayStream *self) {
    struct base_stream *stream = base_stream_of(self);
    return stream->in.get_last_error(&stream->in);
}

const char *base_error_silent(struct ArrowDeviceArrayStream *self) {
    (void)self;
    return NULL;
}

struct ArrowDeviceArrayStream base_relayed = {.get_schema = base_relayed_schema,
                                              .get_next = base_relayed_next,
                                              .get_last_error = base_relayed_error,
                                              .release = base_produced_release};

bool base_is_foreign;

int base_consume_any_stream(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                            struct ArrowArrayStream *host_out) {
    base_is_foreign = in->release != NULL && in->device_type != ARROW_DEVICE_CPU;
    struct ArrowDeviceArrayStream taken = *in;
    taken.device_type = ARROW_DEVICE_CPU;
    int code = base_consume_stream(self, &taken, host_out);
    if (code != 0) return code;
    base_copy_of(host_out)->in.device_type = in->device_type;
    in->release = NULL;
    return 0;
}

int base_relay_stream(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                      struct ArrowDeviceArrayStream *out) {
    (void)self;
    struct base_stream *stream = in->release == NULL ? NULL : make();
    if (stream == NULL) return EINVAL;
    stream->in = *in;
    in->release = NULL;
    *out = base_relayed;
    out->device_type = stream->in.device_type;
    out->private_data = stream;
    return 0;
}

void base_relays_streams(void) {
    base.roles = ADI_RELAYS_STREAM;
    base.adapter.relay_stream = base_relay_stream;
}

void base_plays_streams(unsigned roles) {
    base.roles = roles;
    base.adapter.produce_stream = base_produce_stream;
    base.adapter.consume_stream = base_consume_stream;
    base.adapter.relay_stream = base_relay_stream;
}
