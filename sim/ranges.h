/* SPDX-License-Identifier: Apache-2.0
 *
 * Who last wrote, and who has read since, each byte of an allocation: a map of disjoint ranges that
 * together are the allocation, cut where accesses begin and end.
 */
#ifndef SIM_RANGES_H
#define SIM_RANGES_H

#include "clock.h"

struct sim_access {
    uint32_t component;
    uint64_t seq;
    struct sim_site site;
    const char *what; /* "copy"; static */
    bool may;         /* read or write, nobody knows: noted as a read */
};

struct sim_ranges {
    struct sim_range *root;
    size_t n, trim_at; /* ranges; how many of them are worth a look for what can be joined */
};

/* Two accesses that are not ordered: the earlier call's, and where. */
struct sim_race {
    struct sim_access past;
    bool past_writes;
    size_t start, end;
};

/* One range of `bytes` that `made` wrote. */
int sim_ranges_start(struct sim_ranges *ranges, size_t bytes, const struct sim_access *made);
void sim_ranges_free(struct sim_ranges *ranges);

/* Notes an access to [start, end), not empty, that comes after what is in `clock`. If it is not
 * ordered with an earlier one, `*race` is the first such, else race->end is 0. Two that may need no
 * order. ENOMEM: it is not noted. */
int sim_ranges_access(struct sim_ranges *ranges, size_t start, size_t end,
                      const struct sim_access *access, bool writes, const struct sim_clock *clock,
                      struct sim_race *race);

/* Calls `found` for each range in which the host must not read, or may read but not write, because
 * of work that it does not know to be complete (work that may write does); but for what `leaves`
 * (optional) leaves out. */
void sim_ranges_pending(const struct sim_ranges *ranges,
                        bool (*leaves)(const struct sim_access *access),
                        void (*found)(void *context, size_t start, size_t end, bool written,
                                      const struct sim_access *by),
                        void *context);

/* Calls `found` for the last write of each range that has something of [start, end), and the reads
 * since. */
void sim_ranges_accesses(const struct sim_ranges *ranges, size_t start, size_t end,
                         void (*found)(void *context, const struct sim_access *access, bool writes),
                         void *context);

#endif /* SIM_RANGES_H */
