/* SPDX-License-Identifier: Apache-2.0 */
#include "reference.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "async_consumer.h"
#include "async_producer.h"
#include "device_types.h"
#include "devices.h"
#include "dlpack_stream.h"
#include "dlpack_type.h"
#include "export.h"
#include "import.h"
#include "move.h"
#include "stream.h"
#include "tensor_array.h"
#include "turns.h"

#define OPEN_DEVICES 32

static struct {
    struct adi_device devices[OPEN_DEVICES];
    int n;
    struct adi_error error;
} reference;

/* Opened at the first use, and kept: exported arrays refer to it. */
static int device_for(ArrowDeviceType type, int64_t id, struct adi_device **out) {
    const struct adi_device_ops *ops = adi_device_of(type);
    if (ops == NULL)
        return adi_error_set(&reference.error, ENOTSUP, "there is no device of type %d", type);
    if (adi_device_type_of(type)->ids == ADI_IDS_NONE) id = -1;
    for (int i = 0; i < reference.n; i++) {
        *out = &reference.devices[i];
        if ((*out)->ops == ops && (*out)->id == id) return 0;
    }
    if (reference.n == OPEN_DEVICES)
        return adi_error_set(&reference.error, ENOMEM, "%d devices are open", reference.n);
    *out = &reference.devices[reference.n];
    ADI_TRY(ops->open(id, *out, &reference.error));
    reference.n++;
    return 0;
}

static unsigned roles(struct adi_adapter *adapter, ArrowDeviceType type, int64_t id) {
    struct adi_device *device;
    (void)adapter;
    return device_for(type, id, &device) == 0
               ? ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS | ADI_PRODUCES_STREAM |
                     ADI_CONSUMES_STREAM | ADI_RELAYS_STREAM | ADI_ARRAY_STREAMS |
                     ADI_PRODUCES_ASYNC | ADI_CONSUMES_ASYNC | ADI_PRODUCES_DLPACK |
                     ADI_CONSUMES_DLPACK
               : 0;
}

/* ---- asynchronous streams ---- */

/* Each has a thread of its own, and devices live until the last of them has ended. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int live;
} threads = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

static void count_threads(int more) {
    pthread_mutex_lock(&threads.lock);
    threads.live += more;
    pthread_cond_broadcast(&threads.changed);
    pthread_mutex_unlock(&threads.lock);
}

static void await_threads(void) {
    pthread_mutex_lock(&threads.lock);
    while (threads.live > 0) pthread_cond_wait(&threads.changed, &threads.lock);
    pthread_mutex_unlock(&threads.lock);
}

static void *run_producer(void *producer) {
    adi_async_producer_run(producer);
    adi_async_producer_close(producer);
    count_threads(-1);
    return NULL;
}

static int produce_async(struct adi_adapter *adapter, ArrowDeviceType type, int64_t id,
                         struct ArrowArrayStream *host,
                         struct ArrowAsyncDeviceStreamHandler *handler) {
    struct ArrowDeviceArrayStream stream;
    struct adi_async_producer *producer;
    struct adi_device *device;
    pthread_t thread;
    (void)adapter;
    ADI_TRY(device_for(type, id, &device));
    const struct adi_stream_plan plan = {&device, 1, NULL, 0};
    ADI_TRY(adi_stream_produce(&plan, host, &stream, &reference.error));
    const struct adi_async_produce how = {.schedule = adi_turns_offer()};
    int code = adi_async_producer_open(&how, &stream, handler, &producer, &reference.error);
    if (code != 0) {
        adi_device_array_stream_release(&stream);
        return code;
    }
    count_threads(1);
    if (pthread_create(&thread, NULL, run_producer, producer) == 0)
        pthread_detach(thread);
    else
        run_producer(producer);
    return 0;
}

static void close_all(struct adi_adapter *adapter) {
    (void)adapter;
    await_threads();
    while (reference.n > 0) {
        struct adi_device *device = &reference.devices[--reference.n];
        device->ops->close(device);
    }
}

static int live(const struct ArrowSchema *schema) {
    if (schema->release != NULL) return 0;
    return adi_error_set(&reference.error, EINVAL, "the schema is released");
}

static int produce(struct adi_adapter *adapter, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    struct adi_device *device;
    (void)adapter;
    ADI_TRY(device_for(type, id, &device));
    ADI_TRY(live(schema));
    ADI_TRY(adi_produce(device, schema, host, out, &reference.error));
    adi_schema_move(schema, schema_out);
    return 0;
}

static int consume(struct adi_adapter *adapter, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    struct adi_device *device;
    (void)adapter;
    ADI_TRY(live(schema));
    ADI_TRY(device_for(in->device_type, in->device_id, &device));
    ADI_TRY(adi_consume(device, schema, in, host_out, &reference.error));
    adi_schema_move(schema, schema_out);
    return 0;
}

static int relay(struct adi_adapter *adapter, struct ArrowSchema *schema,
                 struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                 struct ArrowDeviceArray *out) {
    struct adi_device *device;
    (void)adapter;
    ADI_TRY(live(schema));
    ADI_TRY(device_for(in->device_type, in->device_id, &device));
    ADI_TRY(adi_import(device, schema, in, out, &reference.error));
    adi_schema_move(schema, schema_out);
    return 0;
}

static int produce_stream(struct adi_adapter *adapter, ArrowDeviceType type, int64_t id,
                          struct ArrowArrayStream *host, struct ArrowDeviceArrayStream *out) {
    struct adi_device *device;
    (void)adapter;
    ADI_TRY(device_for(type, id, &device));
    const struct adi_stream_plan plan = {&device, 1, NULL, 0};
    return adi_stream_produce(&plan, host, out, &reference.error);
}

/* All devices of a type that are open; a chunk may be on any of them. */
static size_t devices_of(ArrowDeviceType type, struct adi_device *out[OPEN_DEVICES]) {
    struct adi_device *first;
    size_t n = 0;
    for (int64_t id = adi_device_type_of(type)->ids == ADI_IDS_NONE ? -1 : 0; id < ADI_DEVICE_IDS;
         id++)
        if (device_for(type, id, &first) != 0 && id > 0) break;
    for (int i = 0; i < reference.n; i++)
        if (reference.devices[i].ops->type == type) out[n++] = &reference.devices[i];
    return n;
}

