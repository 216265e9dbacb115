/* SPDX-License-Identifier: Apache-2.0 */
#include "arena.h"

#include <string.h>
#include <sys/mman.h>

#include "fuzz.h"

#define PIECES     320
#define PAGE_BYTES ((size_t)4096)
#define STALE      0x5c /* what lies in front of a piece */

static char *pages; /* one to use, one that cannot be read, ... */
static size_t next, sizes[PIECES];

void arena_reset(void) {
    next = 0;
    if (pages != NULL) return;
    pages = mmap(NULL, 2 * PIECES * PAGE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    FUZZ_REQUIRE(pages != MAP_FAILED, "no memory for the arena");
    for (size_t i = 0; i < PIECES; i++)
        FUZZ_REQUIRE(mprotect(pages + 2 * i * PAGE_BYTES, PAGE_BYTES, PROT_READ | PROT_WRITE) == 0,
                     "no memory for the arena");
}

void *arena_put(size_t bytes, size_t align) {
    size_t room = (bytes + align - 1) / align * align;
    FUZZ_REQUIRE(next < PIECES && room <= PAGE_BYTES, "the arena is too small: %zu bytes", bytes);
    char *page = pages + 2 * next * PAGE_BYTES;
    sizes[next++] = room;
    memset(page, STALE, PAGE_BYTES - room);
    return memset(page + PAGE_BYTES - room, 0, room);
}

void *arena_copy(const void *from, size_t bytes, size_t align) {
    void *piece = arena_put(bytes, align);
    if (bytes > 0) memcpy(piece, from, bytes);
    return piece;
}

void *arena_piece(size_t index, size_t *bytes) {
    size_t at = index % next;
    *bytes = sizes[at];
    return pages + (2 * at + 1) * PAGE_BYTES - sizes[at];
}

void *arena_nowhere(void) {
    return pages + PAGE_BYTES;
}
