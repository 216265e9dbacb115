/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "export.h"
#include "import.h"
#include "move.h"
#include "schema.h"
#include "vulkan_mutant.h"

static struct adi_error error;
static struct adi_device devices[ADI_DEVICE_IDS];
static const struct adi_host *host_of;

static struct adi_device *device_of(int64_t id) {
    if (id < 0 || id >= ADI_DEVICE_IDS) return NULL;
    if (devices[id].ops == NULL && base.ops.open(id, &devices[id], &error) != 0) return NULL;
    devices[id].ops = &base.ops;
    return &devices[id];
}

static const void *native(void *unused, int64_t id, const char *what) {
    (void)unused;
    return host_of->get(host_of, ARROW_DEVICE_VULKAN, id, what);
}

static unsigned roles(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    (void)self;
    (void)id;
    return type == ARROW_DEVICE_VULKAN ? base.roles : 0;
}

static int open_all(struct adi_adapter *self, const struct adi_host *host) {
    (void)self;
    host_of = host;
    adi_vulkan_borrow(native, NULL);
    return 0;
}

static void close_all(struct adi_adapter *self) {
    (void)self;
    if (base.ends != NULL) base.ends();
    for (int id = 0; id < ADI_DEVICE_IDS; id++)
        if (devices[id].ops != NULL) adi_device_vulkan.close(&devices[id]);
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self;
    if (type != ARROW_DEVICE_VULKAN || device_of(id) == NULL) return ENOTSUP;
    ADI_TRY(adi_produce(device_of(id), schema, host, out, &error));
    if (base.exported != NULL) base.exported(device_of(id), out);
    adi_schema_move(schema, schema_out);
    return 0;
}

int base_read(struct adi_device *device, const struct ArrowSchema *schema,
              struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    return adi_copy_to_host(device, schema, in, host_out, &error);
}

static int take(const struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                struct ArrowDeviceArray *out) {
    if (schema->release == NULL) return EINVAL;
    if (in->device_type != ARROW_DEVICE_VULKAN || device_of(in->device_id) == NULL) return ENOTSUP;
    return adi_import(device_of(in->device_id), schema, in, out, &error);
}

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    struct ArrowDeviceArray array;
    (void)self;
    int64_t id = in->device_id;
    ADI_TRY(take(schema, in, &array));
    int code = base.read(device_of(array.device_id), schema, &array, host_out);
    adi_device_array_release(&array);
    if (base.released != NULL) base.released(device_of(id));
    if (code == 0) adi_schema_move(schema, schema_out);
    return code;
}

static int relay(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self;
    ADI_TRY(take(schema, in, out));
    if (base.exported != NULL) base.exported(device_of(out->device_id), out);
    adi_schema_move(schema, schema_out);
    return 0;
}

static const char *last_error(struct adi_adapter *self) {
    (void)self;
    return error.text;
}

struct vulkan_base base = {.roles = ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS, .read = base_read};

struct adi_adapter *adi_adapter(void) {
    static struct adi_adapter adapter = {.size = sizeof adapter,
                                         .version = ADI_ADAPTER_VERSION,
                                         .name = "vulkan base",
                                         .release_name = "1",
                                         .roles = roles,
                                         .open = open_all,
                                         .close = close_all,
                                         .produce = produce,
                                         .consume = consume,
                                         .relay = relay,
                                         .last_error = last_error};
    base.ops = adi_device_vulkan;
    mutate();
    return &adapter;
}
