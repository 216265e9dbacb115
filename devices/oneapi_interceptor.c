/* SPDX-License-Identifier: Apache-2.0
 *
 * A real SYCL runtime whose devices are OpenCL's makes calls that the OpenCL layer sees: queues,
 * events, and unified shared memory. What is asked of a `sycl::event` is asked of the cl_event in
 * it.
 */
#include <dlfcn.h>
#include <string.h>

#include "host.h"
#include "oneapi_internal.h"
#include "opencl_api.h"
#include "opencl_layer.h"

/* sycl::event::getNative() of DPC++: the caller owns the reference that it is given. */
#define GET_NATIVE "_ZNK4sycl3_V15event9getNativeEv"

static struct adi_interceptor watched;
static const struct adi_interceptor *beneath;
static const struct adi_opencl_layer *layer;
static uintptr_t (*get_native)(const void *event);

bool adi_oneapi_is_event(const void *sync_event) {
    void *parts[2], *first;
    return adi_host_read(sync_event, 0, parts, sizeof parts, NULL) == 0 &&
           adi_host_read(parts[0], 0, &first, sizeof first, NULL) == 0 &&
           adi_host_read(parts[1], 0, &first, sizeof first, NULL) == 0;
}

/* The cl_event in it, of which a reference is given up at once: it has its own. */
static const void *native_of(const void *object) {
    struct adi_opencl_seen seen = layer->look(object);
    if (object == NULL || (seen.kind != ADI_OPENCL_UNKNOWN && seen.live)) return object;
    if (!adi_oneapi_is_event(object)) return object;
    bool before = beneath->enter(false);
    cl_event event = (cl_event)get_native(object);
    if (event != NULL) adi_opencl_api(NULL)->clReleaseEvent(event);
    beneath->enter(before);
    return event;
}

static bool pending(const void *object) {
    return beneath->pending(native_of(object));
}

static bool covers(const void *event, const void *buffer) {
    return beneath->covers(native_of(event), buffer);
}

static bool covers_in(const void *event, const void *buffer, int64_t offset, int64_t bytes) {
    return beneath->covers_in(native_of(event), buffer, offset, bytes);
}

static bool name_of(const void *object, char out[48]) {
    return beneath->name_of(native_of(object), out);
}

void adi_oneapi_offer_layer(void) {
    layer = adi_opencl_layer();
}

const struct adi_interceptor *adi_oneapi_interceptor(const struct adi_oneapi_api *api) {
    void *found = layer == NULL ? NULL : dlsym(api->library, GET_NATIVE);
    if (found == NULL) return NULL;
    memcpy(&get_native, &found, sizeof found);
    beneath = &layer->interceptor;
    watched = *beneath;
    watched.pending = pending;
    watched.covers = covers;
    watched.covers_in = covers_in;
    watched.name_of = name_of;
    return &watched;
}

bool adi_oneapi_knows(const void *buffer, uint64_t *bytes) {
    if (layer == NULL) return false;
    struct adi_opencl_seen seen = layer->look(buffer);
    *bytes = seen.bytes;
    return seen.kind == ADI_OPENCL_SHARED && seen.live;
}
