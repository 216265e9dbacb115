/* SPDX-License-Identifier: Apache-2.0 */
#include "device_base.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "async_consumer.h"
#include "async_producer.h"
#include "dlpack_stream.h"
#include "dlpack_type.h"
#include "export.h"
#include "import.h"
#include "move.h"
#include "schema.h"
#include "stream.h"
#include "tensor_array.h"

static pthread_t driver; /* of an asynchronous stream */
static bool has_driver;
static struct adi_error error;
static struct adi_device devices[ADI_DEVICE_IDS];
static void *seconds[ADI_DEVICE_IDS]; /* queues */
static struct adi_device *last;

struct device_base base = {.roles = ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS,
                           .read = base_read,
                           .ask = base_ask,
                           .stream = base_stream_number};

/* ---- devices ---- */

static struct adi_device *open_once(int64_t id) {
    if (id < 0 || id >= ADI_DEVICE_IDS) return NULL;
    if (devices[id].ops == NULL && base.ops.open(id, &devices[id], &error) != 0) return NULL;
    devices[id].ops = &base.ops;
    return &devices[id];
}

static struct adi_device *device_of(ArrowDeviceType type, int64_t id) {
    if (type != base.right.type) return NULL;
    last = open_once(base.other ? 1 - id : id);
    return last;
}

struct adi_device *base_last(void) {
    return last;
}

struct adi_device *base_other(struct adi_device *device) {
    return open_once(1 - device->id);
}

void *base_second_queue(struct adi_device *device) {
    void **second = &seconds[device->id];
    if (*second == NULL && base.right.queue_open(device, second, NULL) != 0) abort();
    return *second;
}

int base_event_of_both(struct adi_device *device, void **sync_event, struct adi_error *why) {
    void *second;
    ADI_TRY(device->ops->record_on(device, base_second_queue(device), &second, why));
    int code = device->ops->wait(device, second, why);
    device->ops->event_free(device, second);
    return code == 0 ? base.right.event(device, sync_event, why) : code;
}

void *base_lent(int64_t id, const char *what) {
    return (void *)(uintptr_t)base.host->get(base.host, base.right.type, id, what);
}

void (*base_function(const char *name))(void) {
    static void *library;
    void (*function)(void);
    if (library == NULL)
        library = dlopen(base.right.native_handle(last, base_kind.library), RTLD_NOW | RTLD_NOLOAD);
    *(void **)(void *)&function = dlsym(library, name);
    return function;
}

/* ---- the adapter ---- */

static int open_adapter(struct adi_adapter *self, const struct adi_host *host) {
    (void)self;
    base.host = host;
    return 0;
}

/* One at a time is driven. */
static void await_driver(void) {
    if (has_driver) pthread_join(driver, NULL);
    has_driver = false;
}

static void close_all(struct adi_adapter *self) {
    (void)self;
    await_driver();
    if (base.ends != NULL) base.ends();
    for (int id = 0; id < ADI_DEVICE_IDS; id++)
        if (devices[id].ops != NULL) base.ops.close(&devices[id]);
}

static unsigned roles(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    (void)self;
    if (type != base.right.type) return 0;
    return base_kind.is_handed_out || device_of(type, id) != NULL ? base.roles : 0;
}

static void enter(void) {
    if (base_kind.enter != NULL) base_kind.enter(last);
}

static void leave(void) {
    if (base_kind.leave != NULL) base_kind.leave();
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *values,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self;
    if (device_of(type, id) == NULL) return ENOTSUP;
    enter();
    int code = adi_produce(last, schema, values, out, &error);
    if (code == 0) out->device_id = id;
    if (code == 0 && base.exported != NULL) base.exported(out);
    leave();
    if (code != 0) return code;
    adi_schema_move(schema, schema_out);
    return 0;
}

int base_read(struct adi_device *device, const struct ArrowSchema *schema,
              struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    return adi_copy_to_host(device, schema, in, host_out, &error);
}

