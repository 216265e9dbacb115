/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

#include "cuda.h"
#include "export.h"
#include "import.h"
#include "move.h"
#include "schema.h"

#define DEVICES 2

static struct adi_error error;
static const struct adi_host *host;
static struct adi_device devices[DEVICES];
static void *seconds[DEVICES]; /* streams */
static struct adi_device *last;

static struct adi_device *open_once(int64_t id) {
    if (devices[id].ops == NULL && base.device->open(id, &devices[id], &error) != 0) return NULL;
    devices[id].ops = &base.ops;
    return &devices[id];
}

static struct adi_device *device_of(ArrowDeviceType type, int64_t id) {
    if (type != base.device->type || id < 0 || id >= DEVICES) return NULL;
    last = open_once(base.other ? 1 - id : id);
    return last;
}

struct adi_device *base_device(void) {
    return last;
}

struct adi_device *base_other(struct adi_device *device) {
    return open_once(1 - device->id);
}

CUcontext base_context(struct adi_device *device) {
    return (CUcontext)(uintptr_t)base.device->native(device, "cuda.context");
}

CUstream base_stream(struct adi_device *device) {
    return (CUstream)(uintptr_t)base.device->native(device, "cuda.stream");
}

CUstream base_second_stream(struct adi_device *device) {
    void **second = &seconds[device->id];
    if (*second == NULL && base.device->queue_open(device, second, NULL) != 0) abort();
    return (CUstream)*second;
}

char *base_staging(void) {
    static void *staging;
    if (staging == NULL) CU(cuMemAllocHost_v2)(&staging, 1 << 20);
    return staging;
}

CUstream base_lent_stream(int64_t id) {
    return (CUstream)(uintptr_t)host->get(host, base.device->type, id, "cuda.stream");
}

void (*base_function(const char *name))(void) {
    static void *library;
    void (*function)(void);
    if (library == NULL)
        library = dlopen(base.device->native(last, "cuda.library"), RTLD_NOW | RTLD_NOLOAD);
    *(void **)(void *)&function = dlsym(library, name);
    return function;
}

/* ---- memory of another kind ---- */

static int alloc_other(struct adi_device *device, int64_t bytes, void **buffer,
                       struct adi_error *why) {
    CUdeviceptr made = 0;
    CUresult code = CUDA_SUCCESS;
    (void)device;
    if (base.memory == PINNED)
        return CU(cuMemAllocHost_v2)(buffer, (size_t)bytes) == 0 ? 0 : ENOMEM;
    if (base.memory == MANAGED)
        code = CU(cuMemAllocManaged)(&made, (size_t)bytes, CU_MEM_ATTACH_GLOBAL);
    else
        code = CU(cuMemAlloc_v2)(&made, (size_t)bytes);
    *buffer = (void *)(uintptr_t)made;
    return code == CUDA_SUCCESS ? 0 : adi_error_set(why, ENOMEM, "no memory for a buffer");
}

/* Whoever releases need not have a context. */
static void free_other(struct adi_device *device, void *buffer) {
    CUcontext context = base_context(device);
    CU(cuCtxPushCurrent_v2)(context);
    CU(cuStreamSynchronize)(base_stream(device));
    if (base.memory == PINNED)
        CU(cuMemFreeHost)(buffer);
    else
        CU(cuMemFree_v2)(base_address(buffer));
    CU(cuCtxPopCurrent_v2)(&context);
}

static int write_other(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                       int64_t bytes, struct adi_error *why) {
    CUdeviceptr to = base_address(buffer) + (CUdeviceptr)offset;
    (void)why;
    return CU(cuMemcpyAsync)(to, base_address(from), (size_t)bytes, base_stream(device)) == 0 ? 0
                                                                                              : EIO;
}

/* ---- the adapter ---- */

static int open_adapter(struct adi_adapter *self, const struct adi_host *offered) {
    (void)self;
    host = offered;
    return 0;
}

static void close_all(struct adi_adapter *self) {
    (void)self;
    for (int id = 0; id < DEVICES; id++)
        if (devices[id].ops != NULL) devices[id].ops->close(&devices[id]);
}

static unsigned roles(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    (void)self;
    return device_of(type, id) == NULL ? 0 : base.roles;
}

/* Its own context is current while the implementation runs. */
static void enter(void) {
    CU(cuCtxPushCurrent_v2)(base_context(last));
}

static void leave(void) {
    CUcontext context;
    if (!base.stays) CU(cuCtxPopCurrent_v2)(&context);
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

static const char *last_error(struct adi_adapter *self) {
    (void)self;
    return error.text;
}

struct cuda_base base = {.roles = ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS,
                         .device = &adi_device_cuda,
                         .read = base_read};

struct adi_adapter *adi_adapter(void) {
    static struct adi_adapter adapter = {.size = sizeof adapter,
                                         .version = ADI_ADAPTER_VERSION,
                                         .name = "cuda base",
                                         .release_name = "1",
                                         .roles = roles,
                                         .open = open_adapter,
                                         .close = close_all,
                                         .produce = produce,
                                         .consume = consume,
                                         .relay = relay,
                                         .last_error = last_error};
    base.ops = adi_device_cuda;
    mutate();
    return &adapter;
}

void base_is_for(const struct adi_device_ops *device) {
    base.device = device;
    base.ops = *device;
}

void base_allocates(enum cuda_memory memory) {
    base.memory = memory;
    base.ops.alloc = alloc_other;
    base.ops.free = free_other;
    base.ops.write = write_other;
}
