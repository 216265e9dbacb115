/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "public.h"

const char *const sim_memory_names[] = {
    [ADI_SIM_DEVICE] = "device", [ADI_SIM_PINNED] = "pinned", [ADI_SIM_MANAGED] = "managed"};

uint64_t sim_allocation_number(void) {
    static uint64_t last;
    return ++last;
}

const char *sim_allocation_text(const struct sim_allocation *allocation, char out[160]) {
    int n = snprintf(out, 160, "%s allocation %" PRIu64 " (%zu bytes, made by %s in call %" PRIu64,
                     allocation->own != NULL ? "registered" : sim_memory_names[allocation->memory],
                     allocation->ordinal, allocation->bytes, allocation->made.name,
                     allocation->made.call);
    if (n < 0 || n >= 160) return out;
    if (allocation->life == SIM_LIVE)
        snprintf(out + n, 160 - (size_t)n, ")");
    else
        snprintf(out + n, 160 - (size_t)n, ", freed by %s in call %" PRIu64 ")",
                 allocation->freed.name, allocation->freed.call);
    return out;
}

void sim_allocation_about(const struct sim_allocation *allocation) {
    sim.about = (struct sim_about){true, false, allocation->arena->open, allocation->made.party};
}

void sim_allocation_unlist(struct sim_allocation *allocation) {
    struct sim_context *context = allocation->context;
    if (context == NULL) return;
    sim.live[allocation->made.party]--;
    if (allocation->previous == NULL)
        context->first = allocation->next;
    else
        allocation->previous->next = allocation->next;
    if (allocation->next == NULL)
        context->last = allocation->previous;
    else
        allocation->next->previous = allocation->previous;
    allocation->context = NULL;
}

void sim_allocation_end(struct sim_allocation *allocation) {
    sim_allocation_unlist(allocation);
    if (allocation->life == SIM_LIVE) allocation->freed = sim.site;
    allocation->life = SIM_FREED;
    allocation->device->used -= allocation->bytes;
    sim_shared_forget(allocation);
    sim_ranges_free(&allocation->ranges);
    sim_clock_free(&allocation->users);
    sim_poison_end(allocation);
    sim_block_give(allocation);
    sim_allocation_release(allocation);
}

void sim_allocation_look_behind(const struct sim_allocation *allocation) {
    char text[160];
    if (allocation->arena->open && sim_shared_red_zone_broken(allocation))
        sim_violate(SIM_RED_ZONE, "the CPU wrote behind the end of %s",
                    sim_allocation_text(allocation, text));
}

struct sim_allocation *sim_allocation_around(const void *pointer) {
    struct sim_allocation *found = sim_memory_around(pointer, NULL);
    bool within = found != NULL && found->life == SIM_LIVE &&
                  (const char *)pointer < sim_view(found) + found->bytes;
    return within ? found : NULL;
}

int sim_find(const void *pointer, struct adi_sim_found *out) {
    const struct sim_allocation *found = sim_allocation_around(pointer);
    if (found == NULL) return EFAULT;
    *out = (struct adi_sim_found){sim_view(found),        found->bytes,         found->memory,
                                  found->device->family,  found->device->index, found->ordinal,
                                  found->context->handle, found->on_queue};
    return 0;
}
