/* SPDX-License-Identifier: Apache-2.0
 *
 * A correct implementation for CUDA, from which every mutant cuda_*.c departs in one point:
 * `mutate`, which each file defines, changes functions of the device or what comes out. While it
 * runs its device's context is the current one.
 */
#ifndef CUDA_BASE_H
#define CUDA_BASE_H

#include "adapter.h"
#include "cuda_abi.h"
#include "devices.h"

enum cuda_memory {
    OF_DEVICE,
    PINNED,
    MANAGED,
};

struct cuda_base {
    unsigned roles;
    /* Looks at what `consume` or `relay` is given before anything else does; NULL: nobody. */
    void (*given)(struct adi_device *device, struct ArrowDeviceArray *in);
    const struct adi_device_ops *device; /* what it is for: adi_device_cuda or one of its kin */
    struct adi_device_ops ops;           /* the device that the implementation works with */
    enum cuda_memory memory;             /* of the buffers, once base_allocates was called */
    bool other; /* it works with the other device than the one that it was asked for */
    bool stays; /* it leaves its context where it was pushed */
    void (*exported)(struct ArrowDeviceArray *out); /* may change what is handed out; NULL */
    /* Copies to the host; the caller releases `in`. */
    int (*read)(struct adi_device *device, const struct ArrowSchema *schema,
                struct ArrowDeviceArray *in, struct ArrowArray *host_out);
    void (*released)(struct adi_device *device); /* called after the release of an input; NULL */
};
extern struct cuda_base base;

void mutate(void);

/* For `mutate`, before it changes anything else: it is for another type than CUDA; its buffers are
 * memory of this kind, filled by cuMemcpyAsync. */
void base_is_for(const struct adi_device_ops *device);
void base_allocates(enum cuda_memory memory);

/* How `read` is done right. */
int base_read(struct adi_device *device, const struct ArrowSchema *schema,
              struct ArrowDeviceArray *in, struct ArrowArray *host_out);

/* The device of the last call, and the other one of the type. */
struct adi_device *base_device(void);
struct adi_device *base_other(struct adi_device *device);
CUcontext base_context(struct adi_device *device);
CUstream base_stream(struct adi_device *device);
/* A further stream of the implementation. */
CUstream base_second_stream(struct adi_device *device);
/* The one that the harness lends. */
CUstream base_lent_stream(int64_t id);
/* Pinned memory of the implementation, 1 MiB; NULL: there is none. */
char *base_staging(void);

static inline CUdeviceptr base_address(const void *pointer) {
    return (CUdeviceptr)(uintptr_t)pointer;
}

/* A function of the driver: CU(cuStreamSynchronize)(stream). */
#define CU(name) ((__typeof__(&name))base_function(#name))
void (*base_function(const char *name))(void);

#endif /* CUDA_BASE_H */
