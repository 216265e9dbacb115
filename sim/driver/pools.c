/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools of stream-ordered memory. What is allocated is the engine's; a pool is its handle there,
 * and counts. It keeps what was freed up to its threshold at most, as if each call were the
 * synchronization at which drivers give the rest back. All pools are within reach of every device,
 * and who may reach them is only kept in mind.
 */
#include <stdlib.h>
#include <string.h>

#include "driver_internal.h"

#define POOLS   256
#define BUCKETS 1024

static struct pool {
    adi_sim_pool handle; /* NULL: none, or destroyed */
    int device;
    size_t n;                     /* allocations that it still has */
    uint64_t most;                /* 0: as much as there is */
    uint64_t used, used_high;     /* in bytes */
    uint64_t kept, reserved_high; /* kept: with what is used */
    uint64_t threshold;
    int reuse[3];
    int access[ADI_SIM_DEVICES];
} pools[POOLS]; /* the first are the devices' own */

static struct pool *current[ADI_SIM_DEVICES]; /* NULL: the device's own */

/* An allocation of a pool. */
static struct piece {
    const void *start;
    uint64_t ordinal, bytes;
    struct pool *pool;
    struct piece *next;
} * pieces[BUCKETS];

/* ---- what was allocated ---- */

static struct piece **bucket_of(const void *start) {
    return &pieces[((uintptr_t)start / ADI_SIM_ALIGNMENT) % BUCKETS];
}

static struct piece **place_of(const struct adi_sim_found *found) {
    struct piece **at = bucket_of(found->start);
    while (*at != NULL && (*at)->ordinal != found->ordinal) at = &(*at)->next;
    return at;
}

static void drop(struct piece **at) {
    struct piece *piece = *at;
    piece->pool->used -= piece->bytes;
    piece->pool->n--;
    *at = piece->next;
    free(piece);
}

/* What went with its context was given back by nobody. */
static void tidy(void) {
    struct adi_sim_found found;
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct piece **at = &pieces[i]; *at != NULL;) {
            bool there = adi_sim_find((*at)->start, &found) == 0;
            if (there && found.ordinal == (*at)->ordinal)
                at = &(*at)->next;
            else
                drop(at);
        }
}

driver_pool driver_pool_of(const struct adi_sim_found *found) {
    const struct piece *piece = *place_of(found);
    return piece == NULL ? NULL : (driver_pool)piece->pool->handle;
}

void driver_give_back(const struct adi_sim_found *found) {
    struct piece **at = place_of(found);
    if (*at != NULL) drop(at);
}

/* ---- finding pools ---- */

/* NULL: the machine has no memory left. */
static struct pool *default_pool(int device) {
    struct pool *pool = &pools[device];
    if (pool->handle != NULL) return pool;
    uint64_t label = DRIVER_OWN | (uint64_t)device;
    *pool = (struct pool){.device = device, .reuse = {1, 1, 1}};
    pool->access[device] = DRIVER_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return adi_sim_pool_create(label, true, &pool->handle) == 0 ? pool : NULL;
}

static struct pool *current_pool(int device) {
    return current[device] != NULL ? current[device] : default_pool(device);
}

/* The engine says what is wrong with what is none. */
static driver_code find(driver_pool handle, struct pool **out) {
    uint64_t label;
    if (adi_sim_pool_label((adi_sim_pool)handle, &label) != 0 || !driver_owns(label))
        return DRIVER_INVALID_VALUE;
    *out = &pools[(uint32_t)label % POOLS];
    return (*out)->handle == (adi_sim_pool)handle ? DRIVER_SUCCESS : DRIVER_INVALID_VALUE;
}

/* Gives up what is more than it may keep, down to what is used. */
static uint64_t settle(struct pool *pool, uint64_t keep) {
    if (pool->kept > keep) pool->kept = keep;
    if (pool->kept < pool->used) pool->kept = pool->used;
    return pool->kept;
}

/* ---- making ---- */

static struct pool *free_pool(void) {
    for (size_t i = ADI_SIM_DEVICES; i < POOLS; i++)
        if (pools[i].handle == NULL && pools[i].n == 0) return &pools[i];
    return NULL;
}

static driver_code refuse(const char *why) {
    driver_remark(why);
    return DRIVER_NOT_SUPPORTED;
}

