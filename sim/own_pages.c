/* SPDX-License-Identifier: Apache-2.0
 *
 * The pages of memory of the program that is registered: those that are all within it may be
 * closed. The bytes beside it in its first and last page are the program's, and stay open.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory.h"

struct sim_allocation *sim_own_first;

static uintptr_t page_size(void) {
    return (uintptr_t)sysconf(_SC_PAGESIZE);
}

struct sim_allocation *sim_own_around(const void *pointer, size_t bytes) {
    struct sim_allocation *found = sim_own_first;
    uintptr_t at = (uintptr_t)pointer;
    while (found != NULL &&
           (at < (uintptr_t)found->own || at - (uintptr_t)found->own > found->bytes ||
            bytes > found->bytes - (at - (uintptr_t)found->own)))
        found = found->next_own;
    return found;
}

/* ---- pages ---- */

void sim_own_protect(const struct sim_allocation *allocation, size_t start, size_t end, int how) {
    uintptr_t page = page_size(), own = (uintptr_t)allocation->own;
    uintptr_t first = (own + page - 1) / page * page,
              last = (own + allocation->bytes) / page * page;
    bool opens = how == (PROT_READ | PROT_WRITE);
    if (end > allocation->bytes) end = allocation->bytes;
    uintptr_t from = (own + start + (opens ? 0 : page - 1)) / page * page;
    uintptr_t to = (own + end + (opens ? page - 1 : 0)) / page * page;
    if (from < first) from = first;
    if (to > last) to = last;
    if (allocation->closes && from < to) mprotect((void *)from, to - from, how);
}

void sim_own_open_touched(struct sim_allocation *allocation, const char *address, bool to_read) {
    uintptr_t page = page_size(), from = (uintptr_t)address / page * page;
    mprotect((void *)from, page, to_read ? PROT_READ : PROT_READ | PROT_WRITE);
    allocation->touched = true;
}

bool sim_own_forget_touched(void) {
    bool any = false;
    for (struct sim_allocation *own = sim_own_first; own != NULL; own = own->next_own) {
        if (own->touched && own->closed) own->blocker_seq = 0;
        any = any || own->touched;
        own->touched = false;
    }
    return any;
}
