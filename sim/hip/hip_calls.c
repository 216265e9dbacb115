/* SPDX-License-Identifier: Apache-2.0
 *
 * What HIP does otherwise than the driver: nothing of no size is NULL, and so is what is freed
 * then; a free waits for the device; the direction of a copy is looked at only whether it is one.
 */
#include "hip_facade.h"

/* ---- allocating ---- */

static driver_code hand_out(driver_code code, const driver_pointer *made, void **pointer) {
    if (code == DRIVER_SUCCESS) *pointer = driver_at(*made);
    return code;
}

driver_code hip_malloc(void **pointer, size_t bytes, unsigned flags) {
    driver_pointer made = 0;
    if (pointer == NULL || flags > hipExtMallocFlags) return DRIVER_INVALID_VALUE;
    return hand_out(bytes == 0 ? DRIVER_SUCCESS : driver_allocate(&made, bytes), &made, pointer);
}

driver_code hip_malloc_managed(void **pointer, size_t bytes, unsigned flags) {
    driver_pointer made = 0;
    if (pointer == NULL) return DRIVER_INVALID_VALUE;
    return hand_out(driver_allocate_managed(&made, bytes, flags), &made, pointer);
}

driver_code hip_malloc_async(void **pointer, size_t bytes, driver_stream stream) {
    driver_pointer made = 0;
    if (pointer == NULL) return DRIVER_INVALID_VALUE;
    driver_code code =
        bytes == 0 ? DRIVER_SUCCESS : driver_allocate_async(false, &made, bytes, stream);
    return hand_out(code, &made, pointer);
}

driver_code hip_malloc_from(void **pointer, size_t bytes, driver_pool pool, driver_stream stream) {
    driver_pointer made = 0;
    if (pointer == NULL) return DRIVER_INVALID_VALUE;
    return hand_out(driver_allocate_from(false, &made, bytes, pool, stream), &made, pointer);
}

/* Memory of the host is coherent or not, and not both. What that says is when a kernel's writes are
 * seen while it runs. */
driver_code hip_host_malloc(void **pointer, size_t bytes, unsigned flags) {
    const unsigned all = hipHostMallocFlags | hipHostMallocUncached | hipHostMallocNumaUser |
                         hipHostMallocCoherent | hipHostMallocNonCoherent;
    if ((flags & ~all) != 0 || (flags & hipHostMallocCoherent && flags & hipHostMallocNonCoherent))
        return DRIVER_INVALID_VALUE;
    return driver_allocate_pinned(pointer, bytes, flags & hipHostMallocFlags);
}

/* ---- freeing: an implicit hipDeviceSynchronize, of the device that the memory is of ---- */

static driver_code wait_for_device_of(const void *pointer) {
    driver_context context;
    int device;
    if (driver_pointer_attribute(&device, DRIVER_POINTER_ATTRIBUTE_DEVICE_ORDINAL, AT(pointer)) !=
        DRIVER_SUCCESS)
        return DRIVER_SUCCESS; /* the free says what is wrong with it */
    SIM_TRY(hip_primary(&context, device));
    return driver_context_sync(context);
}

driver_code hip_free(void *pointer) {
    if (pointer == NULL) return DRIVER_SUCCESS;
    SIM_TRY(wait_for_device_of(pointer));
    return driver_free(AT(pointer));
}

driver_code hip_host_free(void *pointer) {
    if (pointer == NULL) return DRIVER_SUCCESS;
    SIM_TRY(wait_for_device_of(pointer));
    return driver_free_pinned(pointer);
}

/* ---- pointers ---- */

driver_code hip_device_pointer(void **device, void *pointer, unsigned flags) {
    driver_pointer same = 0;
    if (device == NULL) return DRIVER_INVALID_VALUE;
    return hand_out(driver_device_pointer(&same, pointer, flags), &same, device);
}

driver_code hip_address_range(void **start, size_t *bytes, void *pointer) {
    driver_pointer from = 0;
    void *unwanted;
    return hand_out(driver_address_range(&from, bytes, AT(pointer)), &from,
                    start == NULL ? &unwanted : start);
}

/* hipMemoryType, whose numbers changed with 6.0: not known, of the host, of a device, managed. */
static int type_of(int type, bool managed) {
    static const int types[][4] = {{0, 0, 1, 4}, {0, 1, 2, 3}};
    return types[hip_major >= 6][managed ? 3 : type];
}

