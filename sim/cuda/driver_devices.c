/* SPDX-License-Identifier: Apache-2.0
 *
 * What there is to know of the devices.
 */
#include <stdio.h>
#include <string.h>

#include "driver.h"

#define ATTRIBUTES  145 /* the numbers are below it */
#define GRANULARITY (2 << 20)

enum {
    PCI_BUS_ID = 33, /* the one attribute in which they differ */
    PRIORITY_LEAST = 0,
    PRIORITY_GREATEST = -5,
};

static CUresult check(CUdevice device, const void *out) {
    if (out == NULL) return CUDA_ERROR_INVALID_VALUE;
    return cuda_is_visible(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuda_cuDeviceGet(CUdevice *device, int ordinal) {
    CUresult code = check(ordinal, device);
    if (code == CUDA_SUCCESS) *device = ordinal;
    return code;
}

CUresult cuda_cuDeviceGetCount(int *count) {
    if (count == NULL) return CUDA_ERROR_INVALID_VALUE;
    *count = cuda_visible();
    return CUDA_SUCCESS;
}

CUresult cuda_cuDeviceGetName(char *name, int room, CUdevice device) {
    SIM_TRY(check(device, name));
    if (room <= 0) return CUDA_ERROR_INVALID_VALUE;
    snprintf(name, (size_t)room, "adicheck simulated CUDA device %d", cuda_index(device));
    return CUDA_SUCCESS;
}

CUresult cuda_cuDeviceGetUuid_v2(CUuuid *id, CUdevice device) {
    SIM_TRY(check(device, id));
    *id = cuda_uuid(cuda_index(device));
    return CUDA_SUCCESS;
}

CUresult cuda_cuDeviceGetUuid(CUuuid *id, CUdevice device) {
    return cuda_cuDeviceGetUuid_v2(id, device);
}

static const int attributes[ATTRIBUTES] = {
#define ATTRIBUTE(number, value) [number] = value,
#include "attributes.def"
#undef ATTRIBUTE
};

CUresult cuda_cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
    SIM_TRY(check(device, value));
    if (attribute <= 0 || attribute >= ATTRIBUTES) return CUDA_ERROR_INVALID_VALUE;
    *value = attribute == PCI_BUS_ID ? cuda_index(device) + 1 : attributes[attribute];
    return CUDA_SUCCESS;
}

CUresult cuda_cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
    SIM_TRY(check(device, major));
    if (minor == NULL) return CUDA_ERROR_INVALID_VALUE;
    *major = 9;
    *minor = 0;
    return CUDA_SUCCESS;
}

CUresult cuda_cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
    CUresult code = check(device, bytes);
    return code == CUDA_SUCCESS ? cuda_error(adi_sim_memory_total(bytes)) : code;
}

CUresult cuda_cuDeviceGetPCIBusId(char *id, int room, CUdevice device) {
    SIM_TRY(check(device, id));
    if (room <= 0) return CUDA_ERROR_INVALID_VALUE;
    snprintf(id, (size_t)room, "0000:%02X:00.0", (unsigned)cuda_index(device) + 1);
    return CUDA_SUCCESS;
}

CUresult cuda_cuDeviceGetByPCIBusId(CUdevice *device, const char *id) {
    unsigned domain, bus, slot;
    if (device == NULL || id == NULL) return CUDA_ERROR_INVALID_VALUE;
    if (sscanf(id, "%x:%x:%x", &domain, &bus, &slot) != 3 || domain != 0 || slot != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (bus == 0 || bus > ADI_SIM_DEVICES) return CUDA_ERROR_INVALID_DEVICE;
    CUdevice found = cuda_device((int)bus - 1);
    if (!cuda_is_visible(found) || cuda_index(found) != (int)bus - 1)
        return CUDA_ERROR_INVALID_DEVICE;
    *device = found;
    return CUDA_SUCCESS;
}

/* A device is no peer of itself. */
CUresult cuda_cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
    CUresult code = check(device, can);
    if (code == CUDA_SUCCESS) code = check(peer, can);
    if (code == CUDA_SUCCESS) *can = device != peer;
    return code;
}

CUresult cuda_cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice from, CUdevice to) {
    enum {
        RANK = 1, /* how fast: there is one rank */
        ACCESS = 2,
        NATIVE_ATOMICS = 3,
        ARRAYS = 4,
    };
    SIM_TRY(check(from, value));
    SIM_TRY(check(to, value));
    if (from == to) return CUDA_ERROR_INVALID_DEVICE;
    if (attribute < RANK || attribute > ARRAYS) return CUDA_ERROR_INVALID_VALUE;
    *value = attribute == ACCESS;
    return CUDA_SUCCESS;
}

CUresult cuda_cuMemGetAllocationGranularity(size_t *granularity,
                                            const CUmemAllocationProp *properties, int option) {
    if (granularity == NULL || properties == NULL || option < 0 || option > 1 ||
        properties->type != CU_MEM_ALLOCATION_TYPE_PINNED)
        return CUDA_ERROR_INVALID_VALUE;
    const CUmemLocation *at = &properties->location;
    bool there =
        at->type == CU_MEM_LOCATION_TYPE_DEVICE ? cuda_is_visible(at->id) : cuda_is_host(at);
    if (!there) return CUDA_ERROR_INVALID_VALUE;
    *granularity = GRANULARITY;
    return CUDA_SUCCESS;
}

CUresult cuda_cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    struct cuda_scope scope;
    SIM_TRY(cuda_current(&scope));
    if (least != NULL) *least = PRIORITY_LEAST;
    if (greatest != NULL) *greatest = PRIORITY_GREATEST;
    return CUDA_SUCCESS;
}

/* Nobody listens. */
CUresult cuda_cuProfilerStart(void) {
    return CUDA_SUCCESS;
}

CUresult cuda_cuProfilerStop(void) {
    return CUDA_SUCCESS;
}
