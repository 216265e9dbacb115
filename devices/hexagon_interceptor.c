/* SPDX-License-Identifier: Apache-2.0
 *
 * A command that is in a queue nobody has waited for is to this device what a paused one is to
 * others: it has not happened, and will not by itself.
 */
#include <inttypes.h>
#include <stdio.h>

#include "hexagon_dsp.h"
#include "hexagon_internal.h"

#define NOTHING ((struct adi_hexagon_misuse){NULL, ADI_MISUSE_UNMAPPED})

static uint64_t calls; /* lines of a trace */

/* ---- what is wrong ---- */

struct adi_hexagon_misuse adi_hexagon_judge(const struct adi_hexagon_queue *queue, uint32_t address,
                                            int64_t bytes, bool writes) {
    int on = adi_hexagon_id_of(address);
    const struct adi_hexagon_allocation *in = adi_hexagon_find_at(address);
    if (on >= 0 && on != queue->id)
        return (struct adi_hexagon_misuse){"that is memory of another DSP", ADI_MISUSE_DEAD};
    if (in == NULL)
        return (struct adi_hexagon_misuse){"nothing was ever allocated there", ADI_MISUSE_DEAD};
    if (!in->is_live)
        return (struct adi_hexagon_misuse){
            "it was freed", in->by_implementation ? ADI_MISUSE_DEAD : ADI_MISUSE_RELEASED};
    if (adi_hexagon_check(queue->id, address, 0, bytes, NULL) != 0)
        return (struct adi_hexagon_misuse){"that is beyond the end of the allocation",
                                           in->by_implementation ? ADI_MISUSE_DEAD
                                                                 : ADI_MISUSE_BEYOND};
    if (writes && !in->by_implementation)
        return (struct adi_hexagon_misuse){"somebody else's buffer is written", ADI_MISUSE_MUTATED};
    if (adi_hexagon_find_job(address, (uint64_t)bytes, !writes, queue) != NULL)
        return (struct adi_hexagon_misuse){
            "a command on another queue uses it, and nobody has waited for that",
            ADI_MISUSE_UNORDERED};
    return NOTHING;
}

struct adi_hexagon_misuse adi_hexagon_judge_free(int id, uint32_t address) {
    const struct adi_hexagon_allocation *in = adi_hexagon_find_at(address);
    if (adi_hexagon_id_of(address) != id || in == NULL || in->address != address)
        return (struct adi_hexagon_misuse){"no allocation begins there", ADI_MISUSE_DEAD};
    if (!in->is_live)
        return (struct adi_hexagon_misuse){
            "it was freed", in->by_implementation ? ADI_MISUSE_DEAD : ADI_MISUSE_NOT_OWNED};
    if (!in->by_implementation)
        return (struct adi_hexagon_misuse){"somebody else allocated it", ADI_MISUSE_NOT_OWNED};
    if (adi_hexagon_find_job(address, (uint64_t)in->bytes, false, NULL) != NULL)
        return (struct adi_hexagon_misuse){"a command uses it, and nobody has waited for that",
                                           ADI_MISUSE_UNORDERED};
    return NOTHING;
}

void adi_hexagon_tell(const struct adi_hexagon_queue *queue, struct adi_hexagon_misuse misuse,
                      const char *call, uint32_t address, int64_t bytes) {
    char range[32] = "";
    if (misuse.what == NULL) return;
    if (bytes > 0) snprintf(range, sizeof range, ", %" PRId64 " bytes", bytes);
    adi_misused(misuse.misuse, false, "%s(0x%" PRIx32 "%s) of hexagon:%d: %s", call, address, range,
                queue->id, misuse.what);
}

/* ---- the lines of a trace ---- */

static bool name_of(const void *object, char out[48]) {
    adi_hexagon_lock();
    const struct adi_hexagon_allocation *in = adi_hexagon_find_at((uintptr_t)object);
    uint64_t number = in == NULL || !in->is_live ? 0 : in->number;
    adi_hexagon_unlock();
    snprintf(out, 48, "allocation %" PRIu64, number);
    return number != 0;
}

