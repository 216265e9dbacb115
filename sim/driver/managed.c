/* SPDX-License-Identifier: Apache-2.0
 *
 * Where managed memory is best kept. There is one place for all here: what is advised, and where to
 * memory was prefetched last, is kept in mind for each page, and changes nothing. A prefetch is no
 * access: NVIDIA has it that memory may be used while it migrates.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver_internal.h"

#define PROCESSORS (1 + ADI_SIM_DEVICES) /* the CPU, and the devices behind it */

/* A place in a byte: none, the CPU, the NUMA node that it has, or a device. */
enum place {
    NOWHERE,
    ON_HOST,
    ON_NODE,
    ON_DEVICE,
};

struct page {
    unsigned char preferred, prefetched, accessed_by, read_mostly;
};

/* An allocation of which something was said. */
static struct advised {
    uint64_t ordinal;
    const char *start;
    size_t bytes;
    struct page *pages;
    struct advised *next;
} * first;

/* Whole pages of an allocation. */
struct range {
    struct page *from;
    size_t n;
};

/* ---- places ---- */

bool driver_is_host(const driver_location *location) {
    bool node = location->type == DRIVER_MEM_LOCATION_TYPE_HOST_NUMA && location->id == 0;
    return node || location->type == DRIVER_MEM_LOCATION_TYPE_HOST ||
           location->type == DRIVER_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
}

static driver_code place_of(const driver_location *location, unsigned char *out) {
    if (location->type == DRIVER_MEM_LOCATION_TYPE_DEVICE) {
        if (!driver_is_visible(location->id)) return DRIVER_INVALID_DEVICE;
        *out = (unsigned char)(ON_DEVICE + location->id);
        return DRIVER_SUCCESS;
    }
    *out = location->type == DRIVER_MEM_LOCATION_TYPE_HOST ? ON_HOST : ON_NODE;
    return driver_is_host(location) ? DRIVER_SUCCESS : DRIVER_INVALID_VALUE;
}

static int id_of(unsigned char place) {
    if (place >= ON_DEVICE) return place - ON_DEVICE;
    return place == NOWHERE ? DRIVER_DEVICE_INVALID : DRIVER_DEVICE_CPU;
}

static driver_location location_of(unsigned char place) {
    static const int types[] = {[NOWHERE] = DRIVER_MEM_LOCATION_TYPE_INVALID,
                                [ON_HOST] = DRIVER_MEM_LOCATION_TYPE_HOST,
                                [ON_NODE] = DRIVER_MEM_LOCATION_TYPE_HOST_NUMA};
    if (place < ON_DEVICE) return (driver_location){types[place], 0};
    return (driver_location){DRIVER_MEM_LOCATION_TYPE_DEVICE, place - ON_DEVICE};
}

/* As the older forms have it: a device, or the CPU. */
static driver_location location_of_device(int device) {
    return device == DRIVER_DEVICE_CPU ? (driver_location){DRIVER_MEM_LOCATION_TYPE_HOST, 0}
                                       : (driver_location){DRIVER_MEM_LOCATION_TYPE_DEVICE, device};
}

/* ---- pages ---- */