static int consume_stream(struct adi_adapter *adapter, struct ArrowDeviceArrayStream *in,
                          struct ArrowArrayStream *host_out) {
    struct adi_device *devices[OPEN_DEVICES];
    (void)adapter;
    if (in->release == NULL)
        return adi_error_set(&reference.error, EINVAL, "the stream is released");
    size_t n = adi_device_of(in->device_type) == NULL ? 0 : devices_of(in->device_type, devices);
    if (n == 0)
        return adi_error_set(&reference.error, ENOTSUP, "there is no device of type %d",
                             in->device_type);
    return adi_stream_copy_to_host(devices, n, in, host_out, &reference.error);
}

/* Its callbacks, behind a structure of one's own. */
struct relayed {
    struct ArrowDeviceArrayStream in;
};

static int relayed_schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    struct relayed *relayed = self->private_data;
    return relayed->in.get_schema(&relayed->in, out);
}

static int relayed_next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct relayed *relayed = self->private_data;
    return relayed->in.get_next(&relayed->in, out);
}

static const char *relayed_error(struct ArrowDeviceArrayStream *self) {
    struct relayed *relayed = self->private_data;
    return relayed->in.get_last_error(&relayed->in);
}

static void relayed_release(struct ArrowDeviceArrayStream *self) {
    struct relayed *relayed = self->private_data;
    adi_device_array_stream_release(&relayed->in);
    free(relayed);
    self->release = NULL;
}

static int relay_stream(struct adi_adapter *adapter, struct ArrowDeviceArrayStream *in,
                        struct ArrowDeviceArrayStream *out) {
    (void)adapter;
    if (in->release == NULL)
        return adi_error_set(&reference.error, EINVAL, "the stream is released");
    struct relayed *relayed = malloc(sizeof *relayed);
    if (relayed == NULL) return adi_error_set(&reference.error, ENOMEM, "no memory for a stream");
    const ArrowDeviceType type = in->device_type;
    adi_device_array_stream_move(in, &relayed->in);
    *out = (struct ArrowDeviceArrayStream){type,          relayed_schema,  relayed_next,
                                           relayed_error, relayed_release, relayed};
    return 0;
}

static struct adi_async_consumer *consumer; /* one at a time */
static int (*consumers_schema)(struct ArrowAsyncDeviceStreamHandler *, struct ArrowSchema *);

/* What is not open has no type. */
static void mark_closed(void) {
    static const struct adi_device_ops closed = {.type = -1};
    for (int i = reference.n; i < OPEN_DEVICES; i++) reference.devices[i].ops = &closed;
}

/* Which devices it needs is known from here on; until then none is open, or others are. */
static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    struct adi_device *devices[OPEN_DEVICES];
    const ArrowDeviceType type = self->producer->device_type;
    if (adi_device_of(type) != NULL) devices_of(type, devices);
    mark_closed();
    return consumers_schema(self, schema);
}

