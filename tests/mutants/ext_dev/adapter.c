/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

#include "export.h"
#include "ext_dev.h"
#include "import.h"
#include "move.h"
#include "schema.h"

static struct adi_error error;
static const struct adi_host *host;
static struct adi_device devices[ADI_SIM_DEVICES];
static void *seconds[ADI_SIM_DEVICES]; /* queues */
static struct adi_device *last;

static struct adi_device *open_once(int64_t id) {
    if (devices[id].ops == NULL && adi_device_ext_dev.open(id, &devices[id], &error) != 0)
        return NULL;
    devices[id].ops = &base.ops;
    return &devices[id];
}

static struct adi_device *device_of(ArrowDeviceType type, int64_t id) {
    if (type != ARROW_DEVICE_EXT_DEV || id < 0 || id >= ADI_SIM_DEVICES) return NULL;
    last = open_once(base.other ? 1 - id : id);
    return last;
}

struct adi_device *base_device(void) {
    return last;
}

struct adi_device *base_other(struct adi_device *device) {
    return open_once(1 - device->id);
}

adi_sim_context base_context(struct adi_device *device) {
    return (adi_sim_context)(uintptr_t)adi_device_ext_dev.native(device, "ext_dev.context");
}

adi_sim_queue base_queue(struct adi_device *device) {
    return (adi_sim_queue)(uintptr_t)adi_device_ext_dev.native(device, "ext_dev.queue");
}

adi_sim_queue base_second_queue(struct adi_device *device) {
    void **second = &seconds[device->id];
    if (*second == NULL && adi_device_ext_dev.queue_open(device, second, NULL) != 0) abort();
    return *second;
}

adi_sim_queue base_lent_queue(int64_t id) {
    return (adi_sim_queue)(uintptr_t)host->get(host, ARROW_DEVICE_EXT_DEV, id, "ext_dev.queue");
}

void (*base_function(const char *name))(void) {
    static void *library;
    void (*function)(void);
    const char *path = adi_device_ext_dev.native(last, "ext_dev.library");
    if (library == NULL) library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    *(void **)(void *)&function = dlsym(library, name);
    return function;
}

/* ---- memory that the CPU may touch, too ---- */

static int alloc_shared(struct adi_device *device, int64_t bytes, void **buffer,
                        struct adi_error *why) {
    int code = SIM(alloc)(base_context(device), base.memory, (size_t)bytes, buffer);
    return code == 0 ? 0 : adi_error_set(why, code, "no memory for a buffer");
}

static void free_shared(struct adi_device *device, void *buffer) {
    SIM(queue_sync)(base_queue(device));
    SIM(free)(buffer);
}

/* ---- the adapter ---- */

static int open_adapter(struct adi_adapter *self, const struct adi_host *offered) {
    (void)self;
    host = offered;
    return 0;
}

static void close_all(struct adi_adapter *self) {
    (void)self;
    for (int id = 0; id < ADI_SIM_DEVICES; id++)
        if (devices[id].ops != NULL) adi_device_ext_dev.close(&devices[id]);
}

static unsigned roles(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    (void)self;
    return device_of(type, id) == NULL ? 0 : base.roles;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *values,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self;
    if (device_of(type, id) == NULL) return ENOTSUP;
    ADI_TRY(adi_produce(last, schema, values, out, &error));
    out->device_id = id;
    if (base.exported != NULL) base.exported(out);
    adi_schema_move(schema, schema_out);
    return 0;
}

int base_read(struct adi_device *device, const struct ArrowSchema *schema,
              struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    return adi_copy_to_host(device, schema, in, host_out, &error);
}

static int take(const struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                struct ArrowDeviceArray *out) {
    if (base.given != NULL && device_of(in->device_type, in->device_id) != NULL)
        base.given(device_of(in->device_type, in->device_id), in);
    if (schema->release == NULL) return EINVAL;
    if (device_of(in->device_type, in->device_id) == NULL) return ENOTSUP;
    return adi_import(last, schema, in, out, &error);
}

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    struct ArrowDeviceArray array;
    (void)self;
    ADI_TRY(take(schema, in, &array));
    int code = base.read(last, schema, &array, host_out);
    adi_device_array_release(&array);
    if (base.released != NULL) base.released(last);
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

static const char *last_error(struct adi_adapter *self) {
    (void)self;
    return error.text;
}

struct ext_dev_base base = {.roles = ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS, .read = base_read};

struct adi_adapter *adi_adapter(void) {
    static struct adi_adapter adapter = {.size = sizeof adapter,
                                         .version = ADI_ADAPTER_VERSION,
                                         .name = "ext_dev base",
                                         .release_name = "1",
                                         .roles = roles,
                                         .open = open_adapter,
                                         .close = close_all,
                                         .produce = produce,
                                         .consume = consume,
                                         .relay = relay,
                                         .last_error = last_error};
    base.ops = adi_device_ext_dev;
    mutate();
    if (base.memory != ADI_SIM_DEVICE) {
        base.ops.alloc = alloc_shared;
        base.ops.free = free_shared;
    }
    return &adapter;
}
