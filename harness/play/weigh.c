/* SPDX-License-Identifier: Apache-2.0 */
#include "weigh.h"

#include <stdio.h>

#include "attribution.h"
#include "device_types.h"
#include "grace_period.h"
#include "heap.h"
#include "helper.h"
#include "watch.h"

/* How often it is done again: what the allocator itself wastes grows and shrinks. */
#define REPEATS 12

/* How late a device may be with what it gives back, or a thread of the implementation that frees
 * what was released; and how late they are mostly. */
#define GIVEN_BACK_MS 20
#define RECLAIMED_MS  100
#define MOSTLY_MS     5
#define AT_A_GLANCE   6 /* how often it is done at most before others are waited for */
#define FLAT          2 /* repeats in a row that hold no more than before: it was taken once */
#define WITH_GRACE    3 /* repeats that are waited for in full; what is lost in them is lost */

/* Of one that has lost something so often in this process, with all the grace there is, less is
 * enough. What is found so is confirmed in a process of its own, where it is the first, unless a
 * sample of its like was. */
#define KNOWN_LOSSES 4
#define KNOWN_TIMES  3
#define KNOWN_MS     2

#define WASTE 96 /* bytes, now more and now less, of which the C library makes nothing */

struct adi_weight adi_weigh(struct adi_adapter *adapter) {
    adi_watches_sweep();      /* what watches hold is the harness's, */
    adi_interceptor_settle(); /* and what has been freed is nobody's */
    int64_t own = adapter->bytes_allocated == NULL ? -1 : adapter->bytes_allocated(adapter);
    const struct adi_interceptor *interceptor = adi_interceptor_current();
    return (struct adi_weight){.heap = adi_attribution_keeps_books() ? 0 : adi_heap_bytes(),
                               .own = own < 0 ? 0 : own,
                               .objects =
                                   interceptor == NULL ? 0 : (int64_t)interceptor->references()};
}

/* Is that enough for something to be lost each time? */
static bool is_each(struct adi_weight more, int times) {
    return more.heap >= times * adi_heap_step() || more.own >= times || more.objects >= times;
}

/* How much later some of it may come back: from a thread, or a device whose queues run by
 * themselves. */
static int grace_ms(const struct adi_device *device) {
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
    struct adi_grace_period grace = adi_grace_period(most_ms);
    for (;;) {
        struct adi_weight now = adi_weigh(adapter);
        struct adi_weight more = {.heap = now.heap - before.heap,
                                  .own = now.own - before.own,
                                  .objects = now.objects - before.objects};
        bool is_clear = !is_each(more, times) || (most_ms < RECLAIMED_MS && is_waste(more));
        if (is_clear || !adi_grace_period_sleep(&grace)) {
            more.is_starved = !is_clear && grace.is_starved;
            return more;
        }
    }
}

static bool is_no_more(struct adi_weight now, struct adi_weight than) {
    return now.heap <= than.heap && now.own <= than.own && now.objects <= than.objects;
}

static const struct adi_weight none = {0}, unknown = {.is_starved = true};

static int64_t lesser(int64_t least, int64_t more) {
    return more < least || least <= 0 ? more : least;
}

/* Waiting is dear, and mostly not needed: what caches hold, or is late once, does not grow. */
static bool is_clear_soon(struct adi_adapter *adapter, struct adi_weight before,
                          void (*again)(void *context), void *context) {
    struct adi_weight last = {0};
    int flat = 0;
    for (int times = 1;; times++) {
        struct adi_weight more = more_than(adapter, before, times, 0);
        flat = times > 1 && is_no_more(more, last) ? flat + 1 : 0;
        if (flat == 0) more = more_than(adapter, before, times, MOSTLY_MS);
        if (!is_each(more, times) || flat == FLAT) return true;
        if (times == AT_A_GLANCE) return false;
        last = more;
        again(context);
    }
}

static struct adi_weight lesser_of(struct adi_weight a, struct adi_weight b) {
    return (struct adi_weight){.heap = lesser(a.heap, b.heap),
                               .own = lesser(a.own, b.own),
                               .objects = lesser(a.objects, b.objects)};
}

