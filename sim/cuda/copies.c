/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies and fills, and what each of them waits for (CUDA Driver API, "API synchronization
 * behavior").
 */
#include <stdlib.h>
#include <string.h>

#include "driver.h"

/* What the function says of a pointer. */
enum role {
    HOST,   /* of the host: pageable or pinned */
    DEVICE, /* of a device, managed, pinned, or registered */
    EITHER,
};

struct copy {
    void *to;
    const void *from;
    size_t bytes;
    enum role to_role, from_role;
};

static bool of_host(enum cuda_memory memory) {
    return memory == CUDA_PAGEABLE || memory == CUDA_PINNED || memory == CUDA_REGISTERED;
}

static bool find_of_device(const void *pointer, struct adi_sim_found *found) {
    return cuda_find(pointer, found) && found->memory == ADI_SIM_DEVICE;
}

/* The contexts that a copy between the two, memory of devices, is alone in, if it is in the
 * implicit NULL stream; 0: they are of the same device. */
static uint64_t contexts_between(const void *to, const void *from) {
    struct adi_sim_found target, source;
    bool both = find_of_device(to, &target) && find_of_device(from, &source);
    if (!both || target.device == source.device) return 0;
    return cuda_contexts_of(target.device) | cuda_contexts_of(source.device);
}

/* A synchronous copy that has to do with memory of the host is done when it returns. From pageable
 * memory it is staged: the source has been read, but the device may not have it yet. Between
 * devices it is not waited for at all. */
static unsigned sync_flags(const struct copy *copy, enum cuda_memory to, enum cuda_memory from) {
    bool host_to = copy->to_role == HOST || (copy->to_role == EITHER && of_host(to));
    bool host_from = copy->from_role == HOST || (copy->from_role == EITHER && of_host(from));
    if (!host_to && from == CUDA_PAGEABLE) return ADI_SIM_STAGED;
    return host_to || host_from ? ADI_SIM_WAIT : 0;
}

static bool fits(enum role role, enum cuda_memory memory) {
    return memory != CUDA_FOREIGN && (role != HOST || memory != CUDA_ON_DEVICE);
}

/* What has to be an allocation, or registered. */
static bool is_of_device(enum role role, const void *pointer, size_t bytes) {
    return role == DEVICE && !cuda_is_registered(pointer, bytes);
}

static CUresult copy_on(adi_sim_queue queue, const struct copy *copy, bool sync, unsigned flags) {
    enum cuda_memory to = cuda_memory_of(copy->to), from = cuda_memory_of(copy->from);
    flags |= ADI_SIM_PEERS;
    if (!fits(copy->to_role, to) || !fits(copy->from_role, from)) return CUDA_ERROR_INVALID_VALUE;
    if (is_of_device(copy->to_role, copy->to, copy->bytes)) flags |= ADI_SIM_TO_ALLOCATION;
    if (is_of_device(copy->from_role, copy->from, copy->bytes)) flags |= ADI_SIM_FROM_ALLOCATION;
    if (cuda_is_registered(copy->from, copy->bytes)) flags |= ADI_SIM_LATE;
    if (sync) flags |= sync_flags(copy, to, from);
    if (of_host(to) && of_host(from)) flags |= ADI_SIM_WAIT; /* that is always synchronous */
    return cuda_error(adi_sim_copy(queue, copy->to, copy->from, copy->bytes, flags));
}

/* Behind all that is in the contexts, and before all that comes later there. */
static CUresult copy_alone(uint64_t contexts, adi_sim_queue queue, const struct copy *what) {
    int error = cuda_order(contexts, queue, adi_sim_context_before);
    CUresult code = error == 0 ? copy_on(queue, what, true, 0) : cuda_error(error);
    if (code != CUDA_SUCCESS) return code;
    return cuda_error(cuda_order(contexts, queue, adi_sim_context_behind));
}

/* In the implicit NULL stream, which is the legacy one, a copy between two devices is alone on both
 * (CUDA Programming Guide, "Peer-to-Peer Memory Copy"). */
static CUresult copy(bool per_thread, CUstream stream, bool sync, struct copy what) {
    adi_sim_queue queue;
    CUresult code = cuda_queue(per_thread, stream, NULL, &queue);
    if (code != CUDA_SUCCESS || what.bytes == 0) return code;
    if (!sync || per_thread) return copy_on(queue, &what, sync, 0);
    return copy_alone(contexts_between(what.to, what.from), queue, &what);
}

/* ---- between anything ---- */

CUresult cuda_copy(adi_sim_queue queue, void *to, const void *from, size_t bytes, unsigned flags) {
    const struct copy what = {to, from, bytes, EITHER, EITHER};
    return copy_on(queue, &what, false, flags);
}

CUresult cuda_cuMemcpy(bool per_thread, CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    return copy(per_thread, NULL, true,
                (struct copy){cuda_pointer(to), cuda_pointer(from), bytes, EITHER, EITHER});
}

CUresult cuda_cuMemcpyAsync(bool per_thread, CUdeviceptr to, CUdeviceptr from, size_t bytes,
                            CUstream stream) {
    return copy(per_thread, stream, false,
                (struct copy){cuda_pointer(to), cuda_pointer(from), bytes, EITHER, EITHER});
}

/* ---- with a direction ---- */

CUresult cuda_cuMemcpyHtoD_v2(bool per_thread, CUdeviceptr to, const void *from, size_t bytes) {
    return copy(per_thread, NULL, true, (struct copy){cuda_pointer(to), from, bytes, DEVICE, HOST});
}

CUresult cuda_cuMemcpyHtoDAsync_v2(bool per_thread, CUdeviceptr to, const void *from, size_t bytes,
                                   CUstream stream) {
    return copy(per_thread, stream, false,
                (struct copy){cuda_pointer(to), from, bytes, DEVICE, HOST});
}

CUresult cuda_cuMemcpyDtoH_v2(bool per_thread, void *to, CUdeviceptr from, size_t bytes) {
    return copy(per_thread, NULL, true, (struct copy){to, cuda_pointer(from), bytes, HOST, DEVICE});
}

CUresult cuda_cuMemcpyDtoHAsync_v2(bool per_thread, void *to, CUdeviceptr from, size_t bytes,
                                   CUstream stream) {
    return copy(per_thread, stream, false,
                (struct copy){to, cuda_pointer(from), bytes, HOST, DEVICE});
}

CUresult cuda_cuMemcpyDtoD_v2(bool per_thread, CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    return copy(per_thread, NULL, true,
                (struct copy){cuda_pointer(to), cuda_pointer(from), bytes, DEVICE, DEVICE});
}

CUresult cuda_cuMemcpyDtoDAsync_v2(bool per_thread, CUdeviceptr to, CUdeviceptr from, size_t bytes,
                                   CUstream stream) {
    return copy(per_thread, stream, false,
                (struct copy){cuda_pointer(to), cuda_pointer(from), bytes, DEVICE, DEVICE});
}

/* ---- fills: those of memory that the CPU can see are synchronous ---- */

/* The engine fills allocations only: this is a copy of what is filled in. */
static int fill_registered(adi_sim_queue queue, char *to, uint32_t value, size_t width,
                           size_t count) {
    char *pattern = malloc(width * count);
    if (pattern == NULL) return ENOMEM;
    for (size_t i = 0; i < count; i++) memcpy(pattern + i * width, &value, width);
    int code = adi_sim_copy(queue, to, pattern, width * count, ADI_SIM_WAIT);
    free(pattern);
    return code;
}

static CUresult fill(bool per_thread, CUstream stream, bool sync, CUdeviceptr to, uint32_t value,
                     size_t width, size_t count) {
    adi_sim_queue queue;
    CUresult code = cuda_queue(per_thread, stream, NULL, &queue);
    if (code != CUDA_SUCCESS || count == 0) return code;
    if (to % width != 0) return CUDA_ERROR_INVALID_VALUE;
    enum cuda_memory memory = cuda_memory_of(cuda_pointer(to));
    if (memory == CUDA_FOREIGN) return CUDA_ERROR_INVALID_VALUE;
    if (count <= SIZE_MAX / width && cuda_is_registered(cuda_pointer(to), width * count))
        return cuda_error(fill_registered(queue, cuda_pointer(to), value, width, count));
    int error = adi_sim_fill(queue, cuda_pointer(to), value, width, count);
    bool waits = sync && (memory == CUDA_PINNED || memory == CUDA_MANAGED);
    return cuda_error(error == 0 && waits ? adi_sim_queue_sync(queue) : error);
}

CUresult cuda_cuMemsetD8_v2(bool per_thread, CUdeviceptr to, unsigned char value, size_t count) {
    return fill(per_thread, NULL, true, to, value, 1, count);
}

CUresult cuda_cuMemsetD8Async(bool per_thread, CUdeviceptr to, unsigned char value, size_t count,
                              CUstream stream) {
    return fill(per_thread, stream, false, to, value, 1, count);
}

CUresult cuda_cuMemsetD16_v2(bool per_thread, CUdeviceptr to, unsigned short value, size_t count) {
    return fill(per_thread, NULL, true, to, value, 2, count);
}

CUresult cuda_cuMemsetD16Async(bool per_thread, CUdeviceptr to, unsigned short value, size_t count,
                               CUstream stream) {
    return fill(per_thread, stream, false, to, value, 2, count);
}

CUresult cuda_cuMemsetD32_v2(bool per_thread, CUdeviceptr to, unsigned value, size_t count) {
    return fill(per_thread, NULL, true, to, value, 4, count);
}

CUresult cuda_cuMemsetD32Async(bool per_thread, CUdeviceptr to, unsigned value, size_t count,
                               CUstream stream) {
    return fill(per_thread, stream, false, to, value, 4, count);
}

/* ---- between contexts ---- */

/* cuMemcpyPeer comes behind all work of the three contexts that it has to do with, and before all
 * that comes later; between two devices that goes for all contexts of both. */
CUresult cuda_cuMemcpyPeer(bool per_thread, CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                           CUcontext from_context, size_t bytes) {
    const struct copy what = {cuda_pointer(to), cuda_pointer(from), bytes, DEVICE, DEVICE};
    struct cuda_scope scopes[3];
    adi_sim_queue queue;
    uint64_t contexts = contexts_between(what.to, what.from);
    CUresult code = cuda_find_context(to_context, &scopes[1]);
    if (code == CUDA_SUCCESS) code = cuda_find_context(from_context, &scopes[2]);
    if (code == CUDA_SUCCESS) code = cuda_queue(per_thread, NULL, &scopes[0], &queue);
    if (code != CUDA_SUCCESS || bytes == 0) return code;
    for (size_t i = 0; i < 3; i++) contexts |= (uint64_t)1 << scopes[i].item;
    return copy_alone(contexts, queue, &what);
}

CUresult cuda_cuMemcpyPeerAsync(bool per_thread, CUdeviceptr to, CUcontext to_context,
                                CUdeviceptr from, CUcontext from_context, size_t bytes,
                                CUstream stream) {
    struct cuda_scope scope;
    SIM_TRY(cuda_find_context(to_context, &scope));
    SIM_TRY(cuda_find_context(from_context, &scope));
    return cuda_cuMemcpyDtoDAsync_v2(per_thread, to, from, bytes, stream);
}