/* Whether there can be a pool of this type there, and on which device. */
static driver_code look_at(const driver_location *location, int type, int *device) {
    bool managed = type == DRIVER_MEM_ALLOCATION_TYPE_MANAGED;
    if (!managed && type != DRIVER_MEM_ALLOCATION_TYPE_PINNED) return DRIVER_INVALID_VALUE;
    if (managed) return refuse("pools of managed memory are not simulated");
    if (driver_is_host(location)) return refuse("pools of the host are not simulated");
    if (location->type != DRIVER_MEM_LOCATION_TYPE_DEVICE) return DRIVER_INVALID_VALUE;
    *device = location->id;
    return driver_is_visible(location->id) ? DRIVER_SUCCESS : DRIVER_INVALID_VALUE;
}

driver_code driver_pool_create(driver_pool *out, const driver_pool_kind *properties) {
    int device;
    if (out == NULL || properties == NULL) return DRIVER_INVALID_VALUE;
    SIM_TRY(look_at(&properties->location, properties->type, &device));
    if (properties->handle_types != 0) return refuse("no other process can be given a pool");
    tidy();
    struct pool *pool = free_pool();
    if (pool == NULL) return DRIVER_OUT_OF_MEMORY;
    *pool = (struct pool){.device = device, .most = properties->most, .reuse = {1, 1, 1}};
    pool->access[device] = DRIVER_MEM_ACCESS_FLAGS_PROT_READWRITE;
    int error = adi_sim_pool_create(DRIVER_OWN | (uint64_t)(pool - pools), false, &pool->handle);
    if (error == 0) *out = (driver_pool)pool->handle;
    return driver_error(error);
}

/* Its allocations stay; the pool in its place waits for them. */
driver_code driver_pool_destroy(driver_pool handle) {
    struct pool *pool;
    if (!adi_sim_is_live(handle, NULL)) {
        adi_sim_pool_destroy((adi_sim_pool)handle); /* which reports it */
        return DRIVER_INVALID_VALUE;
    }
    SIM_TRY(find(handle, &pool));
    if (pool - pools < ADI_SIM_DEVICES) return DRIVER_INVALID_VALUE;
    SIM_TRY(driver_error(adi_sim_pool_destroy(pool->handle)));
    for (int i = 0; i < ADI_SIM_DEVICES; i++)
        if (current[i] == pool) current[i] = NULL;
    pool->handle = NULL;
    return DRIVER_SUCCESS;
}

/* ---- the pools of a device ---- */

static driver_code give(struct pool *pool, driver_pool *out) {
    if (pool == NULL) return DRIVER_OUT_OF_MEMORY;
    *out = (driver_pool)pool->handle;
    return DRIVER_SUCCESS;
}

driver_code driver_device_default_pool(driver_pool *out, int device) {
    if (out == NULL) return DRIVER_INVALID_VALUE;
    if (!driver_is_visible(device)) return DRIVER_INVALID_DEVICE;
    return give(default_pool(device), out);
}

driver_code driver_device_get_pool(driver_pool *out, int device) {
    if (out == NULL) return DRIVER_INVALID_VALUE;
    if (!driver_is_visible(device)) return DRIVER_INVALID_DEVICE;
    return give(current_pool(device), out);
}

driver_code driver_device_set_pool(int device, driver_pool handle) {
    struct pool *pool;
    if (!driver_is_visible(device)) return DRIVER_INVALID_DEVICE;
    SIM_TRY(find(handle, &pool));
    if (pool->device != device) return DRIVER_INVALID_VALUE;
    current[device] = pool;
    return DRIVER_SUCCESS;
}

driver_code driver_location_default_pool(driver_pool *out, driver_location *location, int type) {
    int device;
    if (out == NULL || location == NULL) return DRIVER_INVALID_VALUE;
    SIM_TRY(look_at(location, type, &device));
    return driver_device_default_pool(out, device);
}

driver_code driver_location_get_pool(driver_pool *out, driver_location *location, int type) {
    int device;
    if (out == NULL || location == NULL) return DRIVER_INVALID_VALUE;
    SIM_TRY(look_at(location, type, &device));
    return driver_device_get_pool(out, device);
}

driver_code driver_location_set_pool(driver_location *location, int type, driver_pool handle) {
    int device;
    if (location == NULL) return DRIVER_INVALID_VALUE;
    SIM_TRY(look_at(location, type, &device));
    return driver_device_set_pool(device, handle);
}

/* ---- allocating ---- */

static driver_code count(struct pool *pool, const void *start, size_t bytes) {
    struct adi_sim_found found;
    struct piece *piece = malloc(sizeof *piece);
    if (piece == NULL || adi_sim_find(start, &found) != 0) {
        free(piece);
        return DRIVER_OUT_OF_MEMORY;
    }
    struct piece **bucket = bucket_of(start);
    *piece = (struct piece){start, found.ordinal, bytes, pool, *bucket};
    *bucket = piece;
    pool->n++;
    pool->used += bytes;
    if (pool->used > pool->used_high) pool->used_high = pool->used;
    uint64_t reserved = settle(pool, pool->threshold);
    if (reserved > pool->reserved_high) pool->reserved_high = reserved;
    return DRIVER_SUCCESS;
}

