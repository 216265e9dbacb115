/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "queue.h"

static struct sim_allocation *closed_ones;

static size_t page_size(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

static void protect(const struct sim_allocation *allocation, size_t start, size_t end, int how) {
    size_t page = page_size(), from = start / page * page;
    if (allocation->own != NULL)
        sim_own_protect(allocation, start, end, how);
    else
        mprotect(sim_view(allocation) + from, (end + page - 1) / page * page - from, how);
}

/* ---- opening ---- */

/* From the first page to the last, so that none is open for a moment that stays closed: another
 * thread may be touching it. */
struct survey {
    struct sim_allocation *allocation;
    size_t done; /* the pages before are as they shall be */
    bool any, is_last_written;
};

static void open_to(struct survey *survey, size_t end) {
    if (end <= survey->done) return;
    protect(survey->allocation, survey->done, end, PROT_READ | PROT_WRITE);
    survey->done = end;
}

/* The ranges come in their order. A page that holds both kinds is closed. */
static void close_pending(void *context, size_t start, size_t end, bool written,
                          const struct sim_access *by) {
    struct survey *survey = context;
    size_t page = page_size(), from = start / page * page, to = (end + page - 1) / page * page;
    survey->any = true;
    survey->allocation->blocker = by->component;
    survey->allocation->blocker_seq = by->seq;
    open_to(survey, from);
    if (from < survey->done && written && !survey->is_last_written) {
        protect(survey->allocation, from, survey->done, PROT_NONE);
        survey->is_last_written = true;
    }
    if (to <= survey->done) return;
    protect(survey->allocation, survey->done, to, written ? PROT_NONE : PROT_READ);
    survey->done = to;
    survey->is_last_written = written;
}

/* Is there still something that keeps pages of it closed? */
static bool survey(struct sim_allocation *allocation) {
    struct survey survey = {.allocation = allocation};
    sim_ranges_pending(&allocation->ranges, NULL, close_pending, &survey);
    open_to(&survey, allocation->bytes);
    return survey.any;
}

void sim_shared_close(struct sim_allocation *allocation, size_t start, size_t end, bool written,
                      const struct sim_access *by) {
    bool already = allocation->closed;
    if (!already) {
        allocation->closed = true;
        allocation->next_closed = closed_ones;
        closed_ones = allocation;
    }
    allocation->blocker = by->component;
    allocation->blocker_seq = by->seq;
    /* What a page is closed for already must not be forgotten over a read. */
    if (already && !written)
        survey(allocation);
    else
        protect(allocation, start, end, written ? PROT_NONE : PROT_READ);
}

void sim_shared_refresh(void) {
    struct sim_allocation **link = &closed_ones;
    while (*link != NULL) {
        struct sim_allocation *allocation = *link;
        bool same = allocation->blocker_seq > sim_clock_learned(allocation->blocker);
        if (same || survey(allocation)) {
            link = &allocation->next_closed;
        } else {
            allocation->closed = false;
            *link = allocation->next_closed;
        }
    }
}

void sim_shared_again(struct sim_allocation *allocation) {
    if (allocation->closed && allocation->own != NULL) survey(allocation);
}

void sim_shared_forget(struct sim_allocation *allocation) {
    struct sim_allocation **link = &closed_ones;
    if (!allocation->closed) return;
    while (*link != allocation) link = &(*link)->next_closed;
    *link = allocation->next_closed;
    allocation->closed = false;
}

/* ---- judging ---- */

struct question {
    size_t offset;
    bool write, forbidden;
    struct sim_access *by;
};

static void ask(void *context, size_t start, size_t end, bool written,
                const struct sim_access *by) {
    struct question *question = context;
    if (question->forbidden || question->offset < start || question->offset >= end) return;
    if (!written && !question->write) return;
    question->forbidden = true;
    *question->by = *by;
}

bool sim_shared_allows(const struct sim_allocation *allocation, size_t offset, bool write,
                       bool (*leaves)(const struct sim_access *), struct sim_access *by) {
    struct question question = {offset, write, false, by};
    sim_ranges_pending(&allocation->ranges, leaves, ask, &question);
    return !question.forbidden;
}

bool sim_shared_red_zone_broken(const struct sim_allocation *allocation) {
    size_t page = page_size(), end = (allocation->bytes + page - 1) / page * page;
    for (size_t i = allocation->bytes; i < end; i++)
        if ((unsigned char)*sim_alias(allocation, i) != SIM_POISON) return true;
    return false;
}
