/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "export.h"
#include "import.h"
#include "move.h"
#include "opencl.h"
#include "schema.h"

static struct adi_error error;
static struct adi_device devices[ADI_DEVICE_IDS];

static struct adi_device *device_of(int64_t id) {
    if (base.id >= 0) id = base.id;
    if (id < 0 || id >= ADI_DEVICE_IDS) return NULL;
    if (devices[id].ops == NULL && base.ops.open(id, &devices[id], &error) != 0) return NULL;
    devices[id].ops = &base.ops;
    return &devices[id];
}

cl_context base_context(struct adi_device *device) {
    return (cl_context)(uintptr_t)device->ops->native(device, "opencl.context");
}

cl_command_queue base_queue(struct adi_device *device) {
    return (cl_command_queue)(uintptr_t)device->ops->native(device, "opencl.queue");
}

cl_kernel base_kernel(struct adi_device *device, cl_context context, const char *source,
                      const char *name) {
    static cl_context of;
    static cl_kernel kernel;
    cl_device_id id = (cl_device_id)(uintptr_t)device->ops->native(device, "opencl.device");
    cl_int code;
    if (of == context) return kernel;
    of = context;
    cl_program program = base.api->clCreateProgramWithSource(context, 1, &source, NULL, &code);
    base.api->clBuildProgram(program, 1, &id, "", NULL, NULL);
    kernel = base.api->clCreateKernel(program, name, &code);
    base.api->clReleaseProgram(program);
    return kernel;
}

int base_queue_of(struct adi_device *device, const void *buffer, cl_context *context,
                  cl_command_queue *queue, struct adi_error *why) {
    cl_device_id id = (cl_device_id)(uintptr_t)device->ops->native(device, "opencl.device");
    cl_int code = base.api->clGetMemObjectInfo((cl_mem)(uintptr_t)buffer, CL_MEM_CONTEXT,
                                               sizeof *context, context, NULL);
    ADI_TRY(adi_opencl_check("clGetMemObjectInfo", code, why));
    *queue = base.api->clCreateCommandQueue(*context, id, 0, &code);
    return adi_opencl_check("clCreateCommandQueue", code, why);
}

static int take_host(struct adi_adapter *self, const struct adi_host *host) {
    (void)self;
    base.host = host;
    return 0;
}

static unsigned roles(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    (void)self;
    return type == ARROW_DEVICE_OPENCL && device_of(id) != NULL ? base.roles : 0;
}

static void close_all(struct adi_adapter *self) {
    (void)self;
    for (int id = 0; id < ADI_DEVICE_IDS; id++)
        if (devices[id].ops != NULL) adi_device_opencl.close(&devices[id]);
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self;
    if (type != ARROW_DEVICE_OPENCL || device_of(id) == NULL) return ENOTSUP;
    ADI_TRY(adi_produce(device_of(id), schema, host, out, &error));
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
    if (schema->release == NULL) return EINVAL;
    if (in->device_type != ARROW_DEVICE_OPENCL || device_of(in->device_id) == NULL) return ENOTSUP;
    return adi_import(device_of(in->device_id), schema, in, out, &error);
}

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    struct ArrowDeviceArray array;
    (void)self;
    ADI_TRY(take(schema, in, &array));
    int code = base.read(device_of(array.device_id), schema, &array, host_out);
    adi_device_array_release(&array);
    if (base.released != NULL) base.released(device_of(array.device_id));
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

struct opencl_base base = {
    .roles = ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS, .read = base_read, .id = -1};

struct adi_adapter *adi_adapter(void) {
    static struct adi_adapter adapter = {.size = sizeof adapter,
                                         .version = ADI_ADAPTER_VERSION,
                                         .name = "opencl base",
                                         .release_name = "1",
                                         .open = take_host,
                                         .roles = roles,
                                         .close = close_all,
                                         .produce = produce,
                                         .consume = consume,
                                         .relay = relay,
                                         .last_error = last_error};
    base.ops = adi_device_opencl;
    base.api = adi_opencl_api(&error);
    mutate();
    return &adapter;
}
