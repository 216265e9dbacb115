/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_heap.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#ifdef __SANITIZE_ADDRESS__
#define HAS_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#define HAS_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#else
#define HAS_ADDRESS_SANITIZER 0
#endif

#if HAS_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, bytes)   ((void)(start), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(start, bytes) ((void)(start), (void)(bytes))
#endif

#define CLASSES     56
#define LARGEST     ((size_t)1 << 17) /* beyond, a mapping of its own */
#define CHUNK_BYTES ((size_t)1 << 20)
#define ROUND       16

/* Before each piece. */
struct head {
    size_t bytes;      /* of the piece, without this */
    struct head *next; /* among the free ones of its class */
};

static struct head *free_ones[CLASSES];
static char *chunk;
static size_t chunk_left, used;

/* Four to each doubling. */
static unsigned class_of(size_t bytes, size_t *rounded) {
    size_t steps = (bytes + ROUND - 1) / ROUND;
    unsigned shift = 0;
    while ((steps - 1) >> shift >= 8) shift++;
    size_t top = ((steps - 1) >> shift) + 1;
    *rounded = (top << shift) * ROUND;
    return (unsigned)(shift == 0 ? top - 1 : 4 * shift + top - 1);
}

static void *map(size_t bytes) {
    void *made = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return made == MAP_FAILED ? NULL : made;
}

static struct head *carve(size_t bytes) {
    size_t needed = sizeof(struct head) + bytes;
    if (needed > chunk_left) {
        char *fresh = map(CHUNK_BYTES);
        if (fresh == NULL) return NULL;
        chunk = fresh;
        chunk_left = CHUNK_BYTES;
    }
    struct head *head = (void *)chunk;
    chunk += needed;
    chunk_left -= needed;
    head->bytes = bytes;
    return head;
}

void *sim_heap_new(size_t bytes) {
    struct head *head;
    if (bytes == 0) bytes = 1;
    if (bytes > SIZE_MAX / 2) return NULL;
    if (bytes > LARGEST) {
        head = map(sizeof *head + bytes);
        if (head != NULL) head->bytes = bytes;
    } else {
        struct head **first = &free_ones[class_of(bytes, &bytes)];
        head = *first;
        if (head == NULL)
            head = carve(bytes);
        else
            *first = head->next;
    }
    if (head == NULL) return NULL;
    used += head->bytes;
    ASAN_UNPOISON_MEMORY_REGION(head + 1, head->bytes);
    return head + 1;
}

void *sim_heap_zeroed(size_t bytes) {
    void *made = sim_heap_new(bytes);
    return made == NULL ? NULL : memset(made, 0, bytes);
}

void sim_heap_free(void *old) {
    if (old == NULL) return;
    struct head *head = (struct head *)old - 1;
    used -= head->bytes;
    if (head->bytes > LARGEST) {
        munmap(head, sizeof *head + head->bytes);
        return;
    }
    size_t bytes;
    struct head **first = &free_ones[class_of(head->bytes, &bytes)];
    ASAN_POISON_MEMORY_REGION(old, head->bytes);
    head->next = *first;
    *first = head;
}

void *sim_heap_grow(void *old, size_t bytes) {
    size_t before = old == NULL ? 0 : ((struct head *)old - 1)->bytes;
    if (old != NULL && bytes <= before) return old;
    void *made = sim_heap_new(bytes);
    if (made == NULL || old == NULL) return made;
    memcpy(made, old, before);
    sim_heap_free(old);
    return made;
}

size_t sim_heap_bytes(void) {
    return used;
}
