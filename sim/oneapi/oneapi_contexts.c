/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory is of one context, and queues of another must not use it (SYCL 2020, "Explicit memory
 * operation APIs").
 */
#include <stdlib.h>

#include "oneapi.h"

void *oneapi_context_reference(struct oneapi_context *context) {
    return oneapi_make((struct oneapi_object){.kind = ONEAPI_CONTEXT, .context = context});
}

void *oneapi_cached_context(const void *device) {
    if (oneapi_find(device, ONEAPI_DEVICE) == NULL) return NULL;
    return oneapi_context_reference(oneapi_default());
}

void *oneapi_default_context(const void *platform) {
    if (oneapi_find(platform, ONEAPI_PLATFORM) == NULL) return NULL;
    return oneapi_context_reference(oneapi_default());
}

/* ---- those that a program makes ---- */

static void *make(const bool has[ADI_SIM_DEVICES]) {
    struct oneapi_context *context = calloc(1, sizeof *context);
    if (context == NULL) return NULL;
    void *reference = oneapi_context_reference(context);
    if (reference == NULL) {
        free(context);
        return NULL;
    }
    for (int i = 0; i < ADI_SIM_DEVICES; i++) context->has[i] = has[i];
    oneapi_context_add(context);
    return reference;
}

void *oneapi_context(const void *device, error_handler_callback *handler, int properties) {
    (void)handler, (void)properties;
    const struct oneapi_object *object = oneapi_find(device, ONEAPI_DEVICE);
    bool has[ADI_SIM_DEVICES] = {false};
    if (object == NULL) return NULL;
    has[object->device] = true;
    return make(has);
}

void *oneapi_context_of(const void *devices, error_handler_callback *handler, int properties) {
    (void)handler, (void)properties;
    const struct oneapi_object *vector = oneapi_find(devices, ONEAPI_VECTOR);
    bool has[ADI_SIM_DEVICES] = {false};
    if (vector == NULL || vector->n == 0) return NULL;
    for (size_t i = 0; i < vector->n; i++) {
        const struct oneapi_object *device = oneapi_find(vector->elements[i], ONEAPI_DEVICE);
        if (device == NULL) return NULL;
        has[device->device] = true;
    }
    return make(has);
}

size_t oneapi_devices_in(const void *context) {
    const struct oneapi_object *object = oneapi_find(context, ONEAPI_CONTEXT);
    size_t n = 0;
    for (int i = 0; object != NULL && i < ADI_SIM_DEVICES; i++) n += object->context->has[i];
    return n;
}

void *oneapi_list_devices_in(const void *context) {
    const struct oneapi_object *object = oneapi_find(context, ONEAPI_CONTEXT);
    void *vector = object == NULL ? NULL : oneapi_vector(ONEAPI_DEVICE);
    for (int i = 0; vector != NULL && i < ADI_SIM_DEVICES; i++)
        if (object->context->has[i]) oneapi_vector_add(vector, oneapi_device(i));
    return vector;
}
