/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of the program that is registered: what commands do to it is noted as if it were an
 * allocation, and its pages are closed for as long as those of pinned memory would be.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "public.h"

static uintptr_t page_size(void) {
    return (uintptr_t)sysconf(_SC_PAGESIZE);
}

static bool leaves; /* a child of fork() opens all of it */

static void open_all(const struct sim_allocation *allocation) {
    sim_own_protect(allocation, 0, allocation->bytes, PROT_READ | PROT_WRITE);
}

/* In a child of fork() all of it is the program's. */
static void leave(void) {
    for (struct sim_allocation *own = sim_own_first; own != NULL; own = own->next_own)
        open_all(own);
}

static bool may_be_closed(const char *how) {
    return strncmp(how, "rw-", 3) == 0;
}

static bool may_be_written(const char *how) {
    return how[1] == 'w';
}

/* Does it go for all pages of these bytes? */
static bool all_are(uintptr_t from, uintptr_t to, bool (*goes)(const char *how)) {
    char line[512], how[5];
    FILE *maps = fopen("/proc/self/maps", "re");
    uintptr_t done = from, start, end;
    while (maps != NULL && done < to && fgets(line, sizeof line, maps) != NULL)
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &start, &end, how) == 3 &&
            start <= done && end > done)
            done = goes(how) ? end : to + 1;
    if (maps != NULL) fclose(maps);
    return done >= to && done != to + 1;
}

bool sim_writable(const void *pointer, size_t bytes) {
    uintptr_t from = (uintptr_t)pointer;
    return bytes > 0 && from < UINTPTR_MAX - bytes && all_are(from, from + bytes, may_be_written);
}

/* ---- its life ---- */

static bool overlaps(uintptr_t from, size_t bytes) {
    for (struct sim_allocation *own = sim_own_first; own != NULL; own = own->next_own)
        if (from < (uintptr_t)own->own + own->bytes && (uintptr_t)own->own < from + bytes)
            return true;
    return false;
}

int sim_register(adi_sim_context handle, void *own, size_t bytes) {
    struct sim_context *context;
    struct sim_arena *arena;
    struct sim_access access = {.component = SIM_HOST, .site = sim.site, .what = "alloc"};
    uintptr_t page = page_size(), from = (uintptr_t)own;
    SIM_TRY(sim_registry_find(SIM_CONTEXT, handle, &context));
    if (own == NULL || bytes == 0 || from > UINTPTR_MAX - bytes || overlaps(from, bytes))
        return EINVAL;
    sim_memory_around(own, &arena);
    if (arena != NULL || !sim_readable(own, bytes)) return EINVAL;
    struct sim_allocation *made = sim_heap_zeroed(sizeof *made);
    if (made == NULL) return ENOMEM;
    if (sim_ranges_start(&made->ranges, bytes, &access) != 0) {
        sim_heap_free(made);
        return ENOMEM;
    }
    made->ordinal = sim_allocation_number();
    made->memory = ADI_SIM_PINNED;
    made->held = 1;
    made->arena = sim_memory_shared();
    made->bytes = bytes;
    made->device = context->device;
    made->context = context;
    made->made = sim.site;
    made->own = own;
    made->closes =
        all_are((from + page - 1) / page * page, (from + bytes) / page * page, may_be_closed);
    if (!leaves) leaves = pthread_atfork(NULL, NULL, leave) == 0;
    made->next_own = sim_own_first;
    sim_own_first = made;
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"makes\":\"allocation %" PRIu64
            "\",\"memory\":\"registered\",\"bytes\":%zu",
            sim.site.call, sim.site.name, made->ordinal, bytes);
    return 0;
}

/* Who registers memory anew waits for nobody; a copy that is under way finds it as it is then. */
static void end(struct sim_allocation *own) {
    struct sim_allocation **link = &sim_own_first;
    while (*link != own) link = &(*link)->next_own;
    *link = own->next_own;
    open_all(own);
    own->closes = false;
    own->life = SIM_FREED;
    own->freed = sim.site;
    own->context = NULL;
    sim_shared_forget(own);
    sim_ranges_free(&own->ranges);
    sim_clock_free(&own->users);
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"ends\":\"allocation %" PRIu64 "\"", sim.site.call,
            sim.site.name, own->ordinal);
    sim_allocation_release(own);
}

int sim_unregister(void *own) {
    struct sim_allocation *found = sim_own_around(own, 1);
    if (found == NULL || found->own != own) return EINVAL;
    end(found);
    return 0;
}

void sim_own_leaks(const struct sim_context *context) {
    char text[160];
    for (struct sim_allocation *own = sim_own_first; own != NULL; own = own->next_own) {
        if (own->reported || (context != NULL && own->context != context)) continue;
        own->reported = true;
        sim_allocation_about(own);
        sim_violate(SIM_LEAK, "%s was never given back", sim_allocation_text(own, text));
    }
}

void sim_own_end(const struct sim_context *context) {
    for (struct sim_allocation *own = sim_own_first, *next; own != NULL; own = next) {
        next = own->next_own;
        if (own->context == context) end(own);
    }
}
