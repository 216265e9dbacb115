/* SPDX-License-Identifier: Apache-2.0
 *
 * A buffer value is a cl_mem, sync_event a cl_event*. Buffers and events of other contexts are read
 * and waited on through a queue of ours in that context.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "host.h"
#include "opencl_internal.h"

static void probe(struct adi_device_probe *out) {
    static struct adi_opencl_devices found;
    *out = (struct adi_device_probe){.runtime = found.runtime};
    adi_opencl_find(&found, &out->why);
    for (; out->count < found.count; out->count++) out->ids[out->count] = out->count;
    const struct adi_opencl_api *api = found.count > 0 ? adi_opencl_api(NULL) : NULL;
    for (int i = 0; i < found.count && out->lacks.text[0] == '\0'; i++)
        adi_opencl_builds(api, found.ids[i], &out->lacks);
}

/* ---- places ---- */

static void close_lane(const struct adi_opencl_api *api, struct adi_opencl_lane *lane) {
    if (lane->kernel != NULL) api->clReleaseKernel(lane->kernel);
    if (lane->queue != NULL) api->clReleaseCommandQueue(lane->queue);
    api->clReleaseContext(lane->context);
    free(lane);
}

/* Takes one reference to the context over, on failure too. */
static int add_lane(struct adi_opencl *opencl, cl_context context, struct adi_opencl_lane **out,
                    struct adi_error *error) {
    const struct adi_opencl_api *api = opencl->api;
    struct adi_opencl_lane *lane = calloc(1, sizeof *lane), **last = &opencl->first;
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    if (lane == NULL) {
        api->clReleaseContext(context);
        return adi_opencl_check("calloc", code, error);
    }
    lane->context = context;
    lane->queue = api->clCreateCommandQueue(context, opencl->device, 0, &code);
    if (code != CL_SUCCESS) {
        close_lane(api, lane);
        return adi_opencl_check("clCreateCommandQueue", code, error);
    }
    while (*last != NULL) last = &(*last)->next;
    *last = *out = lane;
    return 0;
}

static int find_lane(struct adi_opencl *opencl, cl_context context, struct adi_opencl_lane **out,
                     struct adi_error *error) {
    for (*out = opencl->first; *out != NULL; *out = (*out)->next)
        if ((*out)->context == context) return 0;
    opencl->api->clRetainContext(context);
    return add_lane(opencl, context, out, error);
}

static bool has_device(const struct adi_opencl *opencl, cl_context context) {
    cl_device_id ids[64];
    size_t bytes = 0;
    if (opencl->api->clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof ids, ids, &bytes) !=
        CL_SUCCESS)
        return false;
    for (size_t i = 0; i < bytes / sizeof *ids; i++)
        if (ids[i] == opencl->device) return true;
    return false;
}

/* ---- opening ---- */

static int open_device(int64_t id, struct adi_device *out, struct adi_error *error) {
    struct adi_opencl_devices found;
    adi_opencl_find(&found, error);
    if (found.count == 0) return ENODEV;
    if (id < 0 || id >= found.count)
        return adi_error_set(error, ENODEV, "there is no opencl:%" PRId64 ", only 0 to %d", id,
                             found.count - 1);
    const struct adi_opencl_api *api = adi_opencl_api(error);
    struct adi_opencl *opencl = calloc(1, sizeof *opencl);
    if (opencl == NULL) return adi_error_set(error, ENOMEM, "out of memory");
    *opencl = (struct adi_opencl){.api = api, .device = found.ids[id]};
    cl_int code;
    cl_context context = api->clCreateContext(NULL, 1, &opencl->device, NULL, NULL, &code);
    int failed = adi_opencl_check("clCreateContext", code, error);
    struct adi_opencl_lane *first;
    if (failed == 0) failed = add_lane(opencl, context, &first, error);
    if (failed != 0)
        free(opencl);
    else
        *out = (struct adi_device){&adi_device_opencl, id, opencl};
    return failed;
}

static int resume_queue(struct adi_device *device, struct adi_error *error);

static void close_device(struct adi_device *device) {
    struct adi_opencl *opencl = device->state;
    if (opencl->pause_event != NULL) resume_queue(device, NULL);
    while (opencl->first != NULL) {
        struct adi_opencl_lane *lane = opencl->first;
        adi_opencl_drain(opencl, lane, NULL);
        opencl->first = lane->next;
        close_lane(opencl->api, lane);
    }
    if (opencl->waited != NULL) opencl->api->clReleaseEvent(opencl->waited);
    free(opencl);
    device->state = NULL;
}