static int consume_async(struct adi_adapter *adapter, struct ArrowAsyncDeviceStreamHandler *handler,
                         int64_t batches_at_once) {
    struct adi_device *devices[OPEN_DEVICES];
    (void)adapter;
    for (int i = 0; i < OPEN_DEVICES; i++) devices[i] = &reference.devices[i];
    mark_closed();
    /* Under schedules tasks are extracted by the thread that blocks, if there may be several: there
     * it makes a difference who goes on. */
    struct adi_async_schedule *schedule = adi_turns_offer();
    const struct adi_async_consume how = {
        .devices = devices,
        .n_devices = OPEN_DEVICES,
        .at_once = batches_at_once,
        .extracts = schedule != NULL && batches_at_once > 1 ? ADI_ASYNC_LATER : ADI_ASYNC_WITHIN,
        .schedule = schedule};
    ADI_TRY(adi_async_consumer_open(&how, handler, &consumer, &reference.error));
    consumers_schema = handler->on_schema;
    handler->on_schema = on_schema;
    return 0;
}

static int consume_async_finish(struct adi_adapter *adapter, struct ArrowArrayStream *host_out) {
    struct adi_batches batches;
    (void)adapter;
    adi_async_consumer_wait(consumer);
    adi_async_consumer_close(consumer, &batches);
    int code = adi_batches_stream(&batches, host_out, &reference.error);
    if (code != 0) adi_batches_release(&batches);
    return code;
}

/* ---- tensors ---- */

static int device_of_tensor(DLDevice where, struct adi_device **out) {
    ArrowDeviceType type;
    int64_t id;
    ADI_TRY(adi_dlpack_device_to_arrow(where, &type, &id, &reference.error));
    return device_for(type, id, out);
}

static int produce_dlpack(struct adi_adapter *adapter, int32_t type, int32_t id,
                          const struct DLManagedTensorVersioned *host,
                          struct adi_dlpack_array *out) {
    const struct adi_dlpack from = {.versioned =
                                        (struct DLManagedTensorVersioned *)(uintptr_t)host};
    struct adi_dlpack_source *source;
    struct adi_device *device;
    (void)adapter;
    ADI_TRY(device_of_tensor((DLDevice){(DLDeviceType)type, id}, &device));
    ADI_TRY(adi_dlpack_produce(device, &from, ADI_DLPACK_READ_ONLY, &source, &reference.error));
    int code = adi_tensor_array_open(source, &reference.error, out);
    if (code != 0) adi_dlpack_close(source);
    return code;
}

static int consume_dlpack(struct adi_adapter *adapter, struct adi_dlpack_array *in,
                          struct adi_dlpack_tensor *host_out) {
    struct adi_dlpack_arguments arguments = ADI_DLPACK_DEFAULTS;
    struct adi_dlpack_request request = {.size = sizeof request, .max_major = 1, .max_minor = 3};
    struct adi_dlpack_tensor given = {NULL, NULL};
    struct adi_dlpack copy;
    struct adi_device *device;
    (void)adapter;
    ADI_TRY(device_of_tensor((DLDevice){(DLDeviceType)in->device_type, in->device_id}, &device));
    request.copy = -1;
    request.stream = arguments.stream = adi_dlpack_own_stream(device);
    int code = in->dlpack(in, &request, &given);
    if (code != 0) return adi_error_set(&reference.error, code, "there is no tensor");
    struct adi_dlpack tensor = {given.legacy, given.versioned};
    code = adi_dlpack_consume(device, &tensor, &arguments, &copy, &reference.error);
    if (code != 0) {
        adi_dlpack_delete(&tensor);
        return code;
    }
    in->release(in);
    *host_out = (struct adi_dlpack_tensor){copy.legacy, copy.versioned};
    return 0;
}

static const char *last_error(struct adi_adapter *adapter) {
    (void)adapter;
    return reference.error.text;
}

struct adi_adapter *adi_reference_adapter(void) {
    static struct adi_adapter adapter = {
        .size = sizeof adapter,
        .version = ADI_ADAPTER_VERSION,
        .name = "adicheck reference",
        .release_name = ADI_VERSION,
        .async_layout = (uint32_t)offsetof(struct ArrowAsyncProducer, additional_metadata),
        .roles = roles,
        .close = close_all,
        .produce = produce,
        .consume = consume,
        .relay = relay,
        .produce_stream = produce_stream,
        .consume_stream = consume_stream,
        .relay_stream = relay_stream,
        .produce_async = produce_async,
        .consume_async = consume_async,
        .consume_async_finish = consume_async_finish,
        .produce_dlpack = produce_dlpack,
        .consume_dlpack = consume_dlpack,
        .last_error = last_error,
    };
    return &adapter;
}
