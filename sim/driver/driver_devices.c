/* SPDX-License-Identifier: Apache-2.0
 *
 * What there is to know of the devices.
 */
#include <stdio.h>
#include <string.h>

#include "driver_internal.h"

#define GRANULARITY (2 << 20)

static driver_code check(int device, const void *out) {
    if (out == NULL) return DRIVER_INVALID_VALUE;
    return driver_is_visible(device) ? DRIVER_SUCCESS : DRIVER_INVALID_DEVICE;
}

driver_code driver_device_get(int *device, int ordinal) {
    driver_code code = check(ordinal, device);
    if (code == DRIVER_SUCCESS) *device = ordinal;
    return code;
}

driver_code driver_device_count(int *count) {
    if (count == NULL) return DRIVER_INVALID_VALUE;
    *count = driver_visible();
    return DRIVER_SUCCESS;
}

driver_code driver_device_name(char *name, int room, int device) {
    SIM_TRY(check(device, name));
    if (room <= 0) return DRIVER_INVALID_VALUE;
    snprintf(name, (size_t)room, "adicheck simulated %s device %d", driver_facade.title,
             driver_index(device));
    return DRIVER_SUCCESS;
}

driver_code driver_device_uuid(driver_uuid *id, int device) {
    SIM_TRY(check(device, id));
    *id = driver_uuid_of(driver_index(device));
    return DRIVER_SUCCESS;
}

driver_code driver_device_attribute(int *value, int attribute, int device) {
    SIM_TRY(check(device, value));
    if (attribute < driver_facade.first_attribute || attribute >= driver_facade.n_attributes)
        return DRIVER_INVALID_VALUE;
    *value = attribute == driver_facade.bus_id ? driver_index(device) + 1
                                               : driver_facade.attributes[attribute];
    return DRIVER_SUCCESS;
}

driver_code driver_device_memory(size_t *bytes, int device) {
    driver_code code = check(device, bytes);
    return code == DRIVER_SUCCESS ? driver_error(adi_sim_memory_total(bytes)) : code;
}

driver_code driver_device_bus_id(char *id, int room, int device) {
    SIM_TRY(check(device, id));
    if (room <= 0) return DRIVER_INVALID_VALUE;
    snprintf(id, (size_t)room, "0000:%02X:00.0", (unsigned)driver_index(device) + 1);
    return DRIVER_SUCCESS;
}

driver_code driver_device_by_bus_id(int *device, const char *id) {
    unsigned domain, bus, slot;
    if (device == NULL || id == NULL) return DRIVER_INVALID_VALUE;
    if (sscanf(id, "%x:%x:%x", &domain, &bus, &slot) != 3 || domain != 0 || slot != 0)
        return DRIVER_INVALID_VALUE;
    if (bus == 0 || bus > ADI_SIM_DEVICES) return DRIVER_INVALID_DEVICE;
    int found = driver_device((int)bus - 1);
    if (!driver_is_visible(found) || driver_index(found) != (int)bus - 1)
        return DRIVER_INVALID_DEVICE;
    *device = found;
    return DRIVER_SUCCESS;
}

/* A device is no peer of itself. */
driver_code driver_device_is_peer(int *can, int device, int peer) {
    driver_code code = check(device, can);
    if (code == DRIVER_SUCCESS) code = check(peer, can);
    if (code == DRIVER_SUCCESS) *can = device != peer;
    return code;
}

driver_code driver_device_peer_attribute(int *value, int attribute, int from, int to) {
    enum {
        RANK = 1, /* how fast: there is one rank */
        ACCESS = 2,
        NATIVE_ATOMICS = 3,
        ARRAYS = 4,
    };
    SIM_TRY(check(from, value));
    SIM_TRY(check(to, value));
    if (from == to) return DRIVER_INVALID_DEVICE;
    if (attribute < RANK || attribute > ARRAYS) return DRIVER_INVALID_VALUE;
    *value = attribute == ACCESS;
    return DRIVER_SUCCESS;
}

driver_code driver_granularity(size_t *granularity, const driver_allocation_kind *properties,
                               int option) {
    if (granularity == NULL || properties == NULL || option < 0 || option > 1 ||
        properties->type != DRIVER_MEM_ALLOCATION_TYPE_PINNED)
        return DRIVER_INVALID_VALUE;
    const driver_location *at = &properties->location;
    bool there = at->type == DRIVER_MEM_LOCATION_TYPE_DEVICE ? driver_is_visible(at->id)
                                                             : driver_is_host(at);
    if (!there) return DRIVER_INVALID_VALUE;
    *granularity = GRANULARITY;
    return DRIVER_SUCCESS;
}

driver_code driver_priority_range(int *least, int *greatest) {
    struct driver_scope scope;
    SIM_TRY(driver_current(&scope));
    if (least != NULL) *least = driver_facade.least;
    if (greatest != NULL) *greatest = driver_facade.greatest;
    return DRIVER_SUCCESS;
}