/* ---- waiting ---- */

/* The event that sync_event points to, and the place that it is of. EINVAL: it points to none. */
static int find_event(struct adi_opencl *opencl, const void *sync_event, cl_event *event,
                      struct adi_opencl_lane **lane, struct adi_error *error) {
    cl_context context;
    if (adi_made_has_event(&opencl->known, sync_event)) { /* which need not be felt for */
        *event = *(const cl_event *)sync_event;
        *lane = opencl->first;
        return 0;
    }
    if (adi_host_read(sync_event, 0, event, sizeof *event, NULL) != 0 ||
        !adi_opencl_is(opencl->device, *event, ADI_OPENCL_EVENT))
        return adi_error_set(error, EINVAL, "sync_event does not point to a cl_event");
    ADI_TRY(adi_opencl_check(
        "clGetEventInfo",
        opencl->api->clGetEventInfo(*event, CL_EVENT_CONTEXT, sizeof context, &context, NULL),
        error));
    return find_lane(opencl, context, lane, error);
}

static int wait_on_device(struct adi_device *device, void *sync_event, struct adi_error *error) {
    struct adi_opencl *opencl = device->state;
    struct adi_opencl_lane *lane;
    cl_event event;
    if (sync_event == NULL) return 0;
    ADI_TRY(find_event(opencl, sync_event, &event, &lane, error));
    if (adi_opencl_status(opencl, event) == CL_COMPLETE) return 0;
    if (opencl->waited != NULL && opencl->waiting != lane)
        ADI_TRY(adi_opencl_drop_waited(opencl, error));
    ADI_TRY(adi_opencl_check(
        "clEnqueueBarrierWithWaitList",
        opencl->api->clEnqueueBarrierWithWaitList(lane->queue, 1, &event, NULL), error));
    lane->busy = true;
    if (opencl->waited != NULL) opencl->api->clReleaseEvent(opencl->waited);
    opencl->api->clRetainEvent(event);
    opencl->waited = event;
    opencl->waiting = lane;
    return 0;
}

static int wait_host(struct adi_device *device, void *sync_event, struct adi_error *error) {
    struct adi_opencl_lane *lane;
    cl_event event;
    if (sync_event == NULL) return 0;
    ADI_TRY(find_event(device->state, sync_event, &event, &lane, error));
    return adi_opencl_settle(device->state, event, error);
}

/* ---- buffers ---- */

static int alloc(struct adi_device *device, int64_t bytes, void **buffer, struct adi_error *error) {
    struct adi_opencl *opencl = device->state;
    cl_int code;
    cl_mem made = opencl->api->clCreateBuffer(opencl->first->context, CL_MEM_READ_WRITE,
                                              (size_t)bytes, NULL, &code);
    ADI_TRY(adi_opencl_check("clCreateBuffer", code, error));
    *buffer = made;
    return 0;
}

/* The runtime keeps it until the commands that use it have run. */
static void free_buffer(struct adi_device *device, void *buffer) {
    const struct adi_opencl *opencl = device->state;
    opencl->api->clReleaseMemObject(buffer);
}

#define LARGE ((int64_t)1 << 20)

/* What is large is not copied twice, if it can go at once. */
static int write_now(struct adi_opencl *opencl, void *buffer, int64_t offset, const void *from,
                     int64_t bytes, struct adi_error *error) {
    ADI_TRY(adi_opencl_drain(opencl, opencl->first, error));
    return adi_opencl_check("clEnqueueWriteBuffer",
                            opencl->api->clEnqueueWriteBuffer(opencl->first->queue, buffer, CL_TRUE,
                                                              (size_t)offset, (size_t)bytes, from,
                                                              0, NULL, NULL),
                            error);
}

/* The bytes wait in a buffer of their own, since the caller's are gone when the queue gets there.
 */
static int write_queued(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    struct adi_opencl *opencl = device->state;
    cl_int code;
    if (bytes == 0) return 0;
    if (bytes >= LARGE && opencl->pause_event == NULL)
        return write_now(opencl, buffer, offset, from, bytes, error);
    cl_mem copy =
        opencl->api->clCreateBuffer(opencl->first->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                    (size_t)bytes, (void *)(uintptr_t)from, &code);
    ADI_TRY(adi_opencl_check("clCreateBuffer", code, error));
    code = opencl->api->clEnqueueCopyBuffer(opencl->first->queue, copy, buffer, 0, (size_t)offset,
                                            (size_t)bytes, 0, NULL, NULL);
    opencl->first->busy = true;
    opencl->api->clReleaseMemObject(copy);
    return adi_opencl_check("clEnqueueCopyBuffer", code, error);
}

