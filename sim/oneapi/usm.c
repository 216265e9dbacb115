/* SPDX-License-Identifier: Apache-2.0
 *
 * Unified shared memory. A free waits for nothing (SYCL 2020, "Memory deallocation functions").
 */
#include "oneapi.h"

int oneapi_check_context(const struct oneapi_context *context, const void *pointer,
                         const char *what) {
    struct adi_sim_found found;
    if (pointer == NULL || adi_sim_find(pointer, &found) != 0) return 0;
    return oneapi_owner(found.context) == context ? 0 : adi_sim_foreign(pointer, what);
}

/* Of no bytes it is NULL, as in DPC++. */
void *oneapi_malloc(enum adi_sim_memory memory, size_t alignment, size_t bytes,
                    const void *reference) {
    const struct oneapi_queue *queue = oneapi_queue_find(reference);
    void *pointer;
    if (queue == NULL || bytes == 0 || (alignment & (alignment - 1)) != 0) return NULL;
    if (alignment > ADI_SIM_ALIGNMENT) {
        adi_sim_remark("memory", "no more than 256 bytes of alignment are simulated");
        return NULL;
    }
    return adi_sim_alloc(queue->engine, memory, bytes, &pointer) == 0 ? pointer : NULL;
}

static void free_in(void *memory, const struct oneapi_context *context) {
    if (memory == NULL || context == NULL) return;
    if (oneapi_check_context(context, memory, "a free with another context") == 0)
        adi_sim_free(memory);
}

void oneapi_free_with_queue(void *memory, const void *reference) {
    const struct oneapi_queue *queue = oneapi_queue_find(reference);
    free_in(memory, queue == NULL ? NULL : queue->context);
}

void oneapi_free_with_context(void *memory, const void *reference) {
    const struct oneapi_object *object = oneapi_find(reference, ONEAPI_CONTEXT);
    free_in(memory, object == NULL ? NULL : object->context);
}

/* In no context but its own a pointer is anything. */
static bool find(const void *memory, const void *reference, struct adi_sim_found *out) {
    const struct oneapi_object *object = oneapi_find(reference, ONEAPI_CONTEXT);
    if (object == NULL || memory == NULL || adi_sim_find(memory, out) != 0) return false;
    return oneapi_owner(out->context) == object->context;
}

int oneapi_pointer_type(const void *memory, const void *reference) {
    static const int types[] = {[ADI_SIM_DEVICE] = DPCTL_USM_DEVICE,
                                [ADI_SIM_PINNED] = DPCTL_USM_HOST,
                                [ADI_SIM_MANAGED] = DPCTL_USM_SHARED};
    struct adi_sim_found found;
    return find(memory, reference, &found) ? types[found.memory] : DPCTL_USM_UNKNOWN;
}

void *oneapi_pointer_device(const void *memory, const void *reference) {
    struct adi_sim_found found;
    return find(memory, reference, &found) ? oneapi_device(found.device) : NULL;
}
