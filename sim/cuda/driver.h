/* SPDX-License-Identifier: Apache-2.0
 *
 * Within the simulated driver. `cuda_NAME` does what the exported function NAME of functions.def
 * does, within a call that has begun alone (adi_sim_begin_alone), but for those that are PLAIN; one
 * that takes a stream is told whether the default stream is that of the thread. Handles of streams
 * and events are the engine's own, so that it is the engine who says what is wrong with one.
 */
#ifndef SIM_CUDA_DRIVER_H
#define SIM_CUDA_DRIVER_H

#include <errno.h>
#include <stdbool.h>

#include "cuda_abi.h"
#include "sim.h"
#include "try.h"

#define CUDA_FAMILY "cuda"
#define CUDA_CONTEXTS                                                                              \
    64 /* that there can be at a time, and how deep a thread's stack of them is                    \
        */

#define CUDA_REST(...)                                  __VA_ARGS__
#define CALL(base, since, name, begin, parameters, ...) CUresult cuda_##name parameters;
#define STREAM(base, since, name, suffix, begin, parameters, ...)                                  \
    CUresult cuda_##name(bool per_thread, CUDA_REST parameters);
#define PLAIN(base, since, name, parameters, ...) CUresult cuda_##name parameters;
#include "functions.def"

/* ---- errors.c ---- */

/* What an errno value of the engine is to the driver. */
CUresult cuda_error(int code);

/* Within a call: says in the log that a function is called which is not served;
 * CUDA_ERROR_NOT_SUPPORTED. */
CUresult cuda_unserved(const char *name);

/* ---- driver_version.c ---- */

/* What the driver says it is of: 13000, or what ADI_CUDA_VERSION was when somebody asked first. */
int cuda_version(void);

/* ---- contexts.c ---- */

/* A context that is alive. */
struct cuda_scope {
    CUcontext name; /* what the program knows it by */
    adi_sim_context context;
    adi_sim_queue legacy; /* its legacy default stream */
    int device, item;     /* item: its number, below CUDA_CONTEXTS */
    unsigned flags;
    unsigned long long id;
};

/* The thread's. CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_CONTEXT_IS_DESTROYED. */
CUresult cuda_current(struct cuda_scope *out);
/* The one of that name; what is none, or none any more, is reported. */
CUresult cuda_find_context(CUcontext name, struct cuda_scope *out);
/* The program's name of a context of the engine; NULL: none. */
CUcontext cuda_context_name(adi_sim_context context);
/* Those of a device that are alive: a bit for each item. */
uint64_t cuda_contexts_of(int device);
/* A context of the device that is alive, the primary one before others; NULL: none. */
adi_sim_context cuda_context_on(int device);
/* Calls `order` for each of these that is alive. */
int cuda_order(uint64_t contexts, adi_sim_queue queue,
               int (*order)(adi_sim_context context, adi_sim_queue queue));

/* ---- visible.c ---- */

/* What CUDA_VISIBLE_DEVICES lets the program see, as it was when somebody asked first. A CUdevice
 * is the place in that list; the engine knows a device by its index. */
int cuda_visible(void);
bool cuda_is_visible(CUdevice device);
/* Of one that is visible: the engine's index. */
int cuda_index(CUdevice device);
/* Of one that something was made on. */
CUdevice cuda_device(int index);
/* What nvidia-smi would call it: "GPU-" and 36 characters. */
CUuuid cuda_uuid(int index);

/* ---- streams.c ---- */

/* What a stream stands for in the current context, which is there too (NULL: of no interest). */
CUresult cuda_queue(bool per_thread, CUstream stream, struct cuda_scope *scope, adi_sim_queue *out);

/* ---- registrations.c ---- */

enum cuda_memory {
    CUDA_PAGEABLE,
    CUDA_PINNED,
    CUDA_REGISTERED, /* of the program, and within reach of the devices */
    CUDA_ON_DEVICE,
    CUDA_MANAGED,
    CUDA_FOREIGN, /* of another interface that is simulated in this process */
};

/* What kind of memory a pointer is to; what is not live is pageable to it. */
enum cuda_memory cuda_memory_of(const void *pointer);
/* The allocation that it is in, or the registered range; false: none of this driver's. */
bool cuda_find(const void *pointer, struct adi_sim_found *found);
/* Are all of these bytes in one registered range? */
bool cuda_is_registered(const void *pointer, size_t bytes);
/* CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED: some of it, at least. */
CUresult cuda_register(const struct cuda_scope *scope, const char *start, size_t bytes);
/* CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED: nothing begins there. */
CUresult cuda_unregister(const void *start);
/* A context has ended: nothing is registered in it any more. */
void cuda_unregister_all(adi_sim_context context);

/* ---- copies.c ---- */

/* From anything to anything, in the order of a queue; `flags` of the engine's, besides those that
 * follow from the pointers. */
CUresult cuda_copy(adi_sim_queue queue, void *to, const void *from, size_t bytes, unsigned flags);

/* ---- pools.c ---- */

/* From the current pool of the queue's device. */
CUresult cuda_allocate_on(adi_sim_queue queue, size_t bytes, CUdeviceptr *out);
/* What the pool was that an allocation is from, before it is freed. Not of a pool: NULL. */
CUmemoryPool cuda_pool_of(const struct adi_sim_found *found);
/* It has been freed, or its free is queued. */
void cuda_give_back(const struct adi_sim_found *found);

/* ---- managed.c ---- */

/* One of the three ways to say host; its NUMA node 0 is the only one. */
bool cuda_is_host(const CUmemLocation *location);

/* ---- ipc.c ---- */

/* Does cuIpcGetMemHandle give a handle of it? Of memory of cuMemAlloc, and none other. */
bool cuda_has_handle(const struct adi_sim_found *found);

static inline void *cuda_pointer(CUdeviceptr pointer) {
    return (void *)(uintptr_t)pointer;
}

#endif /* SIM_CUDA_DRIVER_H */