void adi_hexagon_say_command(const struct adi_hexagon_queue *queue, const char *call,
                             uint32_t address, bool writes) {
    const struct adi_hexagon_allocation *in = adi_hexagon_find_at(address);
    calls++;
    if (in == NULL) return;
    adi_line_say("{\"call\":%" PRIu64 ",\"in\":\"%s\",\"by\":\"queue %d\",\"access\":\"command\","
                 "\"%s\":\"allocation %" PRIu64 "\",\"seq\":%" PRIu64 "}",
                 calls, call, queue->number, writes ? "writes" : "reads", in->number, calls);
}

void adi_hexagon_say_wait(const struct adi_hexagon_queue *queue) {
    calls++;
    adi_line_say("{\"call\":%" PRIu64 ",\"in\":\"wait\",\"knows\":\"queue %d\",\"seq\":%" PRIu64
                 "}",
                 calls, queue->number, calls);
}

/* ---- the table ---- */

/* There is nothing to stop: a queue stands still until somebody waits. */
static void pause_queues(bool implementation) {
    (void)implementation;
}

static void resume_queues(void) {}

static bool has_job(const void *buffer, int64_t offset, int64_t bytes, bool writes) {
    uint64_t address = (uintptr_t)buffer;
    adi_hexagon_lock();
    const struct adi_hexagon_allocation *in = adi_hexagon_find_at(address);
    bool found = false;
    if (in != NULL && in->is_live && bytes < 0)
        found = adi_hexagon_find_job(in->address, (uint64_t)in->bytes, writes, NULL) != NULL;
    else if (in != NULL && in->is_live)
        found = adi_hexagon_find_job((uint32_t)(address + (uint64_t)offset), (uint64_t)bytes,
                                     writes, NULL) != NULL;
    adi_hexagon_unlock();
    return found;
}

static bool pending(const void *object) {
    return has_job(object, 0, -1, true);
}

static bool used(const void *buffer) {
    return has_job(buffer, 0, -1, false);
}

static bool pending_in(const void *buffer, int64_t offset, int64_t bytes) {
    return has_job(buffer, offset, bytes, true);
}

static bool used_in(const void *buffer, int64_t offset, int64_t bytes) {
    return has_job(buffer, offset, bytes, false);
}

static size_t references(void) {
    const struct adi_hexagon_allocation *newest;
    adi_hexagon_lock();
    size_t n = adi_hexagon_allocations(&newest) + adi_hexagon_queues();
    adi_hexagon_unlock();
    return n;
}

static bool newest_held(char out[ADI_INTERCEPTOR_HELD]) {
    const struct adi_hexagon_allocation *newest;
    adi_hexagon_lock();
    bool any = adi_hexagon_allocations(&newest) > 0;
    if (any)
        snprintf(out, ADI_INTERCEPTOR_HELD, "%" PRId64 " bytes of alloc", newest->bytes);
    else if (adi_hexagon_queues() > 0)
        any = snprintf(out, ADI_INTERCEPTOR_HELD, "queue of open") > 0;
    adi_hexagon_unlock();
    return any;
}

static bool closed(const void *address) {
    return adi_hexagon_id_of((uintptr_t)address) >= 0;
}

const struct adi_interceptor adi_hexagon_interceptor = {
    .size = sizeof adi_hexagon_interceptor,
    .enter = adi_caller_enter,
    .subscribe = adi_misuse_subscribe,
    .pause = pause_queues,
    .resume = resume_queues,
    .pending = pending,
    .used = used,
    .references = references,
    .closed = closed,
    .trace = adi_line_subscribe,
    .name_of = name_of,
    .pending_in = pending_in,
    .used_in = used_in,
    .newest_held = newest_held,
};
