/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls that the layer sees beside commands; all others pass it by.
 */
#include <string.h>

#include "cl_drain.h"
#include "cl_trace.h"
#include "cl_usm.h"

/* ---- blocking ---- */

static cl_int CL_API_CALL clWaitForEvents_seen(cl_uint n, const cl_event *events) {
    for (cl_uint i = 0; events != NULL && i < n; i++) {
        ADI_TRY(object_check("clWaitForEvents", events[i], CL_INVALID_EVENT));
        caller_blocks(events[i], true);
    }
    return next_layer->clWaitForEvents(n, events);
}

static cl_int CL_API_CALL clFinish_seen(cl_command_queue queue) {
    ADI_TRY(object_check("clFinish", queue, CL_INVALID_COMMAND_QUEUE));
    caller_blocks(queue, true);
    return next_layer->clFinish(queue);
}

static cl_int CL_API_CALL clGetEventInfo_seen(cl_event event, cl_event_info what, size_t room,
                                              void *value, size_t *bytes) {
    ADI_TRY(object_check("clGetEventInfo", event, CL_INVALID_EVENT));
    if (what == CL_EVENT_COMMAND_EXECUTION_STATUS) caller_polls(event);
    cl_int code = next_layer->clGetEventInfo(event, what, room, value, bytes);
    if (code == CL_SUCCESS && what == CL_EVENT_COMMAND_EXECUTION_STATUS && value != NULL &&
        *(const cl_int *)value <= CL_COMPLETE)
        caller_sees_end(event);
    return code;
}

/* There is no profile of what has not ended. */
static cl_int CL_API_CALL clGetEventProfilingInfo_seen(cl_event event, cl_profiling_info what,
                                                       size_t room, void *value, size_t *bytes) {
    ADI_TRY(object_check("clGetEventProfilingInfo", event, CL_INVALID_EVENT));
    caller_polls(event);
    cl_int code = next_layer->clGetEventProfilingInfo(event, what, room, value, bytes);
    if (code == CL_SUCCESS) caller_sees_end(event);
    return code;
}

/* A callback that is to be seen. */
#define CALLS 256
static struct call {
    void(CL_CALLBACK *callback)(cl_event, cl_int, void *);
    void *context;
    bool taken;
    bool implementation; /* whose it is */
} calls[CALLS];

/* NULL: there are too many at a time. */
static struct call *take_call(void) {
    objects_lock();
    struct call *call = calls;
    while (call < calls + CALLS && call->taken) call++;
    if (call < calls + CALLS) call->taken = true;
    objects_unlock();
    return call < calls + CALLS ? call : NULL;
}

static void give_call(struct call *call) {
    objects_lock();
    call->taken = false;
    objects_unlock();
}

static void CL_CALLBACK call_back(cl_event event, cl_int status, void *call_at) {
    struct call call = *(struct call *)call_at;
    give_call(call_at);
    bool before = adi_caller_enter(call.implementation);
    caller_sees_end(event);
    adi_caller_enter(before);
    call.callback(event, status, call.context);
}

static cl_int CL_API_CALL clSetEventCallback_seen(cl_event event, cl_int type,
                                                  void(CL_CALLBACK *callback)(cl_event, cl_int,
                                                                              void *),
                                                  void *context) {
    ADI_TRY(object_check("clSetEventCallback", event, CL_INVALID_EVENT));
    struct call *call = type == CL_COMPLETE && caller_awaits_callback(event) ? take_call() : NULL;
    if (call == NULL) {
        cl_int code = next_layer->clSetEventCallback(event, type, callback, context);
        caller_blocks(event, false);
        return code;
    }
    *call = (struct call){callback, context, true, adi_caller_party() == 1};
    cl_int code = next_layer->clSetEventCallback(event, type, call_back, call);
    if (code != CL_SUCCESS) give_call(call);
    return code;
}

/* ---- objects ---- */

static void add(const void *handle, const char *made_by, const struct object *known) {
    objects_lock();
    struct object *object = objects_add(handle, known->kind, made_by);
    if (object != NULL) {
        object->of = known->of;
        object->in_order = known->in_order;
        object->by_host = known->by_host;
        object->origin = known->origin;
        object->bytes = known->bytes;
    }
    objects_unlock();
}

