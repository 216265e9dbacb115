/* SPDX-License-Identifier: Apache-2.0 */
#include "weigh.h"

#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include "device_types.h"
#include "heap.h"
#include "whose.h"

/* How often it is done again: what the allocator itself wastes grows and shrinks. */
#define REPEATS 12

#define GIVEN_BACK_MS 20 /* how late a device may be with what it gives back */

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

static bool any(struct adi_weight more) {
    return more.heap > 0 || more.own > 0 || more.objects > 0;
}

/* How much more is held than before. On a device whose queues run by themselves some of it is given
 * back a little later. */
static struct adi_weight more_than(struct adi_adapter *adapter, const struct adi_device *device,
                                   struct adi_weight before) {
    bool late = adi_device_type_has_event(device->ops->type);
    for (int ms = 0;; ms++) {
        struct adi_weight now = adi_weigh(adapter);
        struct adi_weight more = {now.heap - before.heap, now.own - before.own,
                                  now.objects - before.objects};
        if (!any(more) || !late || ms == GIVEN_BACK_MS) return more;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static int64_t lesser(int64_t least, int64_t more) {
    return more < least || least <= 0 ? more : least;
}

struct adi_weight adi_weigh_loss(struct adi_adapter *adapter, const struct adi_device *device,
                                 struct adi_weight before, void (*again)(void *context),
                                 void *context) {
    struct adi_weight lost = more_than(adapter, device, before);
    for (int i = 0; i < REPEATS && any(lost); i++) {
        before = adi_weigh(adapter);
        again(context);
        struct adi_weight more = more_than(adapter, device, before);
        lost = (struct adi_weight){lesser(lost.heap, more.heap), lesser(lost.own, more.own),
                                   lesser(lost.objects, more.objects)};
    }
    return lost;
}

bool adi_weight_text(struct adi_weight lost, char text[ADI_WEIGHT_TEXT]) {
    int64_t bytes = lost.own > lost.heap ? lost.own : lost.heap;
    if (lost.objects > 0)
        snprintf(text, ADI_WEIGHT_TEXT,
                 "%lld references to objects of the device's runtime are still held after "
                 "everything was released, each time",
                 (long long)lost.objects);
    else if (bytes > 0)
        snprintf(text, ADI_WEIGHT_TEXT,
                 "%lld bytes are still held after everything was released, each time",
                 (long long)bytes);
    return any(lost);
}