/* The place of a cl_mem that this device reaches. EFAULT: it is none. */
static int find_buffer(struct adi_opencl *opencl, const void *buffer, size_t *size,
                       struct adi_opencl_lane **lane, struct adi_error *error) {
    cl_mem mem = (cl_mem)(uintptr_t)buffer;
    cl_context context;
    cl_mem_object_type type = 0;
    if (!adi_opencl_is(opencl->device, buffer, ADI_OPENCL_MEMORY) ||
        opencl->api->clGetMemObjectInfo(mem, CL_MEM_TYPE, sizeof type, &type, NULL) != CL_SUCCESS ||
        type != CL_MEM_OBJECT_BUFFER)
        return adi_error_set(error, EFAULT, "%p is no cl_mem buffer", buffer);
    opencl->api->clGetMemObjectInfo(mem, CL_MEM_CONTEXT, sizeof context, &context, NULL);
    opencl->api->clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof *size, size, NULL);
    if (!has_device(opencl, context))
        return adi_error_set(error, EFAULT, "the cl_mem %p is of a context without this device",
                             buffer);
    return find_lane(opencl, context, lane, error);
}

/* Makes sure of a range, and that all that was queued before has run. */
static int reach(struct adi_opencl *opencl, const void *buffer, int64_t offset, int64_t bytes,
                 struct adi_opencl_lane **lane, struct adi_error *error) {
    size_t size;
    ADI_TRY(find_buffer(opencl, buffer, &size, lane, error));
    if (offset < 0 || bytes < 0 || (uint64_t)offset > size ||
        (uint64_t)bytes > size - (size_t)offset)
        return adi_error_set(error, EFAULT,
                             "%" PRId64 " bytes from %" PRId64 " on of a cl_mem of %zu bytes",
                             bytes, offset, size);
    return adi_opencl_drain(opencl, *lane, error);
}

static int read_shared(struct adi_opencl *opencl, const struct adi_opencl_seen *seen,
                       const void *buffer, size_t offset, void *to, size_t bytes,
                       struct adi_error *error) {
    struct adi_opencl_lane *lane;
    const void *from = (const char *)buffer + offset;
    if (offset > seen->bytes || bytes > seen->bytes - offset)
        return adi_error_set(error, EFAULT,
                             "there are %zu bytes of shared memory, wanted %zu from %zu on",
                             seen->bytes, bytes, offset);
    if (!has_device(opencl, seen->context))
        return adi_error_set(error, EFAULT, "shared memory of a context without this device");
    ADI_TRY(find_lane(opencl, seen->context, &lane, error));
    ADI_TRY(adi_opencl_drain(opencl, lane, error));
    return adi_opencl_check(
        "clEnqueueSVMMemcpy",
        opencl->api->clEnqueueSVMMemcpy(lane->queue, CL_TRUE, to, from, bytes, 0, NULL, NULL),
        error);
}

static int read_back(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                     int64_t bytes, struct adi_error *error) {
    struct adi_opencl *opencl = device->state;
    struct adi_opencl_lane *lane;
    struct adi_opencl_seen seen;
    if (bytes == 0) return 0;
    if (adi_opencl_is_shared(opencl, buffer, &seen))
        return read_shared(opencl, &seen, buffer, (size_t)offset, to, (size_t)bytes, error);
    ADI_TRY(reach(opencl, buffer, offset, bytes, &lane, error));
    return adi_opencl_check("clEnqueueReadBuffer",
                            opencl->api->clEnqueueReadBuffer(lane->queue, (cl_mem)(uintptr_t)buffer,
                                                             CL_TRUE, (size_t)offset, (size_t)bytes,
                                                             to, 0, NULL, NULL),
                            error);
}

static int checksum(struct adi_device *device, const void *buffer, int64_t offset, int64_t bytes,
                    uint64_t *sum, struct adi_error *error) {
    struct adi_opencl *opencl = device->state;
    struct adi_opencl_lane *lane;
    struct adi_opencl_seen seen;
    if (adi_opencl_is_shared(opencl, buffer, &seen))
        return adi_error_set(error, ENOTSUP, "no sums over shared virtual memory");
    ADI_TRY(reach(opencl, buffer, offset, bytes, &lane, error));
    return adi_opencl_sum(opencl, lane, (cl_mem)(uintptr_t)buffer, offset, bytes, sum, error);
}

