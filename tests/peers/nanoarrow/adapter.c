/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows nanoarrow to adicheck: its C sources as they come in the source distribution, on the CPU
 * and, by its own CUDA device, in device memory and in pinned memory. All three go the same way:
 * ArrowDeviceArrayView reads what is given, ArrowDeviceArrayViewCopyAsync copies it to another
 * device, ArrowDeviceArrayMoveToDevice hands it on. streams.c does so with streams.
 */
#include "peer.h"

#define DEVICES 16

static CUstream streams[DEVICES]; /* of CUDA, one for device memory and pinned memory alike */
struct ArrowError peer_error;

int peer_stream_of(struct ArrowDevice *device, CUstream **out) {
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

struct ArrowDevice *peer_device_of(const struct ArrowDeviceArray *array) {
    if (array->array.release == NULL) return NULL;
    return ArrowDeviceResolve(array->device_type, array->device_id);
}

static int copy(const struct ArrowSchema *schema, struct ArrowDeviceArray *from, void *from_stream,
                struct ArrowDevice *to, struct ArrowDeviceArray *out, CUstream *stream) {
    struct ArrowDeviceArrayView view;
    ArrowDeviceArrayViewInit(&view);
    int code = ArrowArrayViewInitFromSchema(&view.array_view, schema, &peer_error);
    if (code == NANOARROW_OK)
        code = ArrowDeviceArrayViewSetArrayAsync(&view, from, from_stream, &peer_error);
    if (code == NANOARROW_OK) code = ArrowDeviceArrayViewCopyAsync(&view, to, out, stream);
    ArrowDeviceArrayViewReset(&view);
    return code;
}

/* "All pointers in src will remain valid until the stream is synchronized." */
int peer_copy_and_wait(const struct ArrowSchema *schema, struct ArrowDeviceArray *from,
                       CUstream *from_stream, struct ArrowDevice *to, struct ArrowDeviceArray *out,
                       CUstream *stream) {
    int code = copy(schema, from, from_stream, to, out, stream);
    if (stream != NULL && cuStreamSynchronize(*stream) != CUDA_SUCCESS && code == NANOARROW_OK) {
        ArrowArrayRelease(&out->array);
        code = EIO;
    }
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
    return has ? ADI_PRODUCES | ADI_CONSUMES | ADI_RELAYS | PEER_STREAM_ROLES : 0;
}

/* The source goes at once, as in nanoarrow's own tests: drivers have read pageable memory when the
 * call returns. */
static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self;
    CUstream *stream;
    struct ArrowDeviceArray given;
    ArrowErrorInit(&peer_error);
    struct ArrowDevice *device = ArrowDeviceResolve(type, id);
    if (device == NULL) return ENODEV;
    NANOARROW_RETURN_NOT_OK(peer_stream_of(device, &stream));
    NANOARROW_RETURN_NOT_OK(ArrowDeviceArrayInit(ArrowDeviceCpu(), &given, host, NULL));
    int code = copy(schema, &given, NULL, device, out, stream);
    ArrowArrayRelease(&given.array);
    NANOARROW_RETURN_NOT_OK(code);
    return copy_schema_beside(schema, schema_out, &out->array);
}

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    (void)self;
    CUstream *stream;
    struct ArrowDeviceArray copied;
    ArrowErrorInit(&peer_error);
    struct ArrowDevice *device = peer_device_of(in);
    if (device == NULL) return ENODEV;
    NANOARROW_RETURN_NOT_OK(peer_stream_of(device, &stream));
    NANOARROW_RETURN_NOT_OK(
        peer_copy_and_wait(schema, in, stream, ArrowDeviceCpu(), &copied, stream));
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
    ArrowErrorInit(&peer_error);
    struct ArrowDevice *device = peer_device_of(in);
    if (device == NULL) return ENODEV;
    NANOARROW_RETURN_NOT_OK(ArrowSchemaDeepCopy(schema, schema_out));
    int code = hand_on(device, in, out);
    ArrowSchemaRelease(code == NANOARROW_OK ? schema : schema_out);
    return code;
}

static const char *last_error(struct adi_adapter *self) {
    (void)self;
    return peer_error.message;
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
        .produce_stream = peer_produce_stream,
        .consume_stream = peer_consume_stream,
        .relay_stream = peer_relay_stream,
        .last_error = last_error,
    };
    return &adapter;
}
