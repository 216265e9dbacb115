/* SPDX-License-Identifier: Apache-2.0 */
#include "weigh.h"

#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include "device_types.h"
#include "heap.h"
#include "helper.h"
#include "whose.h"

/* How often it is done again: what the allocator itself wastes grows and shrinks. */
#define REPEATS 12

/* How late a device may be with what it gives back, or a thread of the implementation that frees
 * what was released; and how late they are mostly. */
#define GIVEN_BACK_MS 20
#define RECLAIMED_MS  100
#define MOSTLY_MS     5
#define AT_A_GLANCE   6 /* how often it is done at most before that patience is needed */
#define IN_PATIENCE   3 /* repeats that are waited for in full; what is lost in them is lost */

/* Of one that has lost something so often in this process, with all the patience there is, less is
 * enough. What is found so is confirmed in a process of its own, where it is the first, unless a
 * sample of its like was. */
#define KNOWN_LOSSES 8
#define KNOWN_TIMES  3
#define KNOWN_MS     5

#define WASTE 96 /* bytes, now more and now less, of which the C library makes nothing */

struct adi_weight adi_weigh(struct adi_adapter *adapter) {
    int64_t own = adapter->bytes_allocated == NULL ? -1 : adapter->bytes_allocated(adapter);
    const struct adi_witness *witness = adi_whose_witness();
    bool books = witness != NULL &&
                 witness->size >= offsetof(struct adi_witness, keeps_books) + sizeof(void *) &&
                 witness->keeps_books != NULL && witness->keeps_books();
    return (struct adi_weight){.heap = books ? 0 : adi_heap_bytes(),
                               .own = own < 0 ? 0 : own,
                               .objects = witness == NULL ? 0 : (int64_t)witness->held()};
}

/* Is that enough for something to be lost each time? */
static bool is_each(struct adi_weight more, int times) {
    return more.heap >= times * adi_heap_step() || more.own >= times || more.objects >= times;
}

/* How much later some of it may come back: from a thread, or a device whose queues run by
 * themselves. */
static int patience_with(const struct adi_device *device) {
    if (adi_other_threads() > 0) return RECLAIMED_MS;
    return adi_device_type_has_event(device->ops->type) ? GIVEN_BACK_MS : 0;
}

/* Waste does not come back by waiting. */
static bool is_waste(struct adi_weight more) {
    return more.heap <= WASTE && more.own <= 0 && more.objects <= 0;
}

/* How much more is held than before, when something was done so many times; looks again for
 * `most_ms` if that may be a loss. */
static struct adi_weight more_than(struct adi_adapter *adapter, struct adi_weight before, int times,
                                   int most_ms) {
    for (int ms = 0;; ms++) {
        struct adi_weight now = adi_weigh(adapter);
        struct adi_weight more = {now.heap - before.heap, now.own - before.own,
                                  now.objects - before.objects};
        if (ms >= most_ms || !is_each(more, times) || (most_ms < RECLAIMED_MS && is_waste(more)))
            return more;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static int64_t lesser(int64_t least, int64_t more) {
    return more < least || least <= 0 ? more : least;
}

/* Patience is dear, and mostly not needed: what caches hold, or is late once, does not grow. */
static bool is_clear_soon(struct adi_adapter *adapter, struct adi_weight before, int most,
                          void (*again)(void *context), void *context) {
    for (int times = 1;; times++) {
        struct adi_weight more = more_than(adapter, before, times, MOSTLY_MS);
        if (!is_each(more, times)) return true;
        if (times == most) return false;
        again(context);
    }
}

/* So much each time, after all of them. */
static struct adi_weight known_loss(struct adi_adapter *adapter, struct adi_weight before) {
    struct adi_weight more = more_than(adapter, before, KNOWN_TIMES, KNOWN_MS);
    if (!is_each(more, KNOWN_TIMES)) return (struct adi_weight){0};
    return (struct adi_weight){more.heap / KNOWN_TIMES, more.own / KNOWN_TIMES,
                               more.objects / KNOWN_TIMES};
}

struct adi_weight adi_weigh_loss(struct adi_adapter *adapter, const struct adi_device *device,
                                 struct adi_weight before, void (*again)(void *context),
                                 void *context) {
    static int losses;
    int patience = patience_with(device);
    bool known = losses >= KNOWN_LOSSES;
    struct adi_weight lost = more_than(adapter, before, 1, 0);
    if (!is_each(lost, 1)) return (struct adi_weight){0};
    if (patience > 0) {
        if (is_clear_soon(adapter, before, known ? KNOWN_TIMES : AT_A_GLANCE, again, context))
            return (struct adi_weight){0};
        if (known) return known_loss(adapter, before);
        lost = more_than(adapter, before, 1, patience);
    }
    for (int i = 0; i < REPEATS && is_each(lost, 1); i++) {
        before = adi_weigh(adapter);
        again(context);
        struct adi_weight more = more_than(adapter, before, 1, i < IN_PATIENCE ? patience : 0);
        lost = (struct adi_weight){lesser(lost.heap, more.heap), lesser(lost.own, more.own),
                                   lesser(lost.objects, more.objects)};
    }
    if (!is_each(lost, 1)) return (struct adi_weight){0};
    losses++;
    return lost;
}

/* A C library counts what a block takes with all that belongs to it; the others what was asked
 * for. */
bool adi_weight_text(struct adi_weight lost, char text[ADI_WEIGHT_TEXT]) {
    bool is_own = lost.own >= lost.heap;
    bool is_exact = is_own || adi_heap_step() == 1;
    int64_t bytes = is_own ? lost.own : lost.heap;
    if (lost.objects > 0)
        snprintf(text, ADI_WEIGHT_TEXT,
                 "%lld references to objects of the device's runtime are left behind each time",
                 (long long)lost.objects);
    else if (bytes > 0)
        snprintf(text, ADI_WEIGHT_TEXT, "%s%lld bytes%s are left behind each time",
                 is_exact ? "" : "about ", (long long)bytes,
                 is_exact ? "" : " (as the C library counts blocks)");
    return lost.heap > 0 || lost.own > 0 || lost.objects > 0;
}
