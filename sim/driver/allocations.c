/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocations, and the registering of the program's own memory.
 */
#include "captured.h"

#define PITCH    512  /* rows begin at multiples of it, as on an H100 */
#define COMBINED 1024 /* of the last so many it is known that they were to be write-combined */

/* ---- making ---- */

static driver_code allocate(enum adi_sim_memory memory, size_t bytes, void **out) {
    struct driver_scope scope;
    SIM_TRY(driver_current(&scope));
    if (out == NULL || bytes == 0) return DRIVER_INVALID_VALUE;
    SIM_TRY(driver_capture_unsafe());
    return driver_error(adi_sim_alloc(scope.context, memory, bytes, out));
}

driver_code driver_allocate(driver_pointer *pointer, size_t bytes) {
    void *made = NULL;
    if (pointer == NULL) return DRIVER_INVALID_VALUE;
    driver_code code = allocate(ADI_SIM_DEVICE, bytes, &made);
    if (code == DRIVER_SUCCESS) *pointer = (uintptr_t)made;
    return code;
}

driver_code driver_allocate_managed(driver_pointer *pointer, size_t bytes, unsigned flags) {
    void *made = NULL;
    if (pointer == NULL || (flags != DRIVER_MEM_ATTACH_GLOBAL && flags != DRIVER_MEM_ATTACH_HOST))
        return DRIVER_INVALID_VALUE;
    driver_code code = allocate(ADI_SIM_MANAGED, bytes, &made);
    if (code == DRIVER_SUCCESS) *pointer = (uintptr_t)made;
    return code;
}

driver_code driver_allocate_rows(driver_pointer *pointer, size_t *pitch, size_t width,
                                 size_t height, unsigned element) {
    struct driver_scope scope;
    SIM_TRY(driver_current(&scope));
    bool whole = element == 4 || element == 8 || element == 16;
    if (pointer == NULL || pitch == NULL || width == 0 || height == 0 || !whole)
        return DRIVER_INVALID_VALUE;
    if (width > SIZE_MAX - PITCH) return DRIVER_OUT_OF_MEMORY;
    size_t row = (width + PITCH - 1) / PITCH * PITCH;
    if (row > SIZE_MAX / height) return DRIVER_OUT_OF_MEMORY;
    driver_code code = driver_allocate(pointer, row * height);
    if (code == DRIVER_SUCCESS) *pitch = row;
    return code;
}

/* ---- of the host ---- */

static struct {
    uint64_t ordinals[COMBINED];
    size_t n;
} combined;

static void note_combined(const void *pointer) {
    struct adi_sim_found found;
    if (driver_find(pointer, &found)) combined.ordinals[combined.n++ % COMBINED] = found.ordinal;
}

static bool is_combined(const struct adi_sim_found *found) {
    for (size_t i = 0; i < COMBINED && i < combined.n; i++)
        if (combined.ordinals[i] == found->ordinal) return true;
    return false;
}

/* All of it is mapped, and that it is portable is not said, as by a driver on an H100. */
driver_code driver_host_flags(unsigned *flags, void *pointer) {
    struct driver_scope scope;
    struct adi_sim_found found;
    SIM_TRY(driver_current(&scope));
    if (flags == NULL || !driver_find(pointer, &found) || found.memory == ADI_SIM_DEVICE)
        return DRIVER_INVALID_VALUE;
    *flags = DRIVER_MEMHOSTALLOC_DEVICEMAP;
    if (is_combined(&found)) *flags |= DRIVER_MEMHOSTALLOC_WRITECOMBINED;
    return DRIVER_SUCCESS;
}

/* Unlike memory of a device, none of this is no mistake. */
driver_code driver_allocate_pinned(void **pointer, size_t bytes, unsigned flags) {
    struct driver_scope scope;
    if (flags > DRIVER_MEMHOSTALLOC_FLAGS_MASK) return DRIVER_INVALID_VALUE;
    if (pointer == NULL || bytes > 0) {
        SIM_TRY(allocate(ADI_SIM_PINNED, bytes, pointer));
        if (flags & DRIVER_MEMHOSTALLOC_WRITECOMBINED) note_combined(*pointer);
        return DRIVER_SUCCESS;
    }
    SIM_TRY(driver_current(&scope));
    *pointer = NULL;
    return DRIVER_SUCCESS;
}

driver_code driver_allocate_async(bool per_thread, driver_pointer *pointer, size_t bytes,
                                  driver_stream stream) {
    adi_sim_queue queue;
    SIM_TRY(driver_queue(per_thread, stream, NULL, &queue));
    if (pointer == NULL || bytes == 0) return DRIVER_INVALID_VALUE;
    return driver_allocate_on(queue, bytes, pointer);
}

