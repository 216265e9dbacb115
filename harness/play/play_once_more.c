/* SPDX-License-Identifier: Apache-2.0
 *
 * One more import. No document says when a consumer releases what it has taken over, only that it
 * does: some let go of an array when the next one comes, or when they end. So neither has happened
 * before anybody is told that he never releases. The structures are such as nobody watches, so that
 * they may be released whenever it pleases.
 */
#include <string.h>

#include "export.h"
#include "move.h"
#include "play_stream.h"
#include "source.h"
#include "stream.h"

struct plain {
    struct ArrowSchema schema, schema_out;
    struct ArrowArray host, copy;
    struct ArrowDeviceArray in, out;
    struct ArrowArrayStream host_stream, copy_stream;
    struct ArrowDeviceArrayStream stream_in, stream_out;
};

static int make_array(const struct adi_importer *importer, struct plain *plain) {
    struct adi_device *device = importer->device;
    ADI_TRY(adi_sample(importer->type, importer->shape, importer->seed, &plain->schema,
                       &plain->host, NULL));
    if (importer->role == ADI_PRODUCES) return 0;
    ADI_TRY(adi_produce(device, &plain->schema, &plain->host, &plain->in, NULL));
    return plain->in.sync_event == NULL
               ? 0
               : device->ops->wait_host(device, plain->in.sync_event, NULL);
}

static int make_stream(const struct adi_importer *importer, struct plain *plain) {
    static const struct adi_chunk_plan ready = {0, ADI_CHUNK_COMPLETE};
    const struct adi_source_chunk chunk = {importer->shape->name, importer->seed, 1};
    const struct adi_source_plan source = {importer->type->name, &chunk, 1, {0, NULL}, {0, NULL}};
    const struct adi_stream_plan plan = {&importer->device, 1, &ready, 1};
    ADI_TRY(adi_source_open(&source, &plain->host_stream, NULL));
    if (importer->role == ADI_PRODUCES_STREAM) return 0;
    return adi_stream_produce(&plan, &plain->host_stream, &plain->stream_in, NULL);
}

static bool is_of_streams(unsigned role) {
    return (role & (ADI_PRODUCES_STREAM | ADI_CONSUMES_STREAM | ADI_RELAYS_STREAM)) != 0;
}

/* A chunk of it, and its end. */
static void end_stream(const struct adi_kind *kind, void *stream) {
    struct ArrowDeviceArray chunk = {.array.release = NULL};
    if (adi_kind_release(kind, stream) == NULL) return;
    if (adi_call_stream_next(kind, stream, &chunk, false) == 0 && chunk.array.release != NULL)
        adi_call_release_array(&chunk.array);
    adi_call_stream_release(kind, stream, false);
}

static void end(struct plain *plain, int code) {
    if (code == 0 && plain->schema_out.release != NULL) adi_call_release_schema(&plain->schema_out);
    if (code == 0 && plain->copy.release != NULL) adi_call_release_array(&plain->copy);
    if (code == 0 && plain->out.array.release != NULL) adi_call_release_array(&plain->out.array);
    if (code == 0) end_stream(&adi_kind_array_stream, &plain->copy_stream);
    if (code == 0) end_stream(&adi_kind_device_array_stream, &plain->stream_out);
    adi_schema_release(&plain->schema);
    adi_array_release(&plain->host);
    adi_device_array_release(&plain->in);
    adi_array_stream_release(&plain->host_stream);
    adi_device_array_stream_release(&plain->stream_in);
}

void adi_import_once_more(const struct adi_importer *importer) {
    struct plain plain;
    memset(&plain, 0, sizeof plain);
    int code = (is_of_streams(importer->role) ? make_stream : make_array)(importer, &plain);
    if (code == 0) {
        const struct adi_call call = {.adapter = importer->adapter,
                                      .device = importer->device,
                                      .role = importer->role,
                                      .schema = &plain.schema,
                                      .schema_out = &plain.schema_out,
                                      .host = &plain.host,
                                      .copy = &plain.copy,
                                      .in = &plain.in,
                                      .out = &plain.out,
                                      .host_stream = &plain.host_stream,
                                      .copy_stream = &plain.copy_stream,
                                      .stream_in = &plain.stream_in,
                                      .stream_out = &plain.stream_out};
        code = adi_call("import", &call);
    }
    end(&plain, code);
}
