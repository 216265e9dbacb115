/* SPDX-License-Identifier: Apache-2.0
 *
 * What the driver knows of a pointer.
 */
#include <string.h>

#include "driver_internal.h"

/* Of all attributes the value, as much of it as its type has. */
struct answer {
    size_t size; /* 0: there is none for this memory */
    uint64_t value;
};

static struct answer number(uint64_t value, size_t size) {
    return (struct answer){size, value};
}

static struct answer truth(bool value) {
    return number(value, driver_facade.truth);
}

static struct answer ask(const struct adi_sim_found *found, driver_pointer pointer, int attribute) {
    bool on_device = found->memory == ADI_SIM_DEVICE, pinned = found->memory == ADI_SIM_PINNED;
    switch (attribute) {
    case DRIVER_POINTER_ATTRIBUTE_CONTEXT:
        return number((uintptr_t)driver_context_name(found->context), sizeof(driver_context));
    case DRIVER_POINTER_ATTRIBUTE_MEMORY_TYPE:
        return number(pinned ? DRIVER_MEMORYTYPE_HOST : DRIVER_MEMORYTYPE_DEVICE, sizeof(int));
    case DRIVER_POINTER_ATTRIBUTE_DEVICE_POINTER:
        return number(pointer, sizeof(driver_pointer));
    case DRIVER_POINTER_ATTRIBUTE_HOST_POINTER:
        return number(pointer, on_device ? 0 : sizeof(void *));
    case DRIVER_POINTER_ATTRIBUTE_SYNC_MEMOPS:
        return truth(!pinned);
    case DRIVER_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        return truth(driver_has_handle(found));
    case DRIVER_POINTER_ATTRIBUTE_BUFFER_ID:
        return number(found->ordinal, sizeof(uint64_t));
    case DRIVER_POINTER_ATTRIBUTE_IS_MANAGED:
        return truth(found->memory == ADI_SIM_MANAGED);
    case DRIVER_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        return number((uint64_t)found->device, sizeof(int));
    case DRIVER_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        return number((uintptr_t)found->start, sizeof(driver_pointer));
    case DRIVER_POINTER_ATTRIBUTE_RANGE_SIZE:
        return number(found->bytes, sizeof(size_t));
    case DRIVER_POINTER_ATTRIBUTE_MAPPED:
        return truth(true);
    case DRIVER_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
        return number(0, sizeof(uint64_t)); /* of none of those that processes share */
    case DRIVER_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        return number((uintptr_t)driver_pool_of(found), sizeof(driver_pool));
    default:
        return number(0, 0);
    }
}

/* Numbers are little-endian wherever the engine runs, so that the first bytes are the value. */
static void put(void *out, struct answer answer) {
    memcpy(out, &answer.value, answer.size);
}

driver_code driver_pointer_attribute(void *value, int attribute, driver_pointer pointer) {
    struct adi_sim_found found;
    if (value == NULL) return DRIVER_INVALID_VALUE;
    if (!driver_find(driver_at(pointer), &found)) return DRIVER_INVALID_VALUE;
    struct answer answer = ask(&found, pointer, attribute);
    put(value, answer);
    return answer.size == 0 ? DRIVER_INVALID_VALUE : DRIVER_SUCCESS;
}

/* What a pointer does not have is 0, and one that is unknown has nothing. */
driver_code driver_pointer_attributes(unsigned n, int *attributes, void **values,
                                      driver_pointer pointer) {
    static const struct adi_sim_found nothing = {.memory = ADI_SIM_MANAGED};
    struct adi_sim_found found;
    if (n == 0 || attributes == NULL || values == NULL) return DRIVER_INVALID_VALUE;
    bool known = driver_find(driver_at(pointer), &found);
    for (unsigned i = 0; i < n; i++) {
        struct answer size = ask(&nothing, 0, attributes[i]);
        if (size.size == 0 || values[i] == NULL) return DRIVER_INVALID_VALUE;
        struct answer answer = {0};
        if (known) answer = ask(&found, pointer, attributes[i]);
        if (answer.size == 0) answer = number(0, size.size);
        put(values[i], answer);
    }
    return DRIVER_SUCCESS;
}

driver_code driver_address_range(driver_pointer *start, size_t *bytes, driver_pointer pointer) {
    struct adi_sim_found found;
    struct driver_scope scope;
    SIM_TRY(driver_current(&scope));
    if (!driver_find(driver_at(pointer), &found)) return DRIVER_NOT_FOUND;
    if (start != NULL) *start = (uintptr_t)found.start;
    if (bytes != NULL) *bytes = found.bytes;
    return DRIVER_SUCCESS;
}
