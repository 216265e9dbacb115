/* SPDX-License-Identifier: Apache-2.0 */
#include "py_memory.h"

#include <errno.h>
#include <stdlib.h>

#include "export.h"
#include "import.h"
#include "move.h"

static atomic_size_t live;

struct adi_py_memory *adi_py_memory_new(struct adi_device *device, struct ArrowSchema *schema,
                                        struct ArrowDeviceArray *array, struct adi_error *error) {
    struct adi_py_memory *memory = malloc(sizeof *memory);
    if (memory == NULL) {
        adi_error_set(error, ENOMEM, "no memory for an array");
        return NULL;
    }
    atomic_init(&memory->uses, 1);
    memory->device = device;
    adi_schema_move(schema, &memory->schema);
    adi_device_array_move(array, &memory->array);
    atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
    return memory;
}

struct adi_py_memory *adi_py_memory_keep(struct adi_py_memory *memory) {
    atomic_fetch_add_explicit(&memory->uses, 1, memory_order_relaxed);
    return memory;
}

void adi_py_memory_drop(struct adi_py_memory *memory) {
    if (memory == NULL) return;
    if (atomic_fetch_sub_explicit(&memory->uses, 1, memory_order_acq_rel) > 1) return;
    adi_device_array_release(&memory->array);
    adi_schema_release(&memory->schema);
    free(memory);
    atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
}

static void drop(void *memory) {
    adi_py_memory_drop(memory);
}

int adi_py_memory_share(struct adi_py_memory *memory, struct ArrowDeviceArray *out,
                        struct adi_error *error) {
    struct ArrowDeviceArray shared = memory->array;
    ADI_TRY(
        adi_export(&memory->array.array, (struct adi_owner){drop, memory}, &shared.array, error));
    adi_py_memory_keep(memory);
    *out = shared;
    return 0;
}

int adi_py_memory_to_host(struct adi_py_memory *memory, struct ArrowArray *out,
                          struct adi_error *error) {
    return adi_copy_to_host(memory->device, &memory->schema, &memory->array, out, error);
}

size_t adi_py_memory_live(void) {
    return atomic_load_explicit(&live, memory_order_relaxed);
}
