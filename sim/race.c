/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "queue.h"

static const char *party_text(uint32_t component, char out[32]) {
    if (component == SIM_HOST)
        strcpy(out, "the host");
    else
        snprintf(out, 32, "queue %" PRIu32, component);
    return out;
}

void sim_log_unordered(const char *present, const struct sim_access *past) {
    char before[32];
    if (!sim_logs()) return;
    party_text(past->component, before);
    sim_log("\"call\":%" PRIu64
            ",\"in\":\"%s\",\"unordered\":\"%s\",\"behind\":\"%s\",\"earlier\":%" PRIu64,
            sim.site.call, sim.site.name, present, before, past->site.call);
}

/* What an access does, in a text and in the log. */
static const char *verb(const struct sim_access *access, bool writes) {
    return access->may ? "may read or write" : writes ? "writes" : "reads";
}

static void log_access(const struct sim_allocation *allocation, const struct sim_access *now,
                       size_t offset, size_t bytes, bool writes) {
    char party[32];
    if (!sim_logs()) return;
    sim_log("\"call\":%" PRIu64
            ",\"in\":\"%s\",\"by\":\"%s\",\"access\":\"%s\",\"%s\":\"allocation %" PRIu64
            "\",\"byte\":%zu,\"bytes\":%zu,\"seq\":%" PRIu64,
            now->site.call, now->site.name, party_text(now->component, party), now->what,
            now->may ? "may_use" : verb(now, writes), allocation->ordinal, offset, bytes,
            now->component == SIM_HOST ? 0 : now->seq);
}

/* Names both accesses, their queues, and the edge that is missing between them. */
static void report(const struct sim_allocation *allocation, const struct sim_access *now,
                   bool writes, const struct sim_race *race) {
    char text[160], past[32], present[32];
    bool frees = strcmp(now->what, "free") == 0, may = now->may || race->past.may;
    sim.about = (struct sim_about){true, false, allocation->arena->open, race->past.site.party};
    party_text(race->past.component, past);
    party_text(now->component, present);
    sim_log_unordered(present, &race->past);
    sim_violate(may     ? SIM_LAUNCH_UNORDERED
                : frees ? SIM_FREED_IN_USE
                        : SIM_RACE,
                "%s of %s (%s, call %" PRIu64 ") %s bytes %zu to %zu of %s, which %s of %s (%s, "
                "call %" PRIu64 ") %s; nothing lets %s wait for %s in between%s",
                now->what, present, now->site.name, now->site.call,
                frees ? "ends" : verb(now, writes), race->start, race->end,
                sim_allocation_text(allocation, text), race->past.what, past, race->past.site.name,
                race->past.site.call, verb(&race->past, race->past_writes), present, past,
                may ? SIM_OPAQUE_TEXT : "");
}

/* Reading it is what it is there for. */
static void report_write(const struct sim_allocation *allocation, const char *what) {
    char text[160];
    sim_allocation_about(allocation);
    sim_violate(SIM_FOREIGN_WRITE, "a %s writes %s, which another has made", what,
                sim_allocation_text(allocation, text));
}

static int note(struct sim_queue *queue, struct sim_allocation *allocation, size_t offset,
                size_t bytes, bool writes, struct sim_access now) {
    struct sim_race race = {0};
    const struct sim_clock *clock = NULL;
    if (bytes == 0) return 0;
    if (queue != NULL) {
        now.component = queue->component;
        now.seq = queue->seq + 1;
        clock = &queue->clock;
    }
    log_access(allocation, &now, offset, bytes, writes);
    int code =
        sim_ranges_access(&allocation->ranges, offset, offset + bytes, &now, writes, clock, &race);
    if (race.end != 0) {
        if (race.start < offset) race.start = offset;
        if (race.end > offset + bytes) race.end = offset + bytes;
        report(allocation, &now, writes, &race);
    }
    if (writes && queue != NULL && sim_is_foreign(allocation->made.party))
        report_write(allocation, now.what);
    if (code == 0 && queue != NULL)
        code = sim_clock_join(&allocation->users, (struct sim_tick){SIM_HOST, SIM_NEVER}, clock,
                              (struct sim_tick){now.component, now.seq});
    if (code == 0 && queue != NULL && allocation->arena->open)
        sim_shared_close(allocation, offset, offset + bytes, writes || now.may, &now);
    return code;
}

int sim_note(struct sim_queue *queue, struct sim_allocation *allocation, size_t offset,
             size_t bytes, bool writes, const char *what) {
    return note(queue, allocation, offset, bytes, writes,
                (struct sim_access){.component = SIM_HOST, .site = sim.site, .what = what});
}

int sim_note_may(struct sim_queue *queue, struct sim_allocation *allocation, const char *what) {
    return note(queue, allocation, 0, allocation->bytes, false,
                (struct sim_access){.site = sim.site, .what = what, .may = true});
}