/* In the context of the queue, unless that is on another device. */
static driver_code allocate(struct pool *pool, adi_sim_queue queue, size_t bytes,
                            driver_pointer *out) {
    adi_sim_context context;
    int index;
    void *made = NULL;
    SIM_TRY(driver_error(adi_sim_queue_info(queue, &index, &context)));
    if (pool->most != 0 && pool->used + bytes > pool->most) tidy();
    if (pool->most != 0 && (bytes > pool->most || pool->used > pool->most - bytes))
        return DRIVER_OUT_OF_MEMORY;
    if (driver_device(index) != pool->device) context = driver_context_on(pool->device);
    if (context == NULL) return refuse("the device of the pool has no context");
    SIM_TRY(driver_error(adi_sim_alloc_in(context, queue, bytes, &made)));
    driver_code code = count(pool, made, bytes);
    if (code == DRIVER_SUCCESS)
        *out = (uintptr_t)made;
    else
        adi_sim_free_on(queue, made);
    return code;
}

driver_code driver_allocate_on(adi_sim_queue queue, size_t bytes, driver_pointer *out) {
    int index;
    SIM_TRY(driver_error(adi_sim_queue_info(queue, &index, NULL)));
    struct pool *pool = current_pool(driver_device(index));
    return pool == NULL ? DRIVER_OUT_OF_MEMORY : allocate(pool, queue, bytes, out);
}

driver_code driver_allocate_from(bool per_thread, driver_pointer *pointer, size_t bytes,
                                 driver_pool handle, driver_stream stream) {
    adi_sim_queue queue;
    struct pool *pool;
    SIM_TRY(driver_queue(per_thread, stream, NULL, &queue));
    if (pointer == NULL || bytes == 0) return DRIVER_INVALID_VALUE;
    SIM_TRY(find(handle, &pool));
    return allocate(pool, queue, bytes, pointer);
}

driver_code driver_pool_trim(driver_pool handle, size_t keep) {
    struct pool *pool;
    SIM_TRY(find(handle, &pool));
    tidy();
    settle(pool, keep);
    return DRIVER_SUCCESS;
}

/* ---- attributes ---- */

static driver_code set(struct pool *pool, int attribute, uint64_t value) {
    switch (attribute) {
    case DRIVER_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        pool->threshold = value;
        return DRIVER_SUCCESS;
    case DRIVER_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
        if (value == 0) pool->reserved_high = settle(pool, pool->threshold);
        return value == 0 ? DRIVER_SUCCESS : DRIVER_INVALID_VALUE;
    case DRIVER_MEMPOOL_ATTR_USED_MEM_HIGH:
        if (value == 0) pool->used_high = pool->used;
        return value == 0 ? DRIVER_SUCCESS : DRIVER_INVALID_VALUE;
    default:
        return DRIVER_INVALID_VALUE;
    }
}

/* The first ones are an int, the others that can be set eight bytes. */
static bool is_reuse(int attribute) {
    return attribute >= DRIVER_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
           attribute <= DRIVER_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
}

driver_code driver_pool_set_attribute(driver_pool handle, int attribute, void *value) {
    struct pool *pool;
    uint64_t number;
    SIM_TRY(find(handle, &pool));
    if (value == NULL) return DRIVER_INVALID_VALUE;
    tidy();
    if (is_reuse(attribute)) {
        pool->reuse[attribute - 1] = *(const int *)value != 0;
        return DRIVER_SUCCESS;
    }
    if (attribute < DRIVER_MEMPOOL_ATTR_RELEASE_THRESHOLD ||
        attribute > DRIVER_MEMPOOL_ATTR_USED_MEM_HIGH)
        return DRIVER_INVALID_VALUE;
    memcpy(&number, value, sizeof number);
    return set(pool, attribute, number);
}