driver_code hip_pointer_attribute(void *value, int attribute, void *pointer) {
    SIM_TRY(driver_pointer_attribute(value, attribute, AT(pointer)));
    if (attribute == DRIVER_POINTER_ATTRIBUTE_MEMORY_TYPE)
        *(int *)value = type_of(*(int *)value, false);
    return DRIVER_SUCCESS;
}

/* Before 6.0 memory that is not known has no attributes. */
driver_code hip_pointer_attributes(hipPointerAttribute_t *out, const void *pointer) {
    int type = 0, device = 0;
    unsigned char managed = 0;
    void *host = NULL;
    int wanted[] = {DRIVER_POINTER_ATTRIBUTE_MEMORY_TYPE, DRIVER_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                    DRIVER_POINTER_ATTRIBUTE_IS_MANAGED, DRIVER_POINTER_ATTRIBUTE_HOST_POINTER};
    void *values[] = {&type, &device, &managed, &host};
    if (out == NULL || pointer == NULL) return DRIVER_INVALID_VALUE;
    SIM_TRY(driver_pointer_attributes(4, wanted, values, AT(pointer)));
    if (type == 0 && hip_major < 6) return DRIVER_INVALID_VALUE;
    *out = (hipPointerAttribute_t){.type = type_of(type, managed != 0),
                                   .device = type == 0 ? hipInvalidDeviceId : device,
                                   .devicePointer = type == 0 ? NULL : (void *)(uintptr_t)pointer,
                                   .hostPointer = host,
                                   .isManaged = managed != 0};
    return DRIVER_SUCCESS;
}

/* AMD's own two are about the coherence of what is said to be kept. */
driver_code hip_advise(const void *managed, size_t bytes, int advice, int device) {
    enum {
        COARSE = 100,
        NO_COARSE = 101,
    };
    int same;
    if (advice == COARSE || advice == NO_COARSE) return driver_device_get(&same, device);
    return driver_advise_device(AT(managed), bytes, advice, device);
}

/* ---- copies and fills: what the pointers are to counts, and not the direction ---- */

static bool is_kind(int kind) {
    return (kind >= 0 && kind <= hipMemcpyDefault) || kind == hipMemcpyDeviceToDeviceNoCU;
}

driver_code hip_memcpy(bool per_thread, void *to, const void *from, size_t bytes, int kind) {
    if (!is_kind(kind)) return (driver_code)hipErrorInvalidMemcpyDirection;
    return driver_copy_any(per_thread, AT(to), AT(from), bytes);
}

driver_code hip_memcpy_async(bool per_thread, void *to, const void *from, size_t bytes, int kind,
                             driver_stream stream) {
    if (!is_kind(kind)) return (driver_code)hipErrorInvalidMemcpyDirection;
    return driver_copy_any_async(per_thread, AT(to), AT(from), bytes, stream);
}

driver_code hip_memcpy_with(void *to, const void *from, size_t bytes, int kind,
                            driver_stream stream) {
    SIM_TRY(hip_memcpy_async(false, to, from, bytes, kind, stream));
    return driver_stream_sync(false, stream);
}

static driver_code primaries(int to, driver_context *there, int from, driver_context *here) {
    SIM_TRY(hip_primary(there, to));
    return hip_primary(here, from);
}

driver_code hip_memcpy_peer(void *to, int to_device, const void *from, int from_device,
                            size_t bytes) {
    driver_context there, here;
    SIM_TRY(primaries(to_device, &there, from_device, &here));
    return driver_copy_peer(false, AT(to), there, AT(from), here, bytes);
}

driver_code hip_memcpy_peer_async(void *to, int to_device, const void *from, int from_device,
                                  size_t bytes, driver_stream stream) {
    driver_context there, here;
    SIM_TRY(primaries(to_device, &there, from_device, &here));
    return driver_copy_peer_async(false, AT(to), there, AT(from), here, bytes, stream);
}

/* ---- events: how far it releases memory is said by one of three flags, or by none ---- */

driver_code hip_event_create(driver_event *event, unsigned flags) {
    unsigned fence =
        flags & (hipEventDisableSystemFence | hipEventReleaseToDevice | hipEventReleaseToSystem);
    if ((fence & (fence - 1)) != 0) return DRIVER_INVALID_VALUE;
    return driver_event_create(event, flags & ~fence);
}
