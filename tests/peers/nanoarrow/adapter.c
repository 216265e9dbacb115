/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows nanoarrow to adicheck: its C sources as they come in the source distribution, on the CPU
 * and, by its own CUDA device, in device memory and in pinned memory. All three go the same way:
 * ArrowDeviceArrayView reads what is given, ArrowDeviceArrayViewCopyAsync copies it to another
 * device, ArrowDeviceArrayMoveToDevice hands it on.
 */
#include <nanoarrow/nanoarrow.h>
#include <nanoarrow/nanoarrow_device.h>

#include <cuda.h>

#include "adapter.h"

#define DEVICES 16

static CUstream streams[DEVICES]; /* of CUDA, one for device memory and pinned memory alike */
static struct ArrowError error;

/* What nanoarrow takes for a stream: its address, or NULL for the CPU. Made when it is needed. */
static int stream_of(struct ArrowDevice *device, CUstream **out) {
    CUcontext context;
    *out = NULL;
    if (device->device_type == ARROW_DEVICE_CPU) return NANOARROW_OK;
    if (device->device_id >= DEVICES) return ENOTSUP;
    *out = &streams[device->device_id];
    if (**out != NULL) return NANOARROW_OK;
    if (cuDevicePrimaryCtxRetain(&context, (CUdevice)device->device_id) != CUDA_SUCCESS) return EIO;
    CUresult code = cuCtxPushCurrent(context);
    if (code == CUDA_SUCCESS) {
        code = cuStreamCreate(*out, CU_STREAM_NON_BLOCKING);
        cuCtxPopCurrent(&context);
    }
    cuDevicePrimaryCtxRelease((CUdevice)device->device_id); /* nanoarrow keeps one of its own */
    return code == CUDA_SUCCESS ? NANOARROW_OK : EIO;
}

static void close_adapter(struct adi_adapter *self) {
    (void)self;
    for (int i = 0; i < DEVICES; i++) {
        if (streams[i] == NULL) continue;
        cuStreamSynchronize(streams[i]);
        cuStreamDestroy(streams[i]);
        streams[i] = NULL;
    }
}

/* The device of an array, or NULL for what is released or of a device that is none. */
static struct ArrowDevice *device_of(const struct ArrowDeviceArray *array) {
    if (array->array.release == NULL) return NULL;
    return ArrowDeviceResolve(array->device_type, array->device_id);
}

static int copy(const struct ArrowSchema *schema, struct ArrowDeviceArray *from, void *from_stream,
                struct ArrowDevice *to, struct ArrowDeviceArray *out, void *stream) {
    struct ArrowDeviceArrayView view;
    ArrowDeviceArrayViewInit(&view);
    int code = ArrowArrayViewInitFromSchema(&view.array_view, schema, &error);
    if (code == NANOARROW_OK)
        code = ArrowDeviceArrayViewSetArrayAsync(&view, from, from_stream, &error);
    if (code == NANOARROW_OK) code = ArrowDeviceArrayViewCopyAsync(&view, to, out, stream);
    ArrowDeviceArrayViewReset(&view);
    return code;
}

/* Copies the schema beside an array that is there already: both, or neither. */
static int copy_schema_beside(struct ArrowSchema *schema, struct ArrowSchema *out,
                              struct ArrowArray *array) {
    int code = ArrowSchemaDeepCopy(schema, out);
    if (code == NANOARROW_OK)
        ArrowSchemaRelease(schema);
    else
        ArrowArrayRelease(array);
    return code;
}

static unsigned roles(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    (void)self, (void)id;
    int has =
        type == ARROW_DEVICE_CPU || type == ARROW_DEVICE_CUDA || type == ARROW_DEVICE_CUDA_HOST;
    return has ? ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS : 0;
}

/* The source goes at once, as in nanoarrow's own tests: drivers have read pageable memory when the
 * call returns. */
static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self;
    CUstream *stream;
    struct ArrowDeviceArray given;
    ArrowErrorInit(&error);
    struct ArrowDevice *device = ArrowDeviceResolve(type, id);
    if (device == NULL) return ENODEV;
    NANOARROW_RETURN_NOT_OK(stream_of(device, &stream));
    NANOARROW_RETURN_NOT_OK(ArrowDeviceArrayInit(ArrowDeviceCpu(), &given, host, NULL));
    int code = copy(schema, &given, NULL, device, out, stream);
    ArrowArrayRelease(&given.array);
    NANOARROW_RETURN_NOT_OK(code);
    return copy_schema_beside(schema, schema_out, &out->array);
}

/* "All pointers in src will remain valid until the stream is synchronized." */
static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    (void)self;
    CUstream *stream;
    struct ArrowDeviceArray copied;
    ArrowErrorInit(&error);
    struct ArrowDevice *device = device_of(in);
    if (device == NULL) return ENODEV;
    NANOARROW_RETURN_NOT_OK(stream_of(device, &stream));
    int code = copy(schema, in, stream, ArrowDeviceCpu(), &copied, stream);
    if (stream != NULL && cuStreamSynchronize(*stream) != CUDA_SUCCESS && code == NANOARROW_OK) {
        ArrowArrayRelease(&copied.array);
        code = EIO;
    }
    NANOARROW_RETURN_NOT_OK(code);
    NANOARROW_RETURN_NOT_OK(copy_schema_beside(schema, schema_out, &copied.array));
    ArrowArrayMove(&copied.array, host_out);
    ArrowArrayRelease(&in->array);
    return NANOARROW_OK;
}

/* Without a copy: shared from 0.9 on, but for what has an event, which has to go along. */
static int hand_on(struct ArrowDevice *device, struct ArrowDeviceArray *in,
                   struct ArrowDeviceArray *out) {
#if NANOARROW_VERSION_INT >= 900
    struct ArrowArray shared;
    if (device->device_type == ARROW_DEVICE_CPU) {
        NANOARROW_RETURN_NOT_OK(ArrowArrayMoveShared(&in->array, &shared));
        return ArrowDeviceArrayInit(device, out, &shared, NULL);
    }
#endif
    return ArrowDeviceArrayMoveToDevice(in, device, out);
}

static int relay(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self;
    ArrowErrorInit(&error);
    struct ArrowDevice *device = device_of(in);
    if (device == NULL) return ENODEV;
    NANOARROW_RETURN_NOT_OK(ArrowSchemaDeepCopy(schema, schema_out));
    int code = hand_on(device, in, out);
    ArrowSchemaRelease(code == NANOARROW_OK ? schema : schema_out);
    return code;
}

static const char *last_error(struct adi_adapter *self) {
    (void)self;
    return error.message;
}

struct adi_adapter *adi_adapter(void) {
    static struct adi_adapter adapter = {
        .size = sizeof adapter,
        .version = ADI_ADAPTER_VERSION,
        .name = "nanoarrow",
        .release_name = NANOARROW_VERSION,
        .roles = roles,
        .close = close_adapter,
        .produce = produce,
        .consume = consume,
        .relay = relay,
        .last_error = last_error,
    };
    return &adapter;
}
