/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cuda_internal.h"
#include "extent.h"

int adi_cuda_enter(const struct adi_cuda *cuda, struct adi_error *error) {
    return adi_cuda_check(cuda->api->Push(cuda->context), "cuCtxPushCurrent", error);
}

int adi_cuda_leave(const struct adi_cuda *cuda, int code) {
    adi_cu_context context;
    cuda->api->Pop(&context);
    return code;
}

static adi_cu_pointer address(const void *pointer) {
    return (adi_cu_pointer)(uintptr_t)pointer;
}

/* ---- what a pointer is ---- */

/* What of it decides whether it can be reached. EFAULT: nothing that CUDA knows. */
static int find(const struct adi_cuda *cuda, const void *buffer, struct adi_pointer_attributes *out,
                struct adi_error *error) {
    int type = 0, ordinal = 0, managed = 0; /* a driver writes four bytes of each */
    adi_cu_pointer start = 0;
    size_t bytes = 0;
    const struct {
        void *value;
        int attribute;
    } asked[] = {{&type, ADI_CU_MEMORY_TYPE},
                 {&managed, ADI_CU_IS_MANAGED},
                 {&ordinal, ADI_CU_DEVICE_ORDINAL},
                 {&start, ADI_CU_RANGE_START},
                 {&bytes, ADI_CU_RANGE_SIZE}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (buffer == NULL || cuda->api->PointerGetAttribute(asked[i].value, asked[i].attribute,
                                                             address(buffer)) != ADI_CU_SUCCESS)
            return adi_error_set(error, EFAULT, "%p is no memory that CUDA knows", buffer);
    *out = (struct adi_pointer_attributes){.start = (void *)(uintptr_t)start,
                                           .bytes = bytes,
                                           .device_id = ordinal,
                                           .is_managed = managed != 0,
                                           .is_host = type == ADI_CU_ON_HOST && managed == 0};
    return 0;
}

/* What not every pointer has: memory of a pool has no context as its owner. */
static void find_rest(const struct adi_cuda *cuda, const void *buffer,
                      struct adi_pointer_attributes *out) {
    adi_cu_pointer on_device = 0;
    void *on_host = NULL;
    adi_cu_context context = NULL;
    cuda->api->PointerGetAttribute(&on_device, ADI_CU_DEVICE_POINTER, address(buffer));
    cuda->api->PointerGetAttribute(&on_host, ADI_CU_HOST_POINTER, address(buffer));
    cuda->api->PointerGetAttribute(&context, ADI_CU_CONTEXT, address(buffer));
    out->device_pointer = (void *)(uintptr_t)on_device;
    out->host_pointer = on_host;
    out->context = context;
}

/* Managed memory is for both. */
static int judge_reach(const struct adi_device *device, const void *buffer,
                       const struct adi_pointer_attributes *found, struct adi_error *error) {
    const struct adi_cuda *cuda = device->state;
    if (found->is_managed || found->is_host) return 0;
    if (cuda->memory != ADI_CUDA_DEVICE)
        return adi_error_set(error, EFAULT,
                             "%p is memory of cuda:%" PRId64
                             ", which the host cannot reach as %s asks",
                             buffer, found->device_id, device->ops->name);
    if (found->device_id != cuda->ordinal)
        return adi_error_set(error, EFAULT, "%p is memory of cuda:%" PRId64 ", not of cuda:%d",
                             buffer, found->device_id, cuda->ordinal);
    return 0;
}

/* Do the bytes lie within one allocation within reach? In the context. */
static int find_bytes(const struct adi_device *device, const void *buffer, int64_t offset,
                      int64_t bytes, struct adi_error *error) {
    struct adi_pointer_attributes found;
    ADI_TRY(find(device->state, buffer, &found, error));
    ADI_TRY(judge_reach(device, buffer, &found, error));
    uint64_t behind = address(found.start) + found.bytes - address(buffer);
    return adi_extent_check(buffer, behind, offset, bytes, error);
}

/* The same; of what the device has allocated itself the driver is not asked. */
static int find_written(const struct adi_device *device, const void *buffer, int64_t offset,
                        int64_t bytes, struct adi_error *error) {
    struct adi_cuda *cuda = device->state;
    uint64_t there = adi_made_bytes(&cuda->buffers, buffer);
    if (there == 0) return find_bytes(device, buffer, offset, bytes, error);
    return adi_extent_check(buffer, there, offset, bytes, error);
}

int adi_cuda_pointer_attributes(struct adi_device *device, const void *pointer,
                                struct adi_pointer_attributes *out, struct adi_error *error) {
    const struct adi_cuda *cuda = device->state;
    ADI_TRY(adi_cuda_enter(cuda, error));
    int code = find(cuda, pointer, out, error);
    if (code == 0) find_rest(cuda, pointer, out);
    return adi_cuda_leave(cuda, code);
}

bool adi_cuda_accessible(struct adi_device *device, const void *buffer, struct adi_error *why) {
    const struct adi_cuda *cuda = device->state;
    if (adi_cuda_enter(cuda, why) != 0) return true; /* nothing is known */
    return adi_cuda_leave(cuda, find_bytes(device, buffer, 0, 0, why)) == 0;
}

/* ---- allocating ---- */

static int alloc_in(const struct adi_cuda *cuda, enum adi_cuda_memory memory, size_t bytes,
                    void **buffer, struct adi_error *error) {
    const struct adi_cuda_api *api = cuda->api;
    adi_cu_pointer made = 0;
    if (memory == ADI_CUDA_PINNED)
        return adi_cuda_check(api->MemAllocHost(buffer, bytes), "cuMemAllocHost", error);
    if (memory == ADI_CUDA_MANAGED)
        ADI_TRY(adi_cuda_check(api->MemAllocManaged(&made, bytes, ADI_CU_ATTACH_GLOBAL),
                               "cuMemAllocManaged", error));
    else
        ADI_TRY(
            adi_cuda_check(api->MemAlloc(&made, bytes, cuda->stream), "cuMemAllocAsync", error));
    *buffer = (void *)(uintptr_t)made;
    return 0;
}

static int alloc_of(const struct adi_cuda *cuda, enum adi_cuda_memory memory, int64_t bytes,
                    void **buffer, struct adi_error *error) {
    if (bytes <= 0 || (uint64_t)bytes > SIZE_MAX)
        return adi_error_set(error, EINVAL, "a buffer of %" PRId64 " bytes", bytes);
    ADI_TRY(adi_cuda_enter(cuda, error));
    return adi_cuda_leave(cuda, alloc_in(cuda, memory, (size_t)bytes, buffer, error));
}

int adi_cuda_alloc(struct adi_device *device, int64_t bytes, void **buffer,
                   struct adi_error *error) {
    struct adi_cuda *cuda = device->state;
    ADI_TRY(alloc_of(cuda, cuda->memory, bytes, buffer, error));
    adi_made_add(&cuda->buffers, *buffer, (size_t)bytes); /* else the driver is asked */
    return 0;
}

int adi_cuda_alloc_visible(struct adi_device *device, int64_t bytes, void **buffer,
                           struct adi_error *error) {
    return alloc_of(device->state, ADI_CUDA_PINNED, bytes, buffer, error);
}

void adi_cuda_free_visible(struct adi_device *device, void *buffer) {
    const struct adi_cuda *cuda = device->state;
    if (adi_cuda_enter(cuda, NULL) != 0) return;
    cuda->api->MemFreeHost(buffer);
    adi_cuda_leave(cuda, 0);
}

/* Memory of the device in the order of the stream; the others cannot be. */
void adi_cuda_free(struct adi_device *device, void *buffer) {
    struct adi_cuda *cuda = device->state;
    adi_made_take(&cuda->buffers, buffer);
    if (adi_cuda_enter(cuda, NULL) != 0) return;
    if (cuda->memory != ADI_CUDA_DEVICE) cuda->api->StreamSynchronize(cuda->stream);
    if (cuda->memory == ADI_CUDA_DEVICE)
        cuda->api->MemFree(address(buffer), cuda->stream);
    else if (cuda->memory == ADI_CUDA_MANAGED)
        cuda->api->MemFreeNow(address(buffer));
    else
        cuda->api->MemFreeHost(buffer);
    adi_cuda_leave(cuda, 0);
}

/* ---- copying ---- */

/* A copy from the host to the host is always synchronous, so it goes by way of the device: what
 * comes out is pending, as it is with others. */
static int write_pinned(const struct adi_cuda *cuda, void *to, const void *from, size_t bytes,
                        struct adi_error *error) {
    const struct adi_cuda_api *api = cuda->api;
    adi_cu_pointer way;
    ADI_TRY(adi_cuda_check(api->MemAlloc(&way, bytes, cuda->stream), "cuMemAllocAsync", error));
    int code =
        adi_cuda_check(api->MemcpyHtoD(way, from, bytes, cuda->stream), "cuMemcpyHtoDAsync", error);
    if (code == 0)
        code = adi_cuda_check(api->MemcpyDtoH(to, way, bytes, cuda->stream), "cuMemcpyDtoHAsync",
                              error);
    api->MemFree(way, cuda->stream);
    return code;
}

static int write_in(struct adi_device *device, char *buffer, int64_t offset, const void *from,
                    int64_t bytes, struct adi_error *error) {
    const struct adi_cuda *cuda = device->state;
    ADI_TRY(find_written(device, buffer, offset, bytes, error));
    if (bytes == 0) return 0;
    if (cuda->memory == ADI_CUDA_PINNED)
        return write_pinned(cuda, buffer + offset, from, (size_t)bytes, error);
    return adi_cuda_check(
        cuda->api->MemcpyHtoD(address(buffer + offset), from, (size_t)bytes, cuda->stream),
        "cuMemcpyHtoDAsync", error);
}

int adi_cuda_write(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                   int64_t bytes, struct adi_error *error) {
    ADI_TRY(adi_cuda_enter(device->state, error));
    return adi_cuda_leave(device->state, write_in(device, buffer, offset, from, bytes, error));
}

/* What waits for the stream has waited for what the stream waits for: pinned and managed memory can
 * be read like any other then. */
static int read_in(struct adi_device *device, const char *buffer, int64_t offset, void *to,
                   int64_t bytes, struct adi_error *error) {
    struct adi_cuda *cuda = device->state;
    ADI_TRY(find_bytes(device, buffer, offset, bytes, error));
    bool by_host = cuda->memory != ADI_CUDA_DEVICE;
    if (!by_host)
        ADI_TRY(adi_cuda_check(
            cuda->api->MemcpyDtoH(to, address(buffer + offset), (size_t)bytes, cuda->stream),
            "cuMemcpyDtoHAsync", error));
    unsigned waits = atomic_load(&cuda->known.waits);
    ADI_TRY(CU_CALL(cuda->api, error, StreamSynchronize, cuda->stream));
    atomic_store(&cuda->known.passed, waits);
    if (by_host) memcpy(to, buffer + offset, (size_t)bytes);
    return 0;
}

int adi_cuda_read(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                  int64_t bytes, struct adi_error *error) {
    if (bytes == 0) return 0;
    ADI_TRY(adi_cuda_enter(device->state, error));
    return adi_cuda_leave(device->state, read_in(device, buffer, offset, to, bytes, error));
}
