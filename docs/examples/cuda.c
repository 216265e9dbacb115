/* SPDX-License-Identifier: Apache-2.0
 *
 * A producer for CUDA, after the example of the C Device data interface: int32 values are copied to
 * the device, and the array is handed out while the copy may still be under way. `export_int32` and
 * `release` are what matters; the rest makes an adapter of them, which tests/examples.sh has
 * judged.
 *
 *     gcc -shared -fPIC -I build/include -o cuda.so docs/examples/cuda.c -lcudart
 *     build/adicheck run ./cuda.so --device 'cuda:*'
 *
 * Without NVIDIA's headers and library: put `#include "cudart_abi.h"` into a cuda_runtime_api.h,
 * and add its folder, -I sim/cuda/cudart, -L build/sim and -Wl,-rpath-link,build.
 */
#include <cuda_runtime_api.h>

#include <adicheck/adapter.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What one exported array needs until its release. sync_event points into it, and so do buffers. */
struct exported {
    int device;
    cudaEvent_t written;
    void *buffers[2];       /* the validity bitmap, or NULL; the values */
    struct ArrowArray host; /* what is copied from */
};

static void give_back(struct exported *it) {
    if (it->written != NULL) cudaEventDestroy(it->written);
    for (int i = 0; i < 2; i++) cudaFree(it->buffers[i]);
    free(it);
}

/* It may come at any time, from any thread, whichever device is the current one there. */
static void release(struct ArrowArray *array) {
    struct exported *it = array->private_data;
    int before;
    cudaGetDevice(&before);
    cudaSetDevice(it->device);
    cudaEventSynchronize(it->written); /* the copy may still read the host's memory */
    it->host.release(&it->host);
    give_back(it);
    cudaSetDevice(before);
    array->release = NULL;
}

/* Queues the copy of one buffer. */
static cudaError_t copy(cudaStream_t stream, const void *from, size_t bytes, void **to) {
    if (from == NULL || bytes == 0) return cudaSuccess;
    cudaError_t code = cudaMalloc(to, bytes);
    if (code != cudaSuccess) return code;
    return cudaMemcpyAsync(*to, from, bytes, cudaMemcpyHostToDevice, stream);
}

/* Moves `host` into `out` if it succeeds; else leaves both alone. The stream is of the current
 * device. */
static int export_int32(cudaStream_t stream, struct ArrowArray *host,
                        struct ArrowDeviceArray *out) {
    size_t n = (size_t)(host->length + host->offset);
    struct exported *it = calloc(1, sizeof *it);
    if (it == NULL) return ENOMEM;
    cudaError_t code = cudaGetDevice(&it->device);
    if (code == cudaSuccess) code = copy(stream, host->buffers[0], (n + 7) / 8, &it->buffers[0]);
    if (code == cudaSuccess)
        code = copy(stream, host->buffers[1], n * sizeof(int32_t), &it->buffers[1]);
    /* The event covers all that writes the buffers: all that is in the stream so far. */
    if (code == cudaSuccess) code = cudaEventCreateWithFlags(&it->written, cudaEventDisableTiming);
    if (code == cudaSuccess) code = cudaEventRecord(it->written, stream);
    if (code != cudaSuccess) {
        cudaStreamSynchronize(stream); /* a copy that was queued reads the host's memory */
        give_back(it);
        return EIO;
    }

    it->host = *host;
    host->release = NULL;
    memset(out, 0, sizeof *out); /* `reserved`, too */
    out->array.length = it->host.length;
    out->array.offset = it->host.offset;
    out->array.null_count = it->host.null_count;
    out->array.n_buffers = 2;
    out->array.buffers = (const void **)it->buffers;
    out->array.release = release;
    out->array.private_data = it;
    out->device_type = ARROW_DEVICE_CUDA;
    out->device_id = it->device;
    out->sync_event = &it->written; /* the address of the cudaEvent_t, not the cudaEvent_t */
    return 0;
}

/* ---- the adapter ---- */

#define DEVICES 8

static cudaStream_t streams[DEVICES];

static unsigned roles(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    return type == ARROW_DEVICE_CUDA && id < DEVICES ? ADI_PRODUCES : 0;
}

static void close_adapter(struct adi_adapter *self) {
    for (int i = 0; i < DEVICES; i++) {
        if (streams[i] == NULL) continue;
        cudaSetDevice(i);
        cudaStreamDestroy(streams[i]);
    }
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    int before;
    if (roles(self, type, id) == 0 || strcmp(schema->format, "i") != 0) return ENOTSUP;
    if (schema->dictionary != NULL) return ENOTSUP;
    cudaGetDevice(&before);
    cudaError_t error = cudaSetDevice((int)id);
    if (error == cudaSuccess && streams[id] == NULL)
        error = cudaStreamCreateWithFlags(&streams[id], cudaStreamNonBlocking);
    int code = error == cudaSuccess ? export_int32(streams[id], host, out) : EIO;
    cudaSetDevice(before);
    if (code != 0) return code;
    *schema_out = *schema;
    schema->release = NULL;
    return 0;
}

struct adi_adapter *adi_adapter(void) {
    static struct adi_adapter mine = {
        sizeof mine,    ADI_ADAPTER_VERSION,    "CUDA example",    "1",
        .roles = roles, .close = close_adapter, .produce = produce};
    return &mine;
}