static bool is_in_order(const cl_queue_properties *properties) {
    bool in_order = true;
    for (const cl_queue_properties *at = properties; at != NULL && *at != 0; at += 2)
        if (*at == CL_QUEUE_PROPERTIES)
            in_order = (at[1] & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
    return in_order;
}

static cl_buffer_region region_of(cl_mem made, cl_buffer_create_type type, const void *region) {
    bool known = made != NULL && type == CL_BUFFER_CREATE_TYPE_REGION;
    return known ? *(const cl_buffer_region *)region : (cl_buffer_region){0, 0};
}

/* What nothing is known of may lie where something else was before. The last ones are members of
 * `struct object`. */
/* clang-format off */
#define CREATE(name, type, kind_, params, args, ...)                                               \
    static type CL_API_CALL name##_seen params {                                                   \
        type made = next_layer->name args;                                                         \
        add(made, #name, &(const struct object){.kind = kind_, __VA_ARGS__});                      \
        return made;                                                                               \
    }
#define NOTIFY void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *)

CREATE(clCreateContext, cl_context, ADI_OPENCL_CONTEXT,
       (const cl_context_properties *properties, cl_uint n, const cl_device_id *devices, NOTIFY,
        void *context, cl_int *code),
       (properties, n, devices, notify, context, code), .of = NULL)
CREATE(clCreateContextFromType, cl_context, ADI_OPENCL_CONTEXT,
       (const cl_context_properties *properties, cl_device_type type, NOTIFY, void *context,
        cl_int *code),
       (properties, type, notify, context, code), .of = NULL)
CREATE(clCreateCommandQueue, cl_command_queue, ADI_OPENCL_QUEUE,
       (cl_context context, cl_device_id device, cl_command_queue_properties properties,
        cl_int *code),
       (context, device, properties, code), .of = context,
       .in_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0)
CREATE(clCreateCommandQueueWithProperties, cl_command_queue, ADI_OPENCL_QUEUE,
       (cl_context context, cl_device_id device, const cl_queue_properties *properties,
        cl_int *code),
       (context, device, properties, code), .of = context, .in_order = is_in_order(properties))
CREATE(clCreateBuffer, cl_mem, ADI_OPENCL_MEMORY,
       (cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *code),
       (context, flags, bytes, host, code), .bytes = bytes)
CREATE(clCreateBufferWithProperties, cl_mem, ADI_OPENCL_MEMORY,
       (cl_context context, const cl_mem_properties *properties, cl_mem_flags flags, size_t bytes,
        void *host, cl_int *code),
       (context, properties, flags, bytes, host, code), .bytes = bytes)
CREATE(clCreateSubBuffer, cl_mem, ADI_OPENCL_MEMORY,
       (cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void *region,
        cl_int *code),
       (buffer, flags, type, region, code), .of = buffer,
       .origin = region_of(made, type, region).origin, .bytes = region_of(made, type, region).size)
CREATE(clCreateImage, cl_mem, ADI_OPENCL_MEMORY,
       (cl_context context, cl_mem_flags flags, const cl_image_format *format,
        const cl_image_desc *image, void *host, cl_int *code),
       (context, flags, format, image, host, code), .bytes = 0)
CREATE(clCreateImage2D, cl_mem, ADI_OPENCL_MEMORY,
       (cl_context context, cl_mem_flags flags, const cl_image_format *format, size_t width,
        size_t height, size_t row, void *host, cl_int *code),
       (context, flags, format, width, height, row, host, code), .bytes = 0)
CREATE(clCreateImage3D, cl_mem, ADI_OPENCL_MEMORY,
       (cl_context context, cl_mem_flags flags, const cl_image_format *format, size_t width,
        size_t height, size_t depth, size_t row, size_t slice, void *host, cl_int *code),
       (context, flags, format, width, height, depth, row, slice, host, code), .bytes = 0)
CREATE(clCreatePipe, cl_mem, ADI_OPENCL_MEMORY,
       (cl_context context, cl_mem_flags flags, cl_uint width, cl_uint most,
        const cl_pipe_properties *properties, cl_int *code),
       (context, flags, width, most, properties, code), .bytes = 0)
CREATE(clCreateImageWithProperties, cl_mem, ADI_OPENCL_MEMORY,
       (cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
        const cl_image_format *format, const cl_image_desc *image, void *host, cl_int *code),
       (context, properties, flags, format, image, host, code), .bytes = 0)
CREATE(clSVMAlloc, void *, ADI_OPENCL_SHARED,
       (cl_context context, cl_svm_mem_flags flags, size_t bytes, cl_uint alignment),
       (context, flags, bytes, alignment), .bytes = bytes, .of = context)
CREATE(clCreateUserEvent, cl_event, ADI_OPENCL_EVENT, (cl_context context, cl_int *code),
       (context, code), .by_host = true)
CREATE(clCloneKernel, cl_kernel, ADI_OPENCL_KERNEL, (cl_kernel kernel, cl_int *code),
       (kernel, code), .of = NULL)
CREATE(clCreateKernel, cl_kernel, ADI_OPENCL_KERNEL,
       (cl_program program, const char *name, cl_int *code), (program, name, code), .of = NULL)
/* clang-format on */

/* ---- references ---- */

/* clang-format off */
#define RETAIN(name, type, invalid)                                                                \
    static cl_int CL_API_CALL name##_seen(type handle) {                                           \
        ADI_TRY(object_check(#name, handle, invalid));                                             \
        ADI_TRY(next_layer->name(handle));                                                         \
        objects_lock();                                                                            \
        struct object *object = objects_find(handle);                                              \
        if (object != NULL) tracked_retain(&object->tracked);                                      \
        objects_unlock();                                                                          \
        return CL_SUCCESS;                                                                         \
    }
/* clang-format on */

#define RELEASE(name, type, invalid)                                                               \
    static cl_int CL_API_CALL name##_seen(type handle) {                                           \
        return object_may_release(#name, handle) ? next_layer->name(handle) : invalid;             \
    }

static void CL_API_CALL clSVMFree_seen(cl_context context, void *at) {
    if (object_may_release("clSVMFree", at)) next_layer->clSVMFree(context, at);
}

RETAIN(clRetainContext, cl_context, CL_INVALID_CONTEXT)
RELEASE(clReleaseContext, cl_context, CL_INVALID_CONTEXT)
RETAIN(clRetainCommandQueue, cl_command_queue, CL_INVALID_COMMAND_QUEUE)
static cl_int CL_API_CALL clReleaseCommandQueue_seen(cl_command_queue queue) {
    if (!object_may_release("clReleaseCommandQueue", queue)) return CL_INVALID_COMMAND_QUEUE;
    drain_queue_released(queue);
    return next_layer->clReleaseCommandQueue(queue);
}
RETAIN(clRetainMemObject, cl_mem, CL_INVALID_MEM_OBJECT)
RELEASE(clReleaseMemObject, cl_mem, CL_INVALID_MEM_OBJECT)
RETAIN(clRetainEvent, cl_event, CL_INVALID_EVENT)
RELEASE(clReleaseEvent, cl_event, CL_INVALID_EVENT)

/* ---- what must only not reach the runtime with the dead ---- */

static cl_int CL_API_CALL clSetUserEventStatus_seen(cl_event event, cl_int status) {
    ADI_TRY(object_check("clSetUserEventStatus", event, CL_INVALID_EVENT));
    objects_lock();
    trace_set(objects_find(event));
    objects_unlock();
    return next_layer->clSetUserEventStatus(event, status);
}

/* clang-format off */
#define LOOK(name, invalid, params, ...)                                                           \
    static cl_int CL_API_CALL name##_seen params {                                                 \
        ADI_TRY(object_check(#name, LOOK_FIRST(__VA_ARGS__, 0), invalid));                         \
        return next_layer->name(__VA_ARGS__);                                                      \
    }
#define LOOK_FIRST(first, ...) first

LOOK(clFlush, CL_INVALID_COMMAND_QUEUE, (cl_command_queue queue), queue)
LOOK(clGetMemObjectInfo, CL_INVALID_MEM_OBJECT,
     (cl_mem buffer, cl_mem_info what, size_t room, void *value, size_t *bytes),
     buffer, what, room, value, bytes)
LOOK(clGetCommandQueueInfo, CL_INVALID_COMMAND_QUEUE,
     (cl_command_queue queue, cl_command_queue_info what, size_t room, void *value, size_t *bytes),
     queue, what, room, value, bytes)
LOOK(clGetContextInfo, CL_INVALID_CONTEXT,
     (cl_context context, cl_context_info what, size_t room, void *value, size_t *bytes),
     context, what, room, value, bytes)
/* clang-format on */

/* ---- what the loader and the backend find ---- */

/* clang-format off */
#define SEEN(F)                                                                                    \
    F(clWaitForEvents) F(clFinish) F(clGetEventInfo) F(clSetEventCallback) F(clCreateContext)      \
    F(clCreateContextFromType) F(clCreateCommandQueue) F(clCreateCommandQueueWithProperties)       \
    F(clCreateBuffer) F(clCreateSubBuffer) F(clCreateImage) F(clCreateImage2D)                     \
    F(clCreateImage3D) F(clCreatePipe) F(clCreateBufferWithProperties) F(clCreateUserEvent)        \
    F(clCloneKernel) F(clCreateKernel) F(clSVMAlloc) F(clSVMFree) F(clCreateImageWithProperties)   \
    F(clRetainContext) F(clReleaseContext) F(clRetainCommandQueue) F(clReleaseCommandQueue)        \
    F(clRetainMemObject) F(clReleaseMemObject) F(clRetainEvent) F(clReleaseEvent)                  \
    F(clGetMemObjectInfo) F(clFlush) F(clSetUserEventStatus) F(clGetCommandQueueInfo)              \
    F(clGetContextInfo) F(clGetEventProfilingInfo)
/* clang-format on */

#define PUBLIC __attribute__((visibility("default")))

PUBLIC cl_int CL_API_CALL clInitLayerWithProperties(cl_uint n, const cl_icd_dispatch *target,
                                                    cl_uint *n_out, const cl_icd_dispatch **out,
                                                    const cl_properties *properties);
PUBLIC cl_int CL_API_CALL clDeinitLayer(void);

PUBLIC cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t room, void *value,
                                         size_t *bytes) {
    static const char name[] = "adicheck";
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const void *from = what == CL_LAYER_API_VERSION ? (const void *)&version : name;
    size_t size = what == CL_LAYER_API_VERSION ? sizeof version : sizeof name;
    if (what != CL_LAYER_API_VERSION && what != CL_LAYER_NAME) return CL_INVALID_VALUE;
    if (value != NULL && room < size) return CL_INVALID_VALUE;
    if (value != NULL) memcpy(value, from, size);
    if (bytes != NULL) *bytes = size;
    return CL_SUCCESS;
}

PUBLIC cl_int CL_API_CALL clInitLayer(cl_uint n, const cl_icd_dispatch *target, cl_uint *n_out,
                                      const cl_icd_dispatch **out) {
    static cl_icd_dispatch seen;
    if (target == NULL || n_out == NULL || out == NULL || n < sizeof seen / sizeof(void *))
        return CL_INVALID_VALUE;
    next_layer = target;
    seen = *target;
#define REPLACE(name)                                                                              \
    if (target->name != NULL) seen.name = name##_seen;
    SEEN(REPLACE)
#undef REPLACE
    commands_put(&seen);
    usm_put(&seen);
    *n_out = sizeof seen / sizeof(void *);
    *out = &seen;
    return CL_SUCCESS;
}

/* What a newer loader calls in its place, and at its end. */
PUBLIC cl_int CL_API_CALL clInitLayerWithProperties(cl_uint n, const cl_icd_dispatch *target,
                                                    cl_uint *n_out, const cl_icd_dispatch **out,
                                                    const cl_properties *properties) {
    (void)properties;
    return clInitLayer(n, target, n_out, out);
}

PUBLIC cl_int CL_API_CALL clDeinitLayer(void) {
    return CL_SUCCESS;
}

static struct adi_opencl_seen look(const void *handle) {
    struct adi_opencl_seen seen = {.kind = ADI_OPENCL_UNKNOWN};
    objects_lock();
    const struct object *object = objects_at(handle);
    if (object != NULL) {
        seen.kind = object->kind;
        seen.live = !object->dead;
        seen.context = (cl_context)(uintptr_t)object->of;
        seen.bytes = object->bytes - ((uintptr_t)handle - object->handle);
    }
    objects_unlock();
    return seen;
}

static UNDER_LOCK(bool, name_of, (const void *object, char out[48]),
                  trace_name(objects_at(object), out))

PUBLIC adi_opencl_layer_fn adi_opencl_layer_table;

const struct adi_opencl_layer *adi_opencl_layer_table(void) {
    static const struct adi_opencl_layer layer = {
        .size = sizeof layer,
        .interceptor = {.size = sizeof layer.interceptor,
                        .enter = adi_caller_enter,
                        .subscribe = adi_misuse_subscribe,
                        .pause = queues_pause,
                        .resume = queues_resume,
                        .pending = object_is_pending,
                        .covers = event_covers,
                        .trace = adi_line_subscribe,
                        .name_of = name_of,
                        .used = buffer_is_used,
                        .given_up = buffer_is_given_up,
                        .references = objects_references,
                        .newest_held = objects_newest,
                        .expired = pause_expired,
                        .has_pending_work = drain_has_pending_work,
                        .drain = drain_all,
                        .pending_in = bytes_are_pending,
                        .covers_in = event_covers_bytes,
                        .used_in = bytes_are_used},
        .look = look,
    };
    return next_layer == NULL ? NULL : &layer;
}