/* Each time something is lost, and when all of them are over it has not come back: waiting is
 * needed once. */
static struct adi_weight known_loss(struct adi_adapter *adapter, struct adi_weight before,
                                    int most_ms, void (*again)(void *context), void *context) {
    struct adi_weight leaked = more_than(adapter, before, 1, 0);
    for (int times = 1; times < KNOWN_TIMES && is_each(leaked, 1); times++) {
        struct adi_weight now = adi_weigh(adapter);
        again(context);
        leaked = lesser_of(leaked, more_than(adapter, now, 1, 0));
    }
    if (!is_each(leaked, 1)) return none;
    struct adi_weight held = more_than(adapter, before, KNOWN_TIMES, most_ms);
    if (held.is_starved) return unknown;
    if (!is_each(held, KNOWN_TIMES)) return none;
    return lesser_of(leaked, (struct adi_weight){.heap = held.heap / KNOWN_TIMES,
                                                 .own = held.own / KNOWN_TIMES,
                                                 .objects = held.objects / KNOWN_TIMES});
}

struct adi_weight adi_weigh_loss(struct adi_adapter *adapter, const struct adi_device *device,
                                 struct adi_weight before, int *losses,
                                 void (*again)(void *context), void *context) {
    int grace = grace_ms(device);
    struct adi_weight leaked = more_than(adapter, before, 1, 0);
    if (!is_each(leaked, 1)) return none;
    if (*losses >= KNOWN_LOSSES)
        return known_loss(adapter, before, grace > 0 ? KNOWN_MS : 0, again, context);
    if (grace > 0) {
        if (is_clear_soon(adapter, before, again, context)) return none;
        leaked = more_than(adapter, before, 1, grace);
    }
    bool had_time = false;
    for (int i = 0; i < REPEATS && is_each(leaked, 1); i++) {
        before = adi_weigh(adapter);
        again(context);
        /* A thread that had ended before may be there this time. */
        if (grace == 0) grace = grace_ms(device);
        struct adi_weight more = more_than(adapter, before, 1, i < WITH_GRACE ? grace : 0);
        had_time = had_time || (i < WITH_GRACE && !more.is_starved);
        leaked = lesser_of(leaked, more);
    }
    if (!is_each(leaked, 1)) return none;
    if (!had_time) return unknown;
    ++*losses;
    return leaked;
}

/* One is named, so that one cause has one sentence, however many there are. */
static void say_objects(long long objects, char text[ADI_WEIGHT_TEXT]) {
    const struct adi_interceptor *interceptor = adi_interceptor_current();
    char newest[ADI_INTERCEPTOR_HELD], others[48] = "";
    const char *plural = objects == 1 ? "" : "s";
    bool named = interceptor != NULL && ADI_INTERCEPTOR_HAS(interceptor, newest_held) &&
                 interceptor->newest_held(newest);
    if (objects > 1)
        snprintf(others, sizeof others, " (beside %lld other%s)", objects - 1,
                 objects == 2 ? "" : "s");
    if (named)
        snprintf(text, ADI_WEIGHT_TEXT,
                 "a reference to the %s is left behind in the device's runtime each time%s", newest,
                 others);
    else
        snprintf(text, ADI_WEIGHT_TEXT,
                 "%lld reference%s to objects of the device's runtime %s left behind each time",
                 objects, plural, objects == 1 ? "is" : "are");
}

/* A C library counts what a block takes with all that belongs to it; the others what was asked
 * for. */
bool adi_weight_text(struct adi_weight leaked, char text[ADI_WEIGHT_TEXT]) {
    bool is_own = leaked.own >= leaked.heap;
    bool is_exact = is_own || adi_heap_step() == 1;
    int64_t bytes = is_own ? leaked.own : leaked.heap;
    if (leaked.objects > 0)
        say_objects(leaked.objects, text);
    else if (bytes > 0)
        snprintf(text, ADI_WEIGHT_TEXT, "%s%lld bytes%s are left behind each time",
                 is_exact ? "" : "about ", (long long)bytes,
                 is_exact ? "" : " (as the C library counts blocks)");
    return leaked.heap > 0 || leaked.own > 0 || leaked.objects > 0;
}
