/* SPDX-License-Identifier: Apache-2.0
 *
 * What of the program's own memory is registered, and what a pointer is to.
 */
#include <string.h>

#include "driver_internal.h"

#define REGISTRATIONS 1024

#define FIRST_BUFFER ((uint64_t)1 << 32) /* numbers beside those of allocations */

static struct registration {
    const char *start;
    size_t bytes; /* 0: none */
    adi_sim_context context;
    int device;
    uint64_t ordinal;
    bool for_reads;
} registered[REGISTRATIONS];
static size_t n_used; /* there is none behind these */

/* The one that has a byte of the range, which may be any words of the program. */
static struct registration *overlapping(const char *start, size_t bytes) {
    uintptr_t from = (uintptr_t)start;
    uintptr_t to = bytes > UINTPTR_MAX - from ? UINTPTR_MAX : from + bytes;
    for (size_t i = 0; i < n_used; i++) {
        struct registration *one = &registered[i];
        uintptr_t begin = (uintptr_t)one->start;
        if (one->bytes > 0 && from < begin + one->bytes && begin < to) return one;
    }
    return NULL;
}

static bool find_registered(const void *pointer, struct adi_sim_found *found) {
    const struct registration *one = overlapping(pointer, 1);
    if (one != NULL)
        *found = (struct adi_sim_found){.start = (void *)(uintptr_t)one->start,
                                        .bytes = one->bytes,
                                        .memory = ADI_SIM_PINNED,
                                        .family = driver_facade.family,
                                        .device = one->device,
                                        .ordinal = one->ordinal,
                                        .context = one->context};
    return one != NULL;
}

bool driver_is_registered(const void *pointer, size_t bytes) {
    struct adi_sim_found found;
    if (!find_registered(pointer, &found)) return false;
    return bytes <= found.bytes - (size_t)((const char *)pointer - (const char *)found.start);
}

bool driver_is_for_reads(const void *pointer) {
    const struct registration *one = overlapping(pointer, 1);
    return one != NULL && one->for_reads;
}

static bool is_ours(const struct adi_sim_found *found) {
    return strcmp(found->family, driver_facade.family) == 0;
}

bool driver_find(const void *pointer, struct adi_sim_found *found) {
    if (find_registered(pointer, found)) return true;
    if (adi_sim_find(pointer, found) != 0 || !is_ours(found)) return false;
    found->device = driver_device(found->device);
    return true;
}

enum driver_memory driver_memory_of(const void *pointer) {
    static const enum driver_memory kinds[] = {[ADI_SIM_DEVICE] = DRIVER_ON_DEVICE,
                                               [ADI_SIM_PINNED] = DRIVER_PINNED,
                                               [ADI_SIM_MANAGED] = DRIVER_MANAGED};
    struct adi_sim_found found;
    if (find_registered(pointer, &found)) return DRIVER_REGISTERED;
    if (adi_sim_find(pointer, &found) != 0) return DRIVER_PAGEABLE;
    return is_ours(&found) ? kinds[found.memory] : DRIVER_FOREIGN;
}

driver_code driver_register(const struct driver_scope *scope, const char *start, size_t bytes,
                            bool for_reads) {
    static uint64_t made;
    if (overlapping(start, bytes) != NULL) return DRIVER_HOST_MEMORY_ALREADY_REGISTERED;
    for (size_t i = 0; i < REGISTRATIONS; i++) {
        if (registered[i].bytes > 0) continue;
        void *own = (void *)(uintptr_t)start;
        SIM_TRY(driver_error(adi_sim_register(scope->context, own, bytes)));
        registered[i] = (struct registration){
            start, bytes, scope->context, scope->device, FIRST_BUFFER + made++, for_reads};
        if (i == n_used) n_used++;
        return DRIVER_SUCCESS;
    }
    return DRIVER_OUT_OF_MEMORY;
}

driver_code driver_unregister(const void *start) {
    struct registration *found = overlapping(start, 1);
    if (found == NULL || found->start != start) return DRIVER_HOST_MEMORY_NOT_REGISTERED;
    found->bytes = 0;
    return driver_error(adi_sim_unregister((void *)(uintptr_t)start));
}

void driver_unregister_all(adi_sim_context context) {
    for (size_t i = 0; i < n_used; i++)
        if (registered[i].context == context) registered[i].bytes = 0;
}
