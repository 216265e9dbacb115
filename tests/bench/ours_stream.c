/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference's streams for the bench. The producers are the reference's, over one batch whose
 * buffers all chunks share; each chunk is imported as adi_import does it, and released.
 */
#include <errno.h>

#include "async_producer.h"
#include "batches.h"
#include "bench.h"
#include "export.h"
#include "import.h"
#include "schema.h"
#include "stream.h"

static int begin_stream(const struct ArrowSchema *type, const struct ArrowArray *batch,
                        int64_t chunks, struct ArrowDeviceArrayStream *out) {
    struct adi_batches batches = {0};
    struct ArrowArrayStream host;
    struct ArrowArray array;
    int code = adi_export(batch, (struct adi_owner){NULL, NULL}, &array, NULL);
    if (code != 0) return code;
    code = adi_schema_export(type, &batches.schema, NULL);
    if (code == 0) code = adi_batches_add(&batches, &array, chunks, NULL);
    if (code != 0) array.release(&array);
    if (code == 0) code = adi_batches_stream(&batches, &host, NULL);
    adi_batches_release(&batches);
    if (code != 0) return code;
    code = adi_stream_wrap(&host, out, NULL);
    if (code != 0) host.release(&host);
    return code;
}

static int take(struct adi_device *device, const struct ArrowSchema *type,
                struct ArrowDeviceArray *chunk) {
    struct ArrowDeviceArray taken;
    int code = adi_import(device, type, chunk, &taken, NULL);
    (code == 0 ? &taken : chunk)->array.release(&(code == 0 ? &taken : chunk)->array);
    return code;
}

int adi_bench_ours_stream(struct adi_device *device, const struct ArrowSchema *type,
                          const struct ArrowArray *batch, int64_t chunks) {
    struct ArrowDeviceArrayStream stream;
    struct ArrowSchema schema;
    int64_t taken = 0;
    ADI_TRY(begin_stream(type, batch, chunks, &stream));
    int code = stream.get_schema(&stream, &schema);
    while (code == 0) {
        struct ArrowDeviceArray chunk;
        code = stream.get_next(&stream, &chunk);
        if (code != 0 || chunk.array.release == NULL) break;
        code = take(device, &schema, &chunk);
        taken++;
    }
    schema.release(&schema);
    stream.release(&stream);
    return code != 0 ? code : taken == chunks ? 0 : EIO;
}

/* ---- asynchronous: requests one more for each that came, as the reference's consumer does ---- */

#define AT_ONCE 5 /* the queue that Arrow C++ has by default */

struct consumer {
    struct adi_device *device;
    struct ArrowSchema schema;
    int64_t taken;
    int code;
};

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    struct consumer *consumer = self->private_data;
    consumer->schema = *schema;
    schema->release = NULL;
    self->producer->request(self->producer, AT_ONCE);
    return 0;
}

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    struct consumer *consumer = self->private_data;
    struct ArrowDeviceArray chunk;
    (void)metadata;
    if (task == NULL) return 0;
    consumer->code = task->extract_data(task, &chunk);
    if (consumer->code == 0) consumer->code = take(consumer->device, &consumer->schema, &chunk);
    consumer->taken++;
    self->producer->request(self->producer, 1);
    return consumer->code;
}

static void on_error(struct ArrowAsyncDeviceStreamHandler *self, int code, const char *message,
                     const char *metadata) {
    struct consumer *consumer = self->private_data;
    (void)message, (void)metadata;
    consumer->code = code;
}

static void release(struct ArrowAsyncDeviceStreamHandler *self) {
    struct consumer *consumer = self->private_data;
    if (consumer->schema.release != NULL) consumer->schema.release(&consumer->schema);
}

int adi_bench_ours_stream_async(struct adi_device *device, const struct ArrowSchema *type,
                                const struct ArrowArray *batch, int64_t chunks) {
    struct ArrowDeviceArrayStream stream;
    struct adi_async_producer *producer;
    struct consumer consumer = {.device = device};
    struct ArrowAsyncDeviceStreamHandler handler = {.on_schema = on_schema,
                                                    .on_next_task = on_next_task,
                                                    .on_error = on_error,
                                                    .release = release,
                                                    .private_data = &consumer};
    ADI_TRY(begin_stream(type, batch, chunks, &stream));
    int code = adi_async_producer_open(NULL, &stream, &handler, &producer, NULL);
    if (code != 0) {
        stream.release(&stream);
        return code;
    }
    code = adi_async_producer_start(producer, NULL);
    if (code == 0) adi_async_producer_join(producer);
    adi_async_producer_close(producer);
    return code != 0                  ? code
           : consumer.code != 0       ? consumer.code
           : consumer.taken == chunks ? 0
                                      : EIO;
}
