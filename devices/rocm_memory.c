/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "extent.h"
#include "rocm_internal.h"

int adi_rocm_enter(const struct adi_rocm *rocm, int device, int *before, struct adi_error *error) {
    ADI_TRY(HIP_CALL(rocm->api, error, GetDevice, before));
    return *before == device ? 0 : HIP_CALL(rocm->api, error, SetDevice, device);
}

int adi_rocm_leave(const struct adi_rocm *rocm, int device, int before, int code) {
    if (before != device) rocm->api->SetDevice(before);
    return code;
}

/* ---- what a pointer is ---- */

/* EFAULT: nothing that HIP knows. Before 6.0 that is said by an error, and since by the type. */
static int find(const struct adi_rocm *rocm, const void *buffer, struct adi_pointer_attributes *out,
                struct adi_error *error) {
    const struct adi_rocm_api *api = rocm->api;
    struct adi_hip_attributes found = {.type = -1};
    void *start = NULL;
    size_t bytes = 0;
    bool known = buffer != NULL && api->PointerGetAttributes(&found, buffer) == ADI_HIP_SUCCESS &&
                 (found.is_managed || found.type == api->on_host || found.type == api->on_device);
    void *pointer = (void *)(uintptr_t)buffer;
    if (!known || api->MemGetAddressRange(&start, &bytes, pointer) != ADI_HIP_SUCCESS)
        return adi_error_set(error, EFAULT, "%p is no memory that HIP knows", buffer);
    *out = (struct adi_pointer_attributes){
        .start = start,
        .bytes = bytes,
        .device_id = found.device,
        .is_managed = found.is_managed != 0,
        .is_host = found.type == api->on_host && found.is_managed == 0,
        .device_pointer = found.device_pointer,
        .host_pointer = found.host_pointer,
    };
    return 0;
}

/* Managed memory is for both. */
static int judge_reach(const struct adi_device *device, const void *buffer,
                       const struct adi_pointer_attributes *found, struct adi_error *error) {
    const struct adi_rocm *rocm = device->state;
    if (found->is_managed || found->is_host) return 0;
    if (rocm->is_pinned)
        return adi_error_set(error, EFAULT,
                             "%p is memory of rocm:%" PRId64
                             ", which the host cannot reach as %s asks",
                             buffer, found->device_id, device->ops->name);
    if (found->device_id != rocm->ordinal)
        return adi_error_set(error, EFAULT, "%p is memory of rocm:%" PRId64 ", not of rocm:%d",
                             buffer, found->device_id, rocm->ordinal);
    return 0;
}

/* Do the bytes lie within one allocation within reach? */
static int find_bytes(const struct adi_device *device, const void *buffer, int64_t offset,
                      int64_t bytes, struct adi_error *error) {
    struct adi_pointer_attributes found;
    ADI_TRY(find(device->state, buffer, &found, error));
    ADI_TRY(judge_reach(device, buffer, &found, error));
    uint64_t behind = (uint64_t)((const char *)found.start + found.bytes - (const char *)buffer);
    return adi_extent_check(buffer, behind, offset, bytes, error);
}

/* The same; of what the device has allocated itself the runtime is not asked. */
static int find_written(const struct adi_device *device, const void *buffer, int64_t offset,
                        int64_t bytes, struct adi_error *error) {
    struct adi_rocm *rocm = device->state;
    uint64_t there = adi_made_bytes(&rocm->buffers, buffer);
    if (there == 0) return find_bytes(device, buffer, offset, bytes, error);
    return adi_extent_check(buffer, there, offset, bytes, error);
}

int adi_rocm_pointer_attributes(struct adi_device *device, const void *pointer,
                                struct adi_pointer_attributes *out, struct adi_error *error) {
    return find(device->state, pointer, out, error);
}

bool adi_rocm_accessible(struct adi_device *device, const void *buffer, struct adi_error *why) {
    return find_bytes(device, buffer, 0, 0, why) == 0;
}

/* ---- allocating ---- */

/* The stream says on which device, whichever is current. */
static int alloc_on(const struct adi_rocm *rocm, size_t bytes, void **buffer,
                    struct adi_error *error) {
    return HIP_CALL(rocm->api, error, MallocAsync, buffer, bytes, rocm->stream);
}

