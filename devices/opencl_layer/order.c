/* SPDX-License-Identifier: Apache-2.0 */
#include "order.h"

#include <string.h>

static struct {
    uint64_t number; /* of the hold that the rest is about */
    int lanes;       /* queues that have one: their index in every clock */
    bool lost;       /* something cannot be told */
} order;

/* What is known of it from an earlier hold does not count. */
static void renew(struct object *object, uint64_t number) {
    if (object->dated == number) return;
    memset(object->clock, 0, sizeof object->clock);
    object->dated = number;
    object->lane = -1;
}

static void take_latest(struct object *to, const uint32_t clock[ORDER_QUEUES]) {
    for (int i = 0; i < ORDER_QUEUES; i++)
        if (clock[i] > to->clock[i]) to->clock[i] = clock[i];
}

void order_stopped(const struct command *command, struct object *queue, struct object *event,
                   uint64_t number) {
    if (order.number != number) {
        order.number = number;
        order.lanes = 0;
        order.lost = false;
    }
    if (queue == NULL || !queue->in_order) {
        order.lost = true;
        return;
    }
    renew(queue, number);
    if (queue->lane < 0 && order.lanes < ORDER_QUEUES) queue->lane = order.lanes++;
    if (queue->lane < 0) {
        order.lost = true;
        return;
    }
    for (cl_uint i = 0; command->waits != NULL && i < command->n_waits; i++) {
        const struct object *wait = objects_find(command->waits[i]);
        if (wait != NULL && wait->dated == number) take_latest(queue, wait->clock);
    }
    queue->clock[queue->lane]++;
    for (int i = 0; i < MOST_ARGUMENTS; i++) {
        struct object *buffer = objects_find(command->writes[i]);
        if (buffer == NULL) continue;
        renew(buffer, number);
        buffer->clock[queue->lane] = queue->clock[queue->lane];
    }
    if (event == NULL) return;
    renew(event, number);
    take_latest(event, queue->clock);
}

bool order_covers(const struct object *event, const struct object *buffer, uint64_t number) {
    if (order.lost || order.number != number || event->dated != number || buffer->dated != number)
        return true;
    for (int i = 0; i < ORDER_QUEUES; i++)
        if (buffer->clock[i] > event->clock[i]) return false;
    return true;
}
