/* SPDX-License-Identifier: Apache-2.0
 *
 * An implementation that brings its devices: two of type CUDA, made of host memory with real
 * events, and one that says why it is not there. What ADI_TEST_VENDOR names goes wrong.
 */
#include <adapter.h>
#include <device.h>
#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../ref/export.h"
#include "../../ref/host.h"
#include "../../ref/import.h"
#include "../../ref/move.h"

#define IDS       2
#define ALIGNMENT 64
#define CONTEXT   "vendor.context"

static int64_t held; /* bytes of buffers */
static const struct adi_host *harness;
static struct adi_error error;
static char context[IDS];

static bool goes_wrong(const char *what) {
    const char *wanted = getenv("ADI_TEST_VENDOR");
    return wanted != NULL && strcmp(wanted, what) == 0;
}

/* ---- the devices ---- */

static const struct adi_device_ops present;

static void probe(struct adi_device_probe *out) {
    *out = (struct adi_device_probe){.ids = {0, 1}, .count = IDS, .runtime = "vendor"};
}

static void probe_absent(struct adi_device_probe *out) {
    const char *file = getenv("ADI_TEST_FILE");
    if (goes_wrong("probe")) abort();
    if (goes_wrong("probe, once") && file != NULL && unlink(file) == 0) raise(SIGKILL);
    *out = (struct adi_device_probe){.runtime = "vendor"};
    adi_error_set(&out->why, ENODEV, "there is no driver");
}

static int open_device(int64_t id, struct adi_device *out, struct adi_error *why) {
    if (goes_wrong("open")) return adi_error_set(why, EBUSY, "device %" PRId64 " is busy", id);
    *out = (struct adi_device){&present, id, &context[id]};
    return 0;
}

static void close_device(struct adi_device *device) {
    device->state = NULL;
}

static int alloc(struct adi_device *device, int64_t bytes, void **buffer, struct adi_error *why) {
    (void)device;
    int code = posix_memalign(buffer, ALIGNMENT, (size_t)bytes);
    if (code != 0) return adi_error_set(why, code, "no memory for %" PRId64 " bytes", bytes);
    held += (int64_t)malloc_usable_size(*buffer);
    return 0;
}

static void free_buffer(struct adi_device *device, void *buffer) {
    (void)device;
    if (!goes_wrong("memory")) held -= (int64_t)malloc_usable_size(buffer);
    free(buffer);
}

static int write_now(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                     int64_t bytes, struct adi_error *why) {
    (void)device, (void)why;
    memcpy((char *)buffer + offset, from, (size_t)bytes);
    return 0;
}

static int read_now(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                    int64_t bytes, struct adi_error *why) {
    (void)device;
    return adi_host_read(buffer, offset, to, bytes, why);
}

static int event(struct adi_device *device, void **sync_event, struct adi_error *why) {
    (void)device;
    *sync_event = malloc(1);
    return *sync_event != NULL ? 0 : adi_error_set(why, ENOMEM, "no memory for an event");
}

static int wait_for(struct adi_device *device, void *sync_event, struct adi_error *why) {
    (void)device, (void)sync_event, (void)why;
    return 0;
}

static void event_free(struct adi_device *device, void *sync_event) {
    (void)device;
    free(sync_event);
}

static int checksum(struct adi_device *device, const void *buffer, int64_t offset, int64_t bytes,
                    uint64_t *sum, struct adi_error *why) {
    (void)device;
    const uint8_t *from = (const uint8_t *)buffer + offset;
    if (goes_wrong("sum-refused")) return adi_error_set(why, ENOTSUP, "no sums today");
    if (goes_wrong("sum-fails")) return adi_error_set(why, EIO, "the engine is stuck");
    if (goes_wrong("not-resident")) return adi_error_set(why, EFAULT, "it is not on the device");
    *sum = goes_wrong("sum");
    for (int64_t i = 0; i < bytes; i++) *sum += from[i];
    return 0;
}

static const void *native_handle(struct adi_device *device, const char *what) {
    return strcmp(what, CONTEXT) == 0 ? device->state : NULL;
}

static unsigned unobservable(int64_t id) {
    return id == 0 && goes_wrong("one queue") ? ADI_UNOBSERVABLE_QUEUES : 0;
}

static bool can_identify_buffer(struct adi_device *device, const void *buffer,
                                struct adi_error *why) {
    (void)device, (void)buffer;
    if (!goes_wrong("untold")) return true;
    adi_error_set(why, ENOTSUP, "nobody knows what this is");
    return false;
}

/* ---- a runtime that says of a call what no rule is mapped to ---- */

static void (*observed_by)(void *, enum adi_misuse, bool, const char *);
static void *observed_with;

static bool enter(bool implementation) {
    return implementation;
}

static void listen_to(void (*observed)(void *, enum adi_misuse, bool, const char *), void *with) {
    observed_by = observed;
    observed_with = with;
}

static void pause_queue(bool implementation) {
    (void)implementation;
}

static void resume_queue(void) {}

static bool is_none(const void *object) {
    (void)object;
    return false;
}