/* The value, as much of it as its type has; 0: there is no such attribute. */
static size_t get(struct pool *pool, int attribute, uint64_t *value) {
    size_t total = 0;
    const uint64_t values[] = {
        [DRIVER_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES] = (uint64_t)pool->reuse[0],
        [DRIVER_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC] = (uint64_t)pool->reuse[1],
        [DRIVER_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES] = (uint64_t)pool->reuse[2],
        [DRIVER_MEMPOOL_ATTR_RELEASE_THRESHOLD] = pool->threshold,
        [DRIVER_MEMPOOL_ATTR_RESERVED_MEM_CURRENT] = settle(pool, pool->threshold),
        [DRIVER_MEMPOOL_ATTR_RESERVED_MEM_HIGH] = pool->reserved_high,
        [DRIVER_MEMPOOL_ATTR_USED_MEM_CURRENT] = pool->used,
        [DRIVER_MEMPOOL_ATTR_USED_MEM_HIGH] = pool->used_high,
        [DRIVER_MEMPOOL_ATTR_ALLOCATION_TYPE] = DRIVER_MEM_ALLOCATION_TYPE_PINNED,
        [DRIVER_MEMPOOL_ATTR_LOCATION_ID] = (uint64_t)pool->device,
        [DRIVER_MEMPOOL_ATTR_LOCATION_TYPE] = DRIVER_MEM_LOCATION_TYPE_DEVICE,
        [DRIVER_MEMPOOL_ATTR_MAX_POOL_SIZE] = pool->most,
        [DRIVER_MEMPOOL_ATTR_HW_DECOMPRESS_ENABLED] = 0,
    };
    bool wide = (attribute >= DRIVER_MEMPOOL_ATTR_RELEASE_THRESHOLD &&
                 attribute <= DRIVER_MEMPOOL_ATTR_USED_MEM_HIGH) ||
                attribute == DRIVER_MEMPOOL_ATTR_MAX_POOL_SIZE;
    if (attribute < 1 || attribute > DRIVER_MEMPOOL_ATTR_HW_DECOMPRESS_ENABLED) return 0;
    *value = values[attribute];
    if (attribute == DRIVER_MEMPOOL_ATTR_MAX_POOL_SIZE && *value == 0) {
        adi_sim_memory_total(&total);
        *value = total;
    }
    return wide ? sizeof(uint64_t) : sizeof(int);
}

driver_code driver_pool_get_attribute(driver_pool handle, int attribute, void *out) {
    struct pool *pool;
    uint64_t value;
    SIM_TRY(find(handle, &pool));
    if (out == NULL) return DRIVER_INVALID_VALUE;
    tidy();
    size_t size = get(pool, attribute, &value);
    memcpy(out, &value, size);
    return size == 0 ? DRIVER_INVALID_VALUE : DRIVER_SUCCESS;
}

/* ---- access ---- */

/* The device that a pool is on keeps its own: a driver says that it is the wrong device. */
static bool keeps_own(const struct pool *pool, const driver_access *one) {
    return one->location.id != pool->device ||
           one->access == DRIVER_MEM_ACCESS_FLAGS_PROT_READWRITE;
}

static bool is_sound(const driver_access *one) {
    bool is_access = one->access == DRIVER_MEM_ACCESS_FLAGS_PROT_NONE ||
                     one->access == DRIVER_MEM_ACCESS_FLAGS_PROT_READ ||
                     one->access == DRIVER_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return is_access && one->location.type == DRIVER_MEM_LOCATION_TYPE_DEVICE &&
           driver_is_visible(one->location.id);
}

driver_code driver_pool_set_access(driver_pool handle, const driver_access *accesses, size_t n) {
    struct pool *pool;
    SIM_TRY(find(handle, &pool));
    if (accesses == NULL) return DRIVER_INVALID_VALUE;
    for (size_t i = 0; i < n; i++)
        if (!is_sound(&accesses[i])) return DRIVER_INVALID_VALUE;
    for (size_t i = 0; i < n; i++)
        if (!keeps_own(pool, &accesses[i])) return DRIVER_INVALID_DEVICE;
    for (size_t i = 0; i < n; i++) pool->access[accesses[i].location.id] = accesses[i].access;
    return DRIVER_SUCCESS;
}

bool driver_pool_reaches(const struct adi_sim_found *found, int device) {
    const struct piece *piece = *place_of(found);
    return piece != NULL && device >= 0 &&
           piece->pool->access[device] == DRIVER_MEM_ACCESS_FLAGS_PROT_READWRITE;
}

driver_code driver_pool_get_access(int *access, driver_pool handle, driver_location *location) {
    struct pool *pool;
    SIM_TRY(find(handle, &pool));
    if (access == NULL || location == NULL) return DRIVER_INVALID_VALUE;
    if (driver_is_host(location)) {
        *access = DRIVER_MEM_ACCESS_FLAGS_PROT_NONE;
        return DRIVER_SUCCESS;
    }
    if (location->type != DRIVER_MEM_LOCATION_TYPE_DEVICE || !driver_is_visible(location->id))
        return DRIVER_INVALID_VALUE;
    *access = pool->access[location->id];
    return DRIVER_SUCCESS;
}
