/* SPDX-License-Identifier: Apache-2.0
 *
 * Events, whose value grows. A wait of the party that has made one is over when a signal reaches
 * its value. Which value belongs to an event that comes with somebody else's array no document
 * says: another party's wait counts whatever its value is, as one for the last signal that there
 * is, or for the first.
 */
#include <errno.h>

#include "metal_classes.h"

id metal_new_event(id self, SEL selector);
id metal_new_shared_event(id self, SEL selector);

static id make(struct metal_object *device, enum metal_kind kind) {
    struct metal_object *made = metal_make(kind, device);
    if (made == NULL) return NULL;
    if (adi_sim_event_create(device->as_device.context, &made->as_event.spare) == 0) return made;
    metal_drop(made, metal_party());
    return NULL;
}

id metal_new_event(id self, SEL selector) {
    (void)selector;
    if (!metal_begin("[MTLDevice newEvent]")) return NULL;
    id made = make(self, METAL_EVENT);
    metal_end();
    return made;
}

id metal_new_shared_event(id self, SEL selector) {
    (void)selector;
    if (!metal_begin("[MTLDevice newSharedEvent]")) return NULL;
    id made = make(self, METAL_SHARED_EVENT);
    metal_end();
    return made;
}

void metal_end_event(struct metal_object *object) {
    struct metal_event *event = &object->as_event;
    unsigned before = metal_act_as(object->maker);
    for (unsigned i = 0; i < event->n_signals; i++) adi_sim_event_destroy(event->signals[i].passed);
    if (event->spare != NULL) adi_sim_event_destroy(event->spare);
    metal_act_as(before);
}

adi_sim_event metal_engine_event(const struct metal_object *object) {
    const struct metal_event *event = &object->as_event;
    return event->n_signals > 0 ? event->signals[event->n_signals - 1].passed : event->spare;
}

/* ---- in a queue ---- */

/* An event that is not shared is for the queues of its device. */
static bool may_use(struct metal_object *object, const struct metal_object *queue) {
    char name[48];
    if (!metal_check(object, METAL_EVENT)) return false;
    if (object->kind == METAL_SHARED_EVENT || object->device == queue->device) return true;
    metal_violate("foreign-device", object, "%s of another device is used by a queue",
                  metal_text_of(object, name));
    return false;
}

static void drop_oldest(struct metal_event *event) {
    adi_sim_event_destroy(event->signals[0].passed);
    event->n_signals--;
    for (unsigned i = 0; i < event->n_signals; i++) event->signals[i] = event->signals[i + 1];
}

/* As who made it, whose the engine's events are. */
static int record(struct metal_object *object, uint64_t value, struct metal_object *queue) {
    struct metal_event *event = &object->as_event;
    adi_sim_event passed = event->spare;
    int code = 0;
    if (passed == NULL) code = adi_sim_event_create(object->device->as_device.context, &passed);
    if (code != 0) return code;
    event->spare = NULL;
    if (event->n_signals == METAL_SIGNALS) drop_oldest(event);
    event->signals[event->n_signals].value = value;
    event->signals[event->n_signals++].passed = passed;
    return adi_sim_event_record(passed, queue->as_queue.engine);
}

int metal_signal(struct metal_object *object, uint64_t value, struct metal_object *queue) {
    char name[48];
    if (!may_use(object, queue)) return EINVAL;
    if (metal_party() != object->maker && metal_party() == 0) {
        metal_violate("not-owned", object, "%s is signaled by another than who made it",
                      metal_text_of(object, name));
        return EPERM;
    }
    unsigned before = metal_act_as(object->maker);
    int code = record(object, value, queue);
    metal_act_as(before);
    metal_changed();
    return code;
}

int metal_await(struct metal_object *object, uint64_t value, struct metal_object *queue) {
    const struct metal_event *event = &object->as_event;
    unsigned i = 0;
    if (!may_use(object, queue)) return EINVAL;
    bool own = metal_party() == object->maker;
    if (own && value <= event->by_host) return 0;
    if (!own && event->n_coming > 0) return EAGAIN;
    if (!own && event->n_signals == 0 && event->by_host > 0) return 0;
    if (!own && event->n_signals > 0) i = event->n_signals - 1;
    while (own && i < event->n_signals && event->signals[i].value < value) i++;
    if (own && value == 0) return 0;
    if (i == event->n_signals) return EAGAIN;
    return adi_sim_event_wait(queue->as_queue.engine, event->signals[i].passed);
}

const struct metal_method metal_event_methods[] = {METHODS_END};
