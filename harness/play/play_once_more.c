/* SPDX-License-Identifier: Apache-2.0
 *
 * One more import. No document says when a consumer releases what it has taken over, only that it
 * does: some let go of an array when the next one comes, or when they end. So neither has happened
 * before anybody is told that he never releases. The structures are such as nobody watches, so that
 * they may be released whenever it pleases, and the device is lent to them for as long.
 */
#include <string.h>

#include "async_producer.h"
#include "export.h"
#include "lent_device.h"
#include "move.h"
#include "play_stream.h"
#include "play_tensor.h"
#include "source.h"
#include "stream.h"
#include "tensor_array.h"

struct plain {
    struct ArrowSchema schema, schema_out;
    struct ArrowArray host, copy;
    struct ArrowDeviceArray in, out;
    struct ArrowArrayStream host_stream, copy_stream;
    struct ArrowDeviceArrayStream stream_in, stream_out;
    struct ArrowAsyncDeviceStreamHandler handler;
};

static int make_array(const struct adi_importer *importer, struct adi_device *device,
                      struct plain *plain) {
    ADI_TRY(adi_sample(importer->type, importer->shape, importer->seed, &plain->schema,
                       &plain->host, NULL));
    if (importer->role == ADI_PRODUCES) return 0;
    ADI_TRY(adi_produce(device, &plain->schema, &plain->host, &plain->in, NULL));
    return plain->in.sync_event == NULL
               ? 0
               : device->ops->wait_host(device, plain->in.sync_event, NULL);
}

static int make_stream(const struct adi_importer *importer, struct adi_device *device,
                       struct plain *plain) {
    static const struct adi_chunk_plan ready = {0, ADI_CHUNK_COMPLETE};
    const struct adi_source_chunk chunk = {importer->shape->name, importer->seed, 1};
    const struct adi_source_plan source = {importer->type->name, &chunk, 1, {0, NULL}, {0, NULL}};
    const struct adi_stream_plan plan = {&device, 1, &ready, 1};
    ADI_TRY(adi_source_open(&source, &plain->host_stream, NULL));
    if (importer->role == ADI_PRODUCES_STREAM) return 0;
    return adi_stream_produce(&plan, &plain->host_stream, &plain->stream_in, NULL);
}

static bool is_of_streams(unsigned role) {
    return (role & (unsigned)(ADI_PRODUCES_STREAM | ADI_CONSUMES_STREAM | ADI_RELAYS_STREAM |
                              ADI_CONSUMES_ASYNC)) != 0;
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

/* ---- asynchronously ---- */

struct once {
    struct adi_adapter *adapter;
    struct plain *plain;
    int code;
};

static void call_consume(void *once_at) {
    struct once *once = once_at;
    once->code = once->adapter->consume_async(once->adapter, &once->plain->handler, 1);
}

static void call_finish(void *once_at) {
    struct once *once = once_at;
    once->code = once->adapter->consume_async_finish(once->adapter, &once->plain->copy_stream);
}

/* To the release: the slot that blocks returns before or after that. */
static int consume_async(const struct adi_importer *importer, struct plain *plain) {
    struct once once = {importer->adapter, plain, 0};
    struct adi_async_produce how = {.layout = ADI_ASYNC_SHIPPED};
    struct adi_async_producer *producer = NULL;
    adi_async_layout_at(importer->adapter->async_layout, &how.layout);
    adi_call_code("import", call_consume, &once);
    if (once.code != 0) return once.code;
    ADI_TRY(adi_async_producer_open(&how, &plain->stream_in, &plain->handler, &producer, NULL));
    int code = adi_async_producer_start(producer, NULL);
    if (code == 0) adi_call_code("import", call_finish, &once);
    if (code == 0) adi_async_producer_join(producer);
    adi_async_producer_close(producer);
    return code != 0 ? code : once.code;
}

/* ---- a tensor ---- */

struct once_of_tensor {
    struct adi_adapter *adapter;
    struct adi_dlpack_array in;
    struct adi_dlpack_tensor out;
    int code;
};

static void call_consume_dlpack(void *once_at) {
    struct once_of_tensor *once = once_at;
    once->code = once->adapter->consume_dlpack(once->adapter, &once->in, &once->out);
}

static int open_array(const struct adi_importer *importer, struct adi_device *device,
                      struct adi_dlpack_array *out) {
    static struct adi_error why;
    struct adi_tensor_sample sample;
    struct adi_dlpack_source *source;
    ADI_TRY(adi_tensor_sample_of(importer->type, importer->shape, importer->seed, &sample, &why));
    int code = adi_dlpack_produce(device, &sample.host, ADI_DLPACK_READ_ONLY, &source, &why);
    adi_tensor_sample_free(&sample);
    ADI_TRY(code);
    code = adi_tensor_array_open(source, &why, out);
    if (code != 0) adi_dlpack_close(source);
    return code;
}

static void consume_tensor(const struct adi_importer *importer, struct adi_device *device) {
    struct once_of_tensor once = {.adapter = importer->adapter};
    if (open_array(importer, device, &once.in) != 0) return;
    adi_call_code("import", call_consume_dlpack, &once);
    const struct adi_dlpack copy = {once.out.legacy, once.out.versioned};
    if (once.code == 0) adi_call_deleter(&copy);
    if (once.in.release != NULL) once.in.release(&once.in);
}

static bool was_called;

bool adi_has_imported_once_more(void) {
    return was_called;
}

void adi_import_once_more(const struct adi_importer *importer) {
    struct plain plain;
    struct adi_device *device = adi_lend_device(importer->device);
    was_called = true;
    if (device == NULL) return;
    if (importer->role == ADI_CONSUMES_DLPACK) {
        consume_tensor(importer, device);
        return;
    }
    memset(&plain, 0, sizeof plain);
    int code = (is_of_streams(importer->role) ? make_stream : make_array)(importer, device, &plain);
    if (code == 0 && importer->role == ADI_CONSUMES_ASYNC) {
        code = consume_async(importer, &plain);
    } else if (code == 0) {
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
