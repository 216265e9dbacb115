/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "export.h"
#include "import.h"
#include "move.h"
#include "schema.h"
#include "vpi.h"

static struct adi_error error;
static const struct adi_host *host;
static struct adi_device device; /* a worker judges one */

/* The model is asked for when it is needed: a worker that only asks for roles has none. */
static struct adi_device *device_of(ArrowDeviceType type, int64_t id) {
    if (type != ARROW_DEVICE_VPI) return NULL;
    if (device.ops == NULL && driver_attach(host, id, &device) != 0) return NULL;
    device.ops = &base.ops;
    return device.id == id ? &device : NULL;
}

static int open_adapter(struct adi_adapter *self, const struct adi_host *offered) {
    (void)self;
    host = offered;
    return 0;
}

static unsigned roles(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    (void)self;
    return type == ARROW_DEVICE_VPI && id >= 0 && id < ADI_VPI_MODELS ? base.roles : 0;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *values,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self;
    if (device_of(type, id) == NULL) return ENOTSUP;
    ADI_TRY(adi_produce(&device, schema, values, out, &error));
    if (base.exported != NULL) base.exported(out);
    adi_schema_move(schema, schema_out);
    return 0;
}

int base_read(struct adi_device *from, const struct ArrowSchema *schema,
              struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    return adi_copy_to_host(from, schema, in, host_out, &error);
}

static int take(const struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                struct ArrowDeviceArray *out) {
    if (base.given != NULL && device_of(in->device_type, in->device_id) != NULL)
        base.given(&device, in);
    if (schema->release == NULL) return EINVAL;
    if (device_of(in->device_type, in->device_id) == NULL) return ENOTSUP;
    return adi_import(&device, schema, in, out, &error);
}

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    struct ArrowDeviceArray array;
    (void)self;
    ADI_TRY(take(schema, in, &array));
    int code = base.read(&device, schema, &array, host_out);
    adi_device_array_release(&array);
    if (base.released != NULL) base.released(&device);
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

struct vpi_base base = {.roles = ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS, .read = base_read};

struct adi_adapter *adi_adapter(void) {
    static struct adi_adapter adapter = {.size = sizeof adapter,
                                         .version = ADI_ADAPTER_VERSION,
                                         .name = "vpi base",
                                         .release_name = "1",
                                         .roles = roles,
                                         .open = open_adapter,
                                         .produce = produce,
                                         .consume = consume,
                                         .relay = relay,
                                         .last_error = last_error};
    base.ops = driver_ops;
    mutate();
    return &adapter;
}