static int alloc_pinned(const struct adi_rocm *rocm, size_t bytes, void **buffer,
                        struct adi_error *error) {
    int before;
    ADI_TRY(adi_rocm_enter(rocm, rocm->ordinal, &before, error));
    return adi_rocm_leave(rocm, rocm->ordinal, before,
                          HIP_CALL(rocm->api, error, HostMalloc, buffer, bytes, 0));
}

static int alloc_of(const struct adi_rocm *rocm, bool pinned, int64_t bytes, void **buffer,
                    struct adi_error *error) {
    if (bytes <= 0 || (uint64_t)bytes > SIZE_MAX)
        return adi_error_set(error, EINVAL, "a buffer of %" PRId64 " bytes", bytes);
    return pinned ? alloc_pinned(rocm, (size_t)bytes, buffer, error)
                  : alloc_on(rocm, (size_t)bytes, buffer, error);
}

int adi_rocm_alloc(struct adi_device *device, int64_t bytes, void **buffer,
                   struct adi_error *error) {
    struct adi_rocm *rocm = device->state;
    ADI_TRY(alloc_of(rocm, rocm->is_pinned, bytes, buffer, error));
    adi_made_add(&rocm->buffers, *buffer, (size_t)bytes); /* else the runtime is asked */
    return 0;
}

int adi_rocm_alloc_visible(struct adi_device *device, int64_t bytes, void **buffer,
                           struct adi_error *error) {
    return alloc_of(device->state, true, bytes, buffer, error);
}

void adi_rocm_free_visible(struct adi_device *device, void *buffer) {
    const struct adi_rocm *rocm = device->state;
    rocm->api->HostFree(buffer);
}

/* Memory of the device in the order of the stream; the other cannot be. */
void adi_rocm_free(struct adi_device *device, void *buffer) {
    struct adi_rocm *rocm = device->state;
    adi_made_take(&rocm->buffers, buffer);
    if (rocm->is_pinned)
        rocm->api->HostFree(buffer);
    else
        rocm->api->FreeAsync(buffer, rocm->stream);
}

/* ---- copying ---- */

static int copy(const struct adi_rocm *rocm, void *to, const void *from, size_t bytes,
                struct adi_error *error) {
    return HIP_CALL(rocm->api, error, MemcpyAsync, to, from, bytes, ADI_HIP_DEFAULT, rocm->stream);
}

/* A copy from the host to the host is always synchronous, so it goes by way of the device: what
 * comes out is pending, as it is with others. */
static int write_pinned(const struct adi_rocm *rocm, void *to, const void *from, size_t bytes,
                        struct adi_error *error) {
    void *way;
    ADI_TRY(alloc_on(rocm, bytes, &way, error));
    int code = copy(rocm, way, from, bytes, error);
    if (code == 0) code = copy(rocm, to, way, bytes, error);
    rocm->api->FreeAsync(way, rocm->stream);
    return code;
}

int adi_rocm_write(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                   int64_t bytes, struct adi_error *error) {
    const struct adi_rocm *rocm = device->state;
    ADI_TRY(find_written(device, buffer, offset, bytes, error));
    if (bytes == 0) return 0;
    char *to = (char *)buffer + offset;
    return rocm->is_pinned ? write_pinned(rocm, to, from, (size_t)bytes, error)
                           : copy(rocm, to, from, (size_t)bytes, error);
}

/* What waits for the stream has waited for what the stream waits for: pinned memory can be read
 * like any other then. */
int adi_rocm_read(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                  int64_t bytes, struct adi_error *error) {
    struct adi_rocm *rocm = device->state;
    if (bytes == 0) return 0;
    ADI_TRY(find_bytes(device, buffer, offset, bytes, error));
    const char *from = (const char *)buffer + offset;
    if (!rocm->is_pinned) ADI_TRY(copy(rocm, to, from, (size_t)bytes, error));
    unsigned waits = atomic_load(&rocm->known.waits);
    ADI_TRY(HIP_CALL(rocm->api, error, StreamSynchronize, rocm->stream));
    atomic_store(&rocm->known.passed, waits);
    if (rocm->is_pinned) memcpy(to, from, (size_t)bytes);
    return 0;
}
