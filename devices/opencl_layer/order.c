/* SPDX-License-Identifier: Apache-2.0 */
#include "order.h"

#include <string.h>

static struct {
    uint64_t number; /* of the hold that the rest is about */
    unsigned n;      /* commands so far */
    bool lost;       /* something cannot be told */
} order;

/* What is known of it from an earlier hold does not count. */
static void renew(struct object *object, uint64_t number) {
    if (object->dated == number) return;
    memset(object->behind, 0, sizeof object->behind);
    memset(object->queued, 0, sizeof object->queued);
    object->dated = number;
}

static void add_all(uint64_t to[ORDER_WORDS], const uint64_t from[ORDER_WORDS]) {
    for (int i = 0; i < ORDER_WORDS; i++) to[i] |= from[i];
}

/* What has run when the command has: what its queue lets it wait for, and its list. */
static void find_before(const struct command *command, const struct object *queue, uint64_t number,
                        uint64_t before[ORDER_WORDS]) {
    bool lists = command->waits != NULL && command->n_waits > 0;
    memcpy(before, queue->behind, sizeof queue->behind);
    if (command->marks && !lists) add_all(before, queue->queued);
    for (cl_uint i = 0; lists && i < command->n_waits; i++) {
        const struct object *wait = objects_find(command->waits[i]);
        if (wait != NULL && wait->dated == number) add_all(before, wait->behind);
        /* Nobody knows what the host waits for before it completes that. */
        order.lost = order.lost || wait == NULL || wait->by_host;
    }
}

void order_stopped(const struct command *command, struct object *queue, struct object *event,
                   uint64_t number) {
    uint64_t set[ORDER_WORDS];
    if (order.number != number) {
        order.number = number;
        order.n = 0;
        order.lost = false;
    }
    order.lost = order.lost || queue == NULL || order.n == 64 * ORDER_WORDS;
    if (order.lost) return;
    renew(queue, number);
    find_before(command, queue, number, set);
    uint64_t *word = &set[order.n / 64], bit = UINT64_C(1) << order.n % 64;
    size_t at = order.n++ / 64;
    *word |= bit;
    add_all(queue->queued, set);
    if (queue->in_order || command->orders) add_all(queue->behind, set);
    for (int i = 0; i < MOST_ARGUMENTS; i++) {
        struct object *buffer = objects_find(command->writes[i]);
        if (buffer == NULL) continue;
        renew(buffer, number);
        buffer->behind[at] |= bit;
    }
    if (event == NULL) return;
    renew(event, number);
    add_all(event->behind, set);
}

bool order_covers(const struct object *event, const struct object *buffer, uint64_t number) {
    if (order.lost || order.number != number || event->dated != number || buffer->dated != number)
        return true;
    for (int i = 0; i < ORDER_WORDS; i++)
        if ((buffer->behind[i] & ~event->behind[i]) != 0) return false;
    return true;
}