static int take(const struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                struct ArrowDeviceArray *out) {
    struct adi_device *device = device_of(in->device_type, in->device_id);
    if (base.given != NULL && device != NULL) base.given(device, in);
    if (schema->release == NULL) return EINVAL;
    if (device == NULL) return ENOTSUP;
    return adi_import(device, schema, in, out, &error);
}

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    struct ArrowDeviceArray array;
    (void)self;
    ADI_TRY(take(schema, in, &array));
    enter();
    int code = base.read(last, schema, &array, host_out);
    adi_device_array_release(&array);
    if (base.released != NULL) base.released(last);
    leave();
    if (code == 0) adi_schema_move(schema, schema_out);
    return code;
}

static int relay(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self;
    ADI_TRY(take(schema, in, out));
    if (base.exported != NULL) base.exported(out);
    adi_schema_move(schema, schema_out);
    return 0;
}

/* ---- streams ---- */

/* The callback that was there before the base's: chunks get the same last touch as arrays. */
static int (*produced_next)(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out);

static int touched_next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    enter();
    int code = produced_next(self, out);
    if (code == 0 && out->array.release != NULL && base.exported != NULL) base.exported(out);
    leave();
    return code;
}

static int produce_stream(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                          struct ArrowArrayStream *host, struct ArrowDeviceArrayStream *out) {
    (void)self;
    if (device_of(type, id) == NULL) return ENOTSUP;
    static const struct adi_chunk_plan turns[] = {{0, ADI_CHUNK_PENDING}, {1, ADI_CHUNK_PENDING}};
    struct adi_device *all[] = {last, base.on_both ? base_other(last) : last};
    const struct adi_stream_plan plan = {all, 2, turns, 2};
    if (all[1] == NULL) return ENOTSUP;
    if (base.begins != NULL) base.begins();
    ADI_TRY(adi_stream_produce(&plan, host, out, &error));
    produced_next = out->get_next;
    out->get_next = touched_next;
    return 0;
}

static int consume_stream(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                          struct ArrowArrayStream *host_out) {
    struct adi_device *all[ADI_DEVICE_IDS];
    size_t n = 0;
    (void)self;
    if (in->release == NULL) return EINVAL;
    if (device_of(in->device_type, 0) == NULL) return ENOTSUP;
    for (int64_t id = 0; id < 2; id++)
        if ((all[n] = open_once(id)) != NULL) n++;
    if (base.begins != NULL) base.begins();
    return adi_stream_copy_to_host(all, n, in, host_out, &error);
}

/* ---- asynchronous streams ---- */

static struct adi_async_consumer *consumer;

static void *drive(void *producer) {
    adi_async_producer_run(producer);
    adi_async_producer_close(producer);
    return NULL;
}

static int produce_async(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                         struct ArrowArrayStream *host,
                         struct ArrowAsyncDeviceStreamHandler *handler) {
    struct ArrowDeviceArrayStream stream;
    struct adi_async_producer *producer;
    await_driver();
    ADI_TRY(produce_stream(self, type, id, host, &stream));
    int code = adi_async_producer_open(NULL, &stream, handler, &producer, &error);
    if (code != 0) {
        stream.release(&stream);
        return code;
    }
    has_driver = pthread_create(&driver, NULL, drive, producer) == 0;
    if (!has_driver) drive(producer);
    return 0;
}

static int consume_async(struct adi_adapter *self, struct ArrowAsyncDeviceStreamHandler *handler,
                         int64_t batches_at_once) {
    struct adi_device *all[2];
    size_t n = 0;
    (void)self;
    for (int64_t id = 0; id < 2; id++)
        if ((all[n] = open_once(id)) != NULL) n++;
    if (base.begins != NULL) base.begins();
    const struct adi_async_consume how = {
        .devices = all, .n_devices = n, .at_once = batches_at_once};
    return adi_async_consumer_open(&how, handler, &consumer, &error);
}

static int consume_async_finish(struct adi_adapter *self, struct ArrowArrayStream *host_out) {
    struct adi_batches batches;
    (void)self;
    adi_async_consumer_wait(consumer);
    adi_async_consumer_close(consumer, &batches);
    int code = adi_batches_stream(&batches, host_out, &error);
    if (code != 0) adi_batches_release(&batches);
    return code;
}

