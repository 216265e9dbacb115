/* SPDX-License-Identifier: Apache-2.0
 *
 * life/child-depends-on-parent, producer. duckdb/duckdb#9254: the root owns the memory of the
 * children, so one that was moved out dangles.
 */
#include <sys/mman.h>

#include "base/implementation.h"

#define ARENA ((size_t)1 << 20)

static char *arena;
static size_t used = ARENA;

static void *take(size_t bytes) {
    if (used + bytes > ARENA) {
        arena = mmap(NULL, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        used = 0;
    }
    char *start = arena + used;
    used += (bytes + 63) / 64 * 64;
    return start;
}

static void keep(void *buffer) {
    (void)buffer;
}

static void release_root(struct ArrowArray *array) {
    base_array_release(array);
    munmap(arena, ARENA);
    used = ARENA;
}

static void own_all(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->array.release = release_root;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.buffer_alloc = take;
    base.buffer_free = keep;
    base.exported = own_all;
}