static size_t page_bytes(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Forgets what was said of memory that has gone. */
static void tidy(void) {
    struct adi_sim_found found;
    for (struct advised **at = &first; *at != NULL;) {
        struct advised *one = *at;
        if (driver_find(one->start, &found) && found.ordinal == one->ordinal) {
            at = &one->next;
            continue;
        }
        *at = one->next;
        free(one->pages);
        free(one);
    }
}

static struct advised *take(const struct adi_sim_found *found) {
    struct advised *at = first;
    while (at != NULL && at->ordinal != found->ordinal) at = at->next;
    if (at != NULL) return at;
    tidy();
    at = calloc(1, sizeof *at);
    if (at == NULL) return NULL;
    at->ordinal = found->ordinal;
    at->start = found->start;
    at->bytes = found->bytes;
    at->pages = calloc(found->bytes / page_bytes() + 1, sizeof *at->pages);
    if (at->pages == NULL) {
        free(at);
        return NULL;
    }
    at->next = first;
    return first = at;
}

/* The engine says what is wrong with memory that has gone, if there is a context to ask in. */
static void report(driver_pointer pointer, size_t bytes) {
    struct driver_scope scope;
    if (driver_current(&scope) == DRIVER_SUCCESS)
        adi_sim_reach(scope.legacy, driver_at(pointer), bytes);
}

static driver_code find_range(driver_pointer pointer, size_t bytes, struct range *out) {
    struct adi_sim_found found;
    size_t page = page_bytes();
    if (bytes == 0) return DRIVER_INVALID_VALUE;
    bool managed = driver_find(driver_at(pointer), &found) && found.memory == ADI_SIM_MANAGED;
    size_t offset = managed ? (size_t)(pointer - (uintptr_t)found.start) : 0;
    if (!managed || bytes > found.bytes - offset) {
        report(pointer, bytes);
        return DRIVER_INVALID_VALUE;
    }
    struct advised *advised = take(&found);
    if (advised == NULL) return DRIVER_OUT_OF_MEMORY;
    out->from = advised->pages + offset / page;
    out->n = (offset + bytes - 1) / page - offset / page + 1;
    return DRIVER_SUCCESS;
}

/* ---- advice ---- */

static void advise(struct page *page, int advice, unsigned char place) {
    unsigned char bit = (unsigned char)(place >= ON_DEVICE ? 2U << (place - ON_DEVICE) : 1U);
    switch (advice) {
    case DRIVER_MEM_ADVISE_SET_READ_MOSTLY:
    case DRIVER_MEM_ADVISE_UNSET_READ_MOSTLY:
        page->read_mostly = advice == DRIVER_MEM_ADVISE_SET_READ_MOSTLY;
        break;
    case DRIVER_MEM_ADVISE_SET_PREFERRED_LOCATION:
    case DRIVER_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
        page->preferred = advice == DRIVER_MEM_ADVISE_SET_PREFERRED_LOCATION ? place : NOWHERE;
        break;
    case DRIVER_MEM_ADVISE_SET_ACCESSED_BY:
        page->accessed_by |= bit;
        break;
    default:
        page->accessed_by &= (unsigned char)~bit;
        break;
    }
}

/* For other advice the place is not looked at; who accesses memory is a processor. */
static driver_code place_for(int advice, const driver_location *location, unsigned char *out) {
    bool by = advice == DRIVER_MEM_ADVISE_SET_ACCESSED_BY ||
              advice == DRIVER_MEM_ADVISE_UNSET_ACCESSED_BY;
    *out = NOWHERE;
    if (advice < DRIVER_MEM_ADVISE_SET_READ_MOSTLY || advice > DRIVER_MEM_ADVISE_UNSET_ACCESSED_BY)
        return DRIVER_INVALID_VALUE;
    if (!by && advice != DRIVER_MEM_ADVISE_SET_PREFERRED_LOCATION) return DRIVER_SUCCESS;
    SIM_TRY(place_of(location, out));
    return by && *out == ON_NODE ? DRIVER_INVALID_VALUE : DRIVER_SUCCESS;
}

driver_code driver_advise(driver_pointer pointer, size_t bytes, int advice, driver_location at) {
    unsigned char place;
    struct range range;
    SIM_TRY(place_for(advice, &at, &place));
    SIM_TRY(find_range(pointer, bytes, &range));
    for (size_t i = 0; i < range.n; i++) advise(&range.from[i], advice, place);
    return DRIVER_SUCCESS;
}

driver_code driver_advise_device(driver_pointer pointer, size_t bytes, int advice, int device) {
    return driver_advise(pointer, bytes, advice, location_of_device(device));
}

driver_code driver_prefetch(bool per_thread, driver_pointer pointer, size_t bytes,
                            driver_location at, unsigned flags, driver_stream stream) {
    adi_sim_queue queue;
    unsigned char place;
    struct range range;
    if (flags != 0) return DRIVER_INVALID_VALUE;
    SIM_TRY(driver_queue(per_thread, stream, NULL, &queue));
    SIM_TRY(place_of(&at, &place));
    SIM_TRY(find_range(pointer, bytes, &range));
    for (size_t i = 0; i < range.n; i++) range.from[i].prefetched = place;
    return DRIVER_SUCCESS;
}

driver_code driver_prefetch_device(bool per_thread, driver_pointer pointer, size_t bytes,
                                   int device, driver_stream stream) {
    return driver_prefetch(per_thread, pointer, bytes, location_of_device(device), 0, stream);
}

/* ---- what was said ---- */

/* What all pages have in common. */
static struct page common(const struct range *range) {
    struct page all = range->from[0];
    for (size_t i = 1; i < range->n; i++) {
        const struct page *one = &range->from[i];
        if (one->preferred != all.preferred) all.preferred = NOWHERE;
        if (one->prefetched != all.prefetched) all.prefetched = NOWHERE;
        all.accessed_by &= one->accessed_by;
        all.read_mostly &= one->read_mostly;
    }
    return all;
}

static void list_processors(unsigned char accessed_by, int *out, size_t room) {
    size_t n = 0;
    for (int i = 0; i < PROCESSORS && n < room; i++)
        if (accessed_by >> i & 1) out[n++] = i == 0 ? DRIVER_DEVICE_CPU : i - 1;
    while (n < room) out[n++] = DRIVER_DEVICE_INVALID;
}

static driver_code answer(const struct page *page, int attribute, int *out, size_t room) {
    bool by = attribute == DRIVER_MEM_RANGE_ATTRIBUTE_ACCESSED_BY;
    if (out == NULL || room == 0 || room % sizeof *out != 0 || (!by && room != sizeof *out))
        return DRIVER_INVALID_VALUE;
    switch (attribute) {
    case DRIVER_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
        *out = page->read_mostly;
        return DRIVER_SUCCESS;
    case DRIVER_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
        *out = id_of(page->preferred);
        return DRIVER_SUCCESS;
    case DRIVER_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
        list_processors(page->accessed_by, out, room / sizeof *out);
        return DRIVER_SUCCESS;
    case DRIVER_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
        *out = id_of(page->prefetched);
        return DRIVER_SUCCESS;
    case DRIVER_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
        *out = location_of(page->preferred).type;
        return DRIVER_SUCCESS;
    case DRIVER_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
        *out = location_of(page->preferred).id;
        return DRIVER_SUCCESS;
    case DRIVER_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
        *out = location_of(page->prefetched).type;
        return DRIVER_SUCCESS;
    case DRIVER_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
        *out = location_of(page->prefetched).id;
        return DRIVER_SUCCESS;
    default:
        return DRIVER_INVALID_VALUE;
    }
}

driver_code driver_range_attribute(void *value, size_t room, int attribute, driver_pointer pointer,
                                   size_t bytes) {
    return driver_range_attributes(&value, &room, &attribute, 1, pointer, bytes);
}

driver_code driver_range_attributes(void **values, size_t *rooms, int *attributes, size_t n,
                                    driver_pointer pointer, size_t bytes) {
    struct range range;
    if (values == NULL || rooms == NULL || attributes == NULL || n == 0)
        return DRIVER_INVALID_VALUE;
    SIM_TRY(find_range(pointer, bytes, &range));
    struct page all = common(&range);
    for (size_t i = 0; i < n; i++) SIM_TRY(answer(&all, attributes[i], values[i], rooms[i]));
    return DRIVER_SUCCESS;
}