/* ---- tensors ---- */

static int (*produced_ask)(struct adi_dlpack_array *, const struct adi_dlpack_request *,
                           struct adi_dlpack_tensor *out);

int base_ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
             struct adi_dlpack_tensor *out) {
    return produced_ask(self, request, out);
}

static int ask(struct adi_dlpack_array *self, const struct adi_dlpack_request *request,
               struct adi_dlpack_tensor *out) {
    enter();
    int code = base.ask(self, request, out);
    leave();
    return code;
}

static struct adi_device *device_of_tensor(DLDevice where) {
    ArrowDeviceType type;
    int64_t id;
    if (adi_dlpack_device_to_arrow(where, &type, &id, &error) != 0) return NULL;
    return device_of(type, id);
}

static int produce_dlpack(struct adi_adapter *self, int32_t type, int32_t id,
                          const struct DLManagedTensorVersioned *host,
                          struct adi_dlpack_array *out) {
    const struct adi_dlpack from = {.versioned =
                                        (struct DLManagedTensorVersioned *)(uintptr_t)host};
    struct adi_dlpack_source *source;
    (void)self;
    if (device_of_tensor((DLDevice){(DLDeviceType)type, id}) == NULL) return ENOTSUP;
    enter();
    int code = adi_dlpack_produce(last, &from, ADI_DLPACK_READ_ONLY, &source, &error);
    leave();
    ADI_TRY(code);
    code = adi_tensor_array_open(source, &error, out);
    if (code != 0) {
        adi_dlpack_close(source);
        return code;
    }
    produced_ask = out->dlpack;
    out->dlpack = ask;
    return 0;
}

int64_t base_stream_number(struct adi_device *device) {
    return adi_dlpack_own_stream(device);
}

static int consume_dlpack(struct adi_adapter *self, struct adi_dlpack_array *in,
                          struct adi_dlpack_tensor *host_out) {
    struct adi_dlpack_arguments arguments = ADI_DLPACK_DEFAULTS;
    struct adi_dlpack_request request = {.size = sizeof request, .max_major = 1, .max_minor = 3};
    struct adi_dlpack_tensor given = {NULL, NULL};
    struct adi_dlpack copy;
    (void)self;
    if (device_of_tensor((DLDevice){(DLDeviceType)in->device_type, in->device_id}) == NULL)
        return ENOTSUP;
    request.copy = -1;
    request.stream = base.stream(last);
    arguments.stream = base_stream_number(last);
    ADI_TRY(in->dlpack(in, &request, &given));
    struct adi_dlpack tensor = {given.legacy, given.versioned};
    enter();
    int code = adi_dlpack_consume(last, &tensor, &arguments, &copy, &error);
    if (code != 0) adi_dlpack_delete(&tensor);
    if (base.released != NULL) base.released(last);
    leave();
    ADI_TRY(code);
    in->release(in);
    *host_out = (struct adi_dlpack_tensor){copy.legacy, copy.versioned};
    return 0;
}

static const char *last_error(struct adi_adapter *self) {
    (void)self;
    return error.text;
}

struct adi_adapter *adi_adapter(void) {
    static struct adi_adapter adapter = {.size = sizeof adapter,
                                         .version = ADI_ADAPTER_VERSION,
                                         .release_name = "1",
                                         .roles = roles,
                                         .open = open_adapter,
                                         .close = close_all,
                                         .produce = produce,
                                         .consume = consume,
                                         .relay = relay,
                                         .produce_stream = produce_stream,
                                         .consume_stream = consume_stream,
                                         .produce_async = produce_async,
                                         .consume_async = consume_async,
                                         .consume_async_finish = consume_async_finish,
                                         .produce_dlpack = produce_dlpack,
                                         .consume_dlpack = consume_dlpack,
                                         .last_error = last_error};
    adapter.name = base_kind.name;
    adapter.async_layout = (uint32_t)offsetof(struct ArrowAsyncProducer, additional_metadata);
    base.right = base.ops = *base_kind.device;
    if (base_kind.begin != NULL) base_kind.begin();
    mutate();
    return &adapter;
}
