/* SPDX-License-Identifier: Apache-2.0
 *
 * A producer for OpenCL: int32 values are copied to the device, and the array is handed out while
 * the copy may still be under way. `export_int32` and `release` are what matters; the rest makes an
 * adapter of them, which tests/examples.sh has judged.
 *
 *     gcc -shared -fPIC -I build/include -o opencl.so docs/examples/opencl.c -l:libOpenCL.so.1
 *     build/adicheck run ./opencl.so --device 'opencl*'
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <adicheck/adapter.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What one exported array needs until its release. sync_event points into it, and so do buffers. */
struct exported {
    cl_event written;
    const void *buffers[2]; /* the validity bitmap, or NULL; the values: each a cl_mem */
    struct ArrowArray host; /* what is copied from */
};

static void give_back(struct exported *it) {
    for (int i = 0; i < 2; i++)
        if (it->buffers[i] != NULL) clReleaseMemObject((cl_mem)(uintptr_t)it->buffers[i]);
    free(it);
}

static void release(struct ArrowArray *array) {
    struct exported *it = array->private_data;
    /* It may come at any time, from any thread: the copy may still read the host's memory. */
    clWaitForEvents(1, &it->written);
    clReleaseEvent(it->written);
    it->host.release(&it->host);
    give_back(it);
    array->release = NULL;
}

/* Queues the copy of one buffer. */
static cl_int copy(cl_context context, cl_command_queue queue, const void *from, size_t bytes,
                   const void **to) {
    cl_int code;
    if (from == NULL || bytes == 0) return CL_SUCCESS;
    cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code != CL_SUCCESS) return code;
    *to = made;
    return clEnqueueWriteBuffer(queue, made, CL_FALSE, 0, bytes, from, 0, NULL, NULL);
}

/* Moves `host` into `out` if it succeeds; else leaves both alone. */
static int export_int32(cl_context context, cl_command_queue queue, int64_t id,
                        struct ArrowArray *host, struct ArrowDeviceArray *out) {
    size_t n = (size_t)(host->length + host->offset);
    struct exported *it = calloc(1, sizeof *it);
    if (it == NULL) return ENOMEM;
    cl_int code = copy(context, queue, host->buffers[0], (n + 7) / 8, &it->buffers[0]);
    if (code == CL_SUCCESS)
        code = copy(context, queue, host->buffers[1], n * sizeof(int32_t), &it->buffers[1]);
    /* The event covers all that writes the buffers: all that was queued so far. */
    if (code == CL_SUCCESS) code = clEnqueueMarkerWithWaitList(queue, 0, NULL, &it->written);
    if (code != CL_SUCCESS) {
        clFinish(queue); /* a copy that was queued reads the host's memory */
        give_back(it);
        return EIO;
    }
    /* Who waits in another queue cannot flush this one. */
    clFlush(queue);

    it->host = *host;
    host->release = NULL;
    memset(out, 0, sizeof *out); /* `reserved`, too */
    out->array.length = it->host.length;
    out->array.offset = it->host.offset;
    out->array.null_count = it->host.null_count;
    out->array.n_buffers = 2;
    out->array.buffers = it->buffers;
    out->array.release = release;
    out->array.private_data = it;
    out->device_type = ARROW_DEVICE_OPENCL;
    out->device_id = id;
    out->sync_event = &it->written; /* the address of the cl_event, not the cl_event */
    return 0;
}

/* ---- the adapter ---- */

static const struct adi_host *harness;

static int open_adapter(struct adi_adapter *self, const struct adi_host *host) {
    harness = host;
    return 0;
}

static unsigned roles(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    return type == ARROW_DEVICE_OPENCL ? ADI_PRODUCES : 0;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    void *context = (void *)(uintptr_t)harness->get(harness, type, id, "opencl.context");
    void *queue = (void *)(uintptr_t)harness->get(harness, type, id, "opencl.queue");
    if (context == NULL || queue == NULL || strcmp(schema->format, "i") != 0) return ENOTSUP;
    if (schema->dictionary != NULL) return ENOTSUP;
    int code = export_int32(context, queue, id, host, out);
    if (code != 0) return code;
    *schema_out = *schema;
    schema->release = NULL;
    return 0;
}

struct adi_adapter *adi_adapter(void) {
    static struct adi_adapter mine = {
        sizeof mine,          ADI_ADAPTER_VERSION, "OpenCL example",  "1",
        .open = open_adapter, .roles = roles,      .produce = produce};
    return &mine;
}
