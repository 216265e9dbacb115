/* SPDX-License-Identifier: Apache-2.0 */
#include "sample_build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64
#define GARBAGE   0xa5

/* Zeroed memory, aligned to 64 bytes, that the arena owns; `bytes` 0 counts as 1. NULL: none
 * left. */
static void *arena_take(struct adi_arena *arena, size_t bytes) {
    if (arena->count == arena->capacity) {
        size_t capacity = arena->capacity == 0 ? 32 : 2 * arena->capacity;
        void **blocks = realloc(arena->blocks, capacity * sizeof *blocks);
        if (blocks == NULL) return NULL;
        arena->blocks = blocks;
        arena->capacity = capacity;
    }
    void *block;
    if (bytes == 0) bytes = 1;
    if (posix_memalign(&block, ALIGNMENT, bytes) != 0) return NULL;
    arena->blocks[arena->count++] = block;
    return memset(block, 0, bytes);
}

void adi_arena_free(struct adi_arena *arena) {
    for (size_t i = 0; i < arena->count; i++) free(arena->blocks[i]);
    free(arena->blocks);
    *arena = (struct adi_arena){0};
}

static void *take(struct adi_sample_builder *builder, struct adi_arena *arena, size_t bytes) {
    void *block = arena_take(arena, bytes);
    if (block == NULL)
        adi_error_set(builder->error, ENOMEM, "no memory for %zu bytes of a sample", bytes);
    return block;
}

void *adi_sample_scratch(struct adi_sample_builder *builder, int64_t count, size_t size) {
    return take(builder, &builder->scratch, (size_t)count * size);
}

int adi_sample_buffer(struct adi_sample_builder *builder, int64_t bytes, uint8_t **out) {
    const struct adi_sample_plan *plan = builder->plan;
    size_t held = (size_t)bytes, padding = 0;
    *out = NULL;
    if (held == 0 && !plan->empty_kept) return 0;
    if (plan->padding == ADI_PADDING_ZERO) padding = -held % ALIGNMENT;
    if (plan->padding == ADI_PADDING_GARBAGE) padding = ALIGNMENT;

    size_t front = plan->unaligned ? 1 : 0;
    uint8_t *block = take(builder, builder->buffers, front + held + padding);
    if (block == NULL) return ENOMEM;
    *out = block + front;
    if (plan->padding == ADI_PADDING_GARBAGE) memset(*out + held, GARBAGE, padding);
    return 0;
}

void adi_sample_put(uint8_t *buffer, int64_t index, int64_t bits, int64_t value) {
    const int8_t value8 = (int8_t)value;
    const int16_t value16 = (int16_t)value;
    const int32_t value32 = (int32_t)value;
    const void *from = bits == 8    ? (const void *)&value8
                       : bits == 16 ? (const void *)&value16
                       : bits == 32 ? (const void *)&value32
                                    : (const void *)&value;
    memcpy(buffer + index * (bits / 8), from, (size_t)bits / 8);
}