/* ---- freeing: the pointer says in which context, whichever is current ---- */

/* The driver waits for work that uses what is freed, but not if it is from a pool (cuMemFree). */
driver_code driver_misused(const char *text) {
    adi_sim_violate("not-allocated", 0, false, text);
    return DRIVER_INVALID_VALUE;
}

driver_code driver_free(driver_pointer address) {
    struct adi_sim_found found;
    void *pointer = driver_at(address);
    SIM_TRY(driver_capture_unsafe());
    enum driver_memory memory = driver_memory_of(pointer);
    if (memory == DRIVER_PINNED) return driver_misused("pinned memory is freed as the device's");
    if (memory == DRIVER_FOREIGN) return DRIVER_INVALID_VALUE;
    bool from_pool = driver_find(pointer, &found) && found.on_queue;
    if (!from_pool) return driver_error(adi_sim_free_behind(pointer));
    driver_code code = driver_error(adi_sim_free(pointer));
    if (code == DRIVER_SUCCESS) driver_give_back(&found);
    return code;
}

driver_code driver_free_async(bool per_thread, driver_pointer address, driver_stream stream) {
    adi_sim_queue queue;
    struct adi_sim_found found;
    SIM_TRY(driver_queue(per_thread, stream, NULL, &queue));
    enum driver_memory memory = driver_memory_of(driver_at(address));
    if (memory == DRIVER_PINNED) return driver_misused("pinned memory is freed on a stream");
    if (memory == DRIVER_FOREIGN) return DRIVER_INVALID_VALUE;
    bool from_pool = driver_find(driver_at(address), &found) && found.on_queue;
    driver_code code = driver_error(adi_sim_free_on(queue, driver_at(address)));
    if (code == DRIVER_SUCCESS && from_pool) driver_give_back(&found);
    return code;
}

driver_code driver_free_pinned(void *pointer) {
    enum driver_memory memory =
        driver_memory_of(pointer); /* the engine says what is wrong with none */
    if (pointer == NULL) return DRIVER_SUCCESS;
    SIM_TRY(driver_capture_unsafe());
    if (memory == DRIVER_ON_DEVICE) return driver_misused("device memory is freed as pinned");
    if (memory == DRIVER_MANAGED) return driver_misused("managed memory is freed as pinned");
    return memory == DRIVER_FOREIGN ? DRIVER_INVALID_VALUE : driver_error(adi_sim_free(pointer));
}

/* ---- registering ---- */

/* It stays the program's own. What the program itself cannot write a device can be let at for reads
 * only, where the interface has a flag for that. */
driver_code driver_host_register(void *pointer, size_t bytes, unsigned flags) {
    struct driver_scope scope;
    SIM_TRY(driver_current(&scope));
    struct adi_sim_found found;
    if (pointer == NULL || bytes == 0 || flags > DRIVER_MEMHOSTREGISTER_FLAGS_MASK ||
        adi_sim_find(pointer, &found) == 0 || !adi_sim_readable(pointer, bytes))
        return DRIVER_INVALID_VALUE;
    bool for_reads = driver_facade.registers_for_reads && flags & DRIVER_MEMHOSTREGISTER_READ_ONLY;
    if (driver_facade.registers_for_reads && !for_reads && !adi_sim_writable(pointer, bytes))
        return DRIVER_INVALID_VALUE;
    return driver_register(&scope, pointer, bytes, for_reads);
}

driver_code driver_host_unregister(void *pointer) {
    struct driver_scope scope;
    SIM_TRY(driver_current(&scope));
    if (pointer == NULL) return DRIVER_INVALID_VALUE;
    return driver_unregister(pointer);
}

driver_code driver_device_pointer(driver_pointer *device, void *pointer, unsigned flags) {
    struct driver_scope scope;
    SIM_TRY(driver_current(&scope));
    if (device == NULL || flags != 0) return DRIVER_INVALID_VALUE;
    enum driver_memory memory = driver_memory_of(pointer);
    if (memory != DRIVER_REGISTERED && memory != DRIVER_PINNED) return DRIVER_INVALID_VALUE;
    *device = (uintptr_t)pointer;
    return DRIVER_SUCCESS;
}

driver_code driver_memory_info(size_t *available, size_t *total) {
    struct driver_scope scope;
    SIM_TRY(driver_current(&scope));
    if (available == NULL || total == NULL) return DRIVER_INVALID_VALUE;
    return driver_error(adi_sim_memory_info(scope.context, available, total));
}
