/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory of an array, shared by the object and all that was exported of it. No Python object is
 * within, so that it can be given back by any thread, without the GIL, whenever.
 */
#ifndef ADI_PY_MEMORY_H
#define ADI_PY_MEMORY_H

#include <stdatomic.h>

#include "abi.h"
#include "device.h"
#include "error.h"

struct adi_py_memory {
    atomic_size_t uses;
    struct adi_device *device; /* open to the end of the process */
    struct ArrowSchema schema;
    struct ArrowDeviceArray array;
};

/* Moves from both. NULL: ENOMEM, and both are untouched. */
struct adi_py_memory *adi_py_memory_new(struct adi_device *device, struct ArrowSchema *schema,
                                        struct ArrowDeviceArray *array, struct adi_error *error);
struct adi_py_memory *adi_py_memory_keep(struct adi_py_memory *memory);
/* NULL: nothing. */
void adi_py_memory_drop(struct adi_py_memory *memory);

/* The array once more, without a copy: it keeps the memory until it is released. */
int adi_py_memory_share(struct adi_py_memory *memory, struct ArrowDeviceArray *out,
                        struct adi_error *error);
/* A copy on the host. May wait: the GIL is not held, or the device is the CPU. */
int adi_py_memory_to_host(struct adi_py_memory *memory, struct ArrowArray *out,
                          struct adi_error *error);

/* How many there are: what is lost stays counted. */
size_t adi_py_memory_live(void);

#endif /* ADI_PY_MEMORY_H */