static bool accessible(struct adi_device *device, const void *buffer, struct adi_error *why) {
    struct adi_opencl *opencl = device->state;
    struct adi_opencl_lane *lane;
    struct adi_opencl_seen seen;
    size_t size;
    if (adi_opencl_is_shared(opencl, buffer, &seen)) return has_device(opencl, seen.context);
    return find_buffer(opencl, buffer, &size, &lane, why) == 0;
}

/* ---- events ---- */

static int event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    struct adi_opencl *opencl = device->state;
    cl_command_queue queue = opencl->first->queue;
    cl_event *made = calloc(1, sizeof *made);
    if (made == NULL) return adi_error_set(error, ENOMEM, "out of memory");
    cl_int code = opencl->api->clEnqueueMarkerWithWaitList(queue, 0, NULL, made);
    /* Who waits in another queue cannot flush this one. */
    if (code == CL_SUCCESS) code = opencl->api->clFlush(queue);
    if (code != CL_SUCCESS) {
        if (*made != NULL) opencl->api->clReleaseEvent(*made);
        free(made);
        return adi_opencl_check("clEnqueueMarkerWithWaitList", code, error);
    }
    adi_made_keep_event(&opencl->known, made);
    *sync_event = made;
    return 0;
}

static void event_free(struct adi_device *device, void *sync_event) {
    struct adi_opencl *opencl = device->state;
    if (sync_event == NULL) return;
    adi_made_drop_event(&opencl->known, sync_event);
    opencl->api->clReleaseEvent(*(cl_event *)sync_event);
    free(sync_event);
}

static int pause_queue(struct adi_device *device, struct adi_error *error) {
    struct adi_opencl *opencl = device->state;
    cl_int code;
    if (opencl->pause_event != NULL) return adi_error_set(error, EBUSY, "the queue is held");
    cl_event pause_event = opencl->api->clCreateUserEvent(opencl->first->context, &code);
    ADI_TRY(adi_opencl_check("clCreateUserEvent", code, error));
    opencl->pause_event = pause_event;
    opencl->first->busy = true;
    return adi_opencl_check(
        "clEnqueueBarrierWithWaitList",
        opencl->api->clEnqueueBarrierWithWaitList(opencl->first->queue, 1, &pause_event, NULL),
        error);
}

static int resume_queue(struct adi_device *device, struct adi_error *error) {
    struct adi_opencl *opencl = device->state;
    if (opencl->pause_event == NULL) return 0;
    cl_int code = opencl->api->clSetUserEventStatus(opencl->pause_event, CL_COMPLETE);
    opencl->api->clReleaseEvent(opencl->pause_event);
    opencl->pause_event = NULL;
    return adi_opencl_check("clSetUserEventStatus", code, error);
}

static int queue_open(struct adi_device *device, void **queue, struct adi_error *error) {
    const struct adi_opencl *opencl = device->state;
    cl_int code;
    *queue = opencl->api->clCreateCommandQueue(opencl->first->context, opencl->device, 0, &code);
    return adi_opencl_check("clCreateCommandQueue", code, error);
}

static void queue_close(struct adi_device *device, void *queue) {
    const struct adi_opencl *opencl = device->state;
    opencl->api->clReleaseCommandQueue(queue);
}

static const void *native_handle(struct adi_device *device, const char *what) {
    struct adi_opencl *opencl = device->state;
    if (strcmp(what, "opencl.device") == 0) return opencl->device;
    if (strcmp(what, "opencl.context") == 0) return opencl->first->context;
    if (strcmp(what, "opencl.queue") != 0) return NULL;
    opencl->known.is_lent = true;
    return opencl->first->queue;
}

static const struct adi_interceptor *interceptor(void) {
    const struct adi_opencl_layer *layer = adi_opencl_layer();
    return layer == NULL ? NULL : &layer->interceptor;
}

const struct adi_device_ops adi_device_opencl = {
    .size = sizeof adi_device_opencl,
    .type = ARROW_DEVICE_OPENCL,
    .name = "opencl",
    .probe = probe,
    .open = open_device,
    .close = close_device,
    .alloc = alloc,
    .free = free_buffer,
    .write = write_queued,
    .read = read_back,
    .event = event,
    .wait = wait_on_device,
    .wait_host = wait_host,
    .event_free = event_free,
    .queue_open = queue_open,
    .queue_close = queue_close,
    .pause = pause_queue,
    .resume = resume_queue,
    .accessible = accessible,
    .checksum = checksum,
    .native_handle = native_handle,
    .remedy = "/etc/OpenCL/vendors names the platforms; OCL_ICD_VENDORS chooses another folder",
    .interceptor = interceptor,
    .can_identify_buffer = adi_opencl_can_identify,
};
