/* SPDX-License-Identifier: Apache-2.0
 *
 * One platform, whose devices are GPUs by Level Zero. No device reaches the memory of another.
 */
#include <stdlib.h>

#include "oneapi.h"

void *oneapi_device(int index) {
    return oneapi_make((struct oneapi_object){.kind = ONEAPI_DEVICE, .device = index});
}

/* Of an identifier that leaves out the backend, or the type of device, any will do. */
static bool is_meant(int identifier) {
    int backend = identifier & DPCTL_ALL_BACKENDS, type = identifier & DPCTL_ALL;
    if (identifier == 0) return false;
    return (backend == 0 || backend & DPCTL_LEVEL_ZERO) && (type == 0 || type & DPCTL_GPU);
}

void *oneapi_devices(int identifier) {
    void *vector = oneapi_vector(ONEAPI_DEVICE);
    for (int i = 0; vector != NULL && is_meant(identifier) && i < ADI_SIM_DEVICES; i++)
        oneapi_vector_add(vector, oneapi_device(i));
    return vector;
}

size_t oneapi_count(int identifier) {
    return is_meant(identifier) ? ADI_SIM_DEVICES : 0;
}

int oneapi_position(const void *device, int identifier) {
    const struct oneapi_object *object = oneapi_find(device, ONEAPI_DEVICE);
    return object == NULL || !is_meant(identifier) ? -1 : object->device;
}

int64_t oneapi_index(const void *device) {
    return oneapi_position(device, DPCTL_GPU);
}

void *oneapi_selector(bool takes_any) {
    return oneapi_make(
        (struct oneapi_object){.kind = ONEAPI_SELECTOR, .device = takes_any ? 0 : -1});
}

void *oneapi_device_selected(const void *selector) {
    const struct oneapi_object *object = oneapi_find(selector, ONEAPI_SELECTOR);
    return object == NULL || object->device < 0 ? NULL : oneapi_device(object->device);
}

bool oneapi_is_type(const void *device, int type) {
    return oneapi_find(device, ONEAPI_DEVICE) != NULL && type == DPCTL_GPU;
}

uint64_t oneapi_memory(const void *device) {
    size_t total = 0;
    if (oneapi_find(device, ONEAPI_DEVICE) != NULL) adi_sim_memory_total(&total);
    return total;
}

uint32_t oneapi_one_of(const void *device) {
    return oneapi_find(device, ONEAPI_DEVICE) != NULL;
}

size_t *oneapi_sizes(const void *device, int n) {
    size_t *sizes = oneapi_find(device, ONEAPI_DEVICE) == NULL ? NULL : malloc(3 * sizeof *sizes);
    for (int i = 0; sizes != NULL && i < n; i++) sizes[i] = 1;
    return sizes;
}

void oneapi_sizes_delete(size_t *sizes) {
    free(sizes);
}

bool oneapi_has_aspect(const void *device, int aspect) {
    static const bool has[] = {[DPCTL_ASPECT_GPU] = true,        [DPCTL_ASPECT_FP16] = true,
                               [DPCTL_ASPECT_FP64] = true,       [DPCTL_ASPECT_ATOMIC64] = true,
                               [DPCTL_ASPECT_USM_DEVICE] = true, [DPCTL_ASPECT_USM_HOST] = true,
                               [DPCTL_ASPECT_USM_SHARED] = true};
    if (oneapi_find(device, ONEAPI_DEVICE) == NULL) return false;
    return aspect >= 0 && aspect < (int)(sizeof has / sizeof *has) && has[aspect];
}

bool oneapi_can_access(const void *device, const void *peer, int access) {
    (void)access;
    oneapi_find(device, ONEAPI_DEVICE);
    oneapi_find(peer, ONEAPI_DEVICE);
    return false;
}

/* ---- the platform ---- */

void *oneapi_platform(void) {
    return oneapi_make((struct oneapi_object){.kind = ONEAPI_PLATFORM});
}

void *oneapi_platforms(void) {
    void *vector = oneapi_vector(ONEAPI_PLATFORM);
    if (vector != NULL) oneapi_vector_add(vector, oneapi_platform());
    return vector;
}

void *oneapi_platform_of(const void *reference, enum oneapi_kind kind) {
    return oneapi_find(reference, kind) == NULL ? NULL : oneapi_platform();
}

void *oneapi_platform_devices(const void *platform, int type) {
    if (oneapi_find(platform, ONEAPI_PLATFORM) == NULL) return NULL;
    return oneapi_devices(type & DPCTL_ALL);
}