static size_t none(void) {
    return 0;
}

static bool covers(const void *event_at, const void *buffer) {
    (void)event_at, (void)buffer;
    return true;
}

static const char *how_to_mend(void) {
    return "call it by its new name";
}

static const struct adi_interceptor *interceptor(void) {
    static const struct adi_interceptor all = {.size = sizeof all,
                                               .enter = enter,
                                               .subscribe = listen_to,
                                               .pause = pause_queue,
                                               .resume = resume_queue,
                                               .pending = is_none,
                                               .used = is_none,
                                               .references = none,
                                               .covers = covers,
                                               .mend = how_to_mend};
    return goes_wrong("unmapped") || goes_wrong("unknown") ? &all : NULL;
}

static void misuse(void) {
    if (observed_by == NULL) return;
    int kind = goes_wrong("unknown") ? 99 : ADI_MISUSE_UNMAPPED;
    for (int i = 0; i < 2; i++)
        observed_by(observed_with, (enum adi_misuse)kind, false, "vendorCall: by its old name");
}

static const struct adi_device_ops absent = {
    .size = sizeof absent,
    .type = ARROW_DEVICE_WEBGPU,
    .name = "webgpu",
    .probe = probe_absent,
};

static const struct adi_device_ops present = {
    .size = sizeof present,
    .type = ARROW_DEVICE_CUDA,
    .name = "cuda",
    .probe = probe,
    .open = open_device,
    .close = close_device,
    .alloc = alloc,
    .free = free_buffer,
    .write = write_now,
    .read = read_now,
    .event = event,
    .wait = wait_for,
    .wait_host = wait_for,
    .checksum = checksum,
    .event_free = event_free,
    .native_handle = native_handle,
    .unobservable = unobservable,
    .can_identify_buffer = can_identify_buffer,
    .interceptor = interceptor,
};

/* ---- the implementation ---- */

static struct adi_device *device_of(int64_t id) {
    static struct adi_device devices[IDS];
    if (id < 0 || id >= IDS) return NULL;
    devices[id] = (struct adi_device){&present, id, &context[id]};
    return &devices[id];
}

static unsigned roles(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    (void)self;
    return type == ARROW_DEVICE_CUDA && device_of(id) != NULL
               ? ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS
               : 0;
}

static int open_adapter(struct adi_adapter *self, const struct adi_host *host) {
    (void)self;
    harness = host;
    return 0;
}

/* The harness has this device open too, and no other; its context is found by name. */
static int look_for_context(int64_t id) {
    const void *mine = harness->get(harness, ARROW_DEVICE_CUDA, id, CONTEXT);
    if (mine == &context[id] && harness->get(harness, ARROW_DEVICE_CUDA, id, "other") == NULL &&
        harness->get(harness, ARROW_DEVICE_CUDA, 1 - id, CONTEXT) == NULL &&
        harness->get(harness, ARROW_DEVICE_WEBGPU, id, CONTEXT) == NULL)
        return 0;
    return adi_error_set(&error, EPROTO, "the harness hands out another context");
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self, (void)type;
    misuse();
    ADI_TRY(look_for_context(id));
    ADI_TRY(adi_produce(device_of(id), schema, host, out, &error));
    adi_schema_move(schema, schema_out);
    if (goes_wrong("type")) out->device_type = ARROW_DEVICE_ROCM;
    if (goes_wrong("id")) out->device_id = 1 - id;
    return 0;
}

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    (void)self;
    struct adi_device *device = device_of(in->device_id);
    if (schema->release == NULL || device == NULL)
        return adi_error_set(&error, EINVAL, "nothing that can be taken");
    ADI_TRY(adi_consume(device, schema, in, host_out, &error));
    adi_schema_move(schema, schema_out);
    if (goes_wrong("copy")) host_out->length = -1;
    if (goes_wrong("copy's type")) schema_out->format = "l";
    return 0;
}

static int relay(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self;
    ADI_TRY(adi_import(device_of(in->device_id), schema, in, out, &error));
    adi_schema_move(schema, schema_out);
    if (goes_wrong("relay")) out->device_id = 1 - out->device_id;
    return 0;
}

static int64_t bytes_allocated(struct adi_adapter *self) {
    (void)self;
    return held;
}

static const char *last_error(struct adi_adapter *self) {
    (void)self;
    return error.text;
}

static const struct adi_device_ops *device(struct adi_adapter *self, ArrowDeviceType type) {
    (void)self;
    return type == ARROW_DEVICE_CUDA ? &present : type == ARROW_DEVICE_WEBGPU ? &absent : NULL;
}

static struct adi_adapter vendor = {
    .size = sizeof vendor,
    .version = ADI_ADAPTER_VERSION,
    .name = "vendor",
    .release_name = "1",
    .roles = roles,
    .open = open_adapter,
    .produce = produce,
    .consume = consume,
    .relay = relay,
    .bytes_allocated = bytes_allocated,
    .last_error = last_error,
    .device = device,
};

struct adi_adapter *adi_adapter(void) {
    return &vendor;
}
