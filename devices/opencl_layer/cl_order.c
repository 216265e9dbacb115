/* SPDX-License-Identifier: Apache-2.0 */
#include "cl_order.h"

#include <string.h>

static struct {
    uint64_t number;             /* of the pause that the rest is about */
    unsigned n;                  /* commands so far */
    bool truncated;              /* something cannot be told */
    uint64_t ended[ORDER_WORDS]; /* commands that have run */
} order;

/* What is known of it from an earlier pause does not count. */
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
        order.truncated = order.truncated || wait == NULL || wait->by_host;
    }
}

static void begin(uint64_t number) {
    if (order.number == number) return;
    order.number = number;
    order.n = 0;
    order.truncated = false;
    memset(order.ended, 0, sizeof order.ended);
}

static bool is_in(const uint64_t some[ORDER_WORDS], const uint64_t all[ORDER_WORDS]) {
    for (int i = 0; i < ORDER_WORDS; i++)
        if ((some[i] & ~all[i]) != 0) return false;
    return true;
}

int order_barrier(struct object *queue, uint64_t number) {
    begin(number);
    if (order.truncated || order.n == 64 * ORDER_WORDS) return -1;
    renew(queue, number);
    queue->behind[order.n / 64] |= UINT64_C(1) << order.n % 64;
    queue->queued[order.n / 64] |= UINT64_C(1) << order.n % 64;
    return (int)order.n++;
}

bool order_needs(const struct object *object, int at) {
    return at < 0 || (object->behind[at / 64] >> at % 64 & 1) != 0;
}

bool order_knows(const struct object *event, uint64_t number) {
    return !order.truncated && order.number == number && event->dated == number;
}

void order_ended(const struct object *event) {
    add_all(order.ended, event->behind);
}

bool order_is_over(int at, uint64_t number) {
    return at >= 0 && !order.truncated && order.number == number &&
           (order.ended[at / 64] >> at % 64 & 1) != 0;
}

bool order_has_ended(const struct object *object, uint64_t number) {
    return order_knows(object, number) && is_in(object->behind, order.ended);
}

int order_stopped(const struct command *command, struct object *queue, struct object *event,
                  uint64_t number) {
    uint64_t set[ORDER_WORDS];
    begin(number);
    order.truncated = order.truncated || queue == NULL || order.n == 64 * ORDER_WORDS;
    if (order.truncated) return -1;
    renew(queue, number);
    find_before(command, queue, number, set);
    const unsigned command_at = order.n++, at = command_at / 64;
    const uint64_t bit = UINT64_C(1) << command_at % 64;
    set[at] |= bit;
    add_all(queue->queued, set);
    if (queue->in_order || command->orders) add_all(queue->behind, set);
    for (int i = 0; i < MOST_ARGUMENTS; i++) {
        struct object *buffer = objects_find(command->writes[i]);
        if (buffer == NULL) continue;
        renew(buffer, number);
        buffer->behind[at] |= bit;
    }
    if (event == NULL) return (int)command_at;
    renew(event, number);
    add_all(event->behind, set);
    return (int)command_at;
}

bool order_covers(const struct object *event, const struct object *buffer, uint64_t number) {
    if (order.truncated || order.number != number || event->dated != number ||
        buffer->dated != number)
        return true;
    return is_in(buffer->behind, event->behind);
}
