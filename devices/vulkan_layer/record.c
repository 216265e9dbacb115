/* SPDX-License-Identifier: Apache-2.0
 *
 * Static memory: what the layer allocated would be weighed as the implementation's.
 */
#include "record.h"

#include <string.h>

#define RECORDS 2048 /* command buffers */
#define RUNS    4096 /* of all of them */
#define STEPS   24   /* in a run */

struct record_run {
    struct record_run *next;
    size_t n;
    struct recorded steps[STEPS];
};

static struct record {
    VkCommandBuffer commands; /* NULL: nobody's */
    struct record_run *first, *last;
    struct record_bound bound;
    bool is_truncated;
} records[RECORDS];

static struct record_run runs[RUNS], *spare;
static size_t touched; /* of the runs */

/* Its record, or the one where it would be; NULL: the table is full. */
static struct record *record_of(VkCommandBuffer commands) {
    size_t start = (size_t)(((uintptr_t)commands >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 32);
    for (size_t i = 0; i < RECORDS; i++) {
        struct record *record = &records[(start + i) % RECORDS];
        if (record->commands == NULL || record->commands == commands) return record;
    }
    return NULL;
}

static struct record_run *take_run(void) {
    struct record_run *run = spare;
    if (run != NULL)
        spare = run->next;
    else if (touched < RUNS)
        run = &runs[touched++];
    if (run == NULL) return NULL;
    run->next = NULL;
    run->n = 0;
    return run;
}

/* Its record; NULL: nothing is known of it. */
static struct record *known(VkCommandBuffer commands) {
    struct record *record = record_of(commands);
    return record == NULL || record->commands != commands ? NULL : record;
}

/* Whoever never gives a command buffer back fills the tables. Those that are recorded and not yet
 * submitted are few, and lost. */
static void forget_all(void) {
    memset(records, 0, sizeof records);
    spare = NULL;
    touched = 0;
}

void record_begin(VkCommandBuffer commands) {
    struct record *record = record_of(commands);
    if (record == NULL || (spare == NULL && touched == RUNS)) {
        forget_all();
        record = record_of(commands);
    }
    if (record->last != NULL) {
        record->last->next = spare;
        spare = record->first;
    }
    *record = (struct record){.commands = commands};
}

void record_add(VkCommandBuffer commands, const struct recorded *step) {
    struct record *record = known(commands);
    if (record == NULL || record->is_truncated) return;
    if (record->last == NULL || record->last->n == STEPS) {
        struct record_run *run = take_run();
        record->is_truncated = run == NULL;
        if (run == NULL) return;
        *(record->last == NULL ? &record->first : &record->last->next) = run;
        record->last = run;
    }
    record->last->steps[record->last->n++] = *step;
}

const struct record_run *record_next(VkCommandBuffer commands, const struct record_run *from) {
    if (from != NULL) return from->next;
    const struct record *record = known(commands);
    return record == NULL ? NULL : record->first;
}

const struct recorded *record_steps(const struct record_run *run, size_t *n) {
    *n = run->n;
    return run->steps;
}

void record_pipeline(VkCommandBuffer commands, uint64_t pipeline) {
    struct record *record = known(commands);
    if (record != NULL) record->bound.pipeline = pipeline;
}

void record_set(VkCommandBuffer commands, uint32_t index, uint64_t set) {
    struct record *record = known(commands);
    if (record != NULL && index < MOST_SETS) record->bound.sets[index] = set;
}

const struct record_bound *record_bound(VkCommandBuffer commands) {
    const struct record *record = known(commands);
    return record == NULL ? NULL : &record->bound;
}

void record_truncate(VkCommandBuffer commands) {
    struct record *record = known(commands);
    if (record != NULL) record->is_truncated = true;
}

bool record_is_truncated(VkCommandBuffer commands) {
    const struct record *record = known(commands);
    return record == NULL || record->is_truncated;
}
