/* SPDX-License-Identifier: Apache-2.0
 *
 * What a shared event answers beside this: the CPU reads its value, sets it, and waits for one.
 */
#include "metal_classes.h"

static uint64_t signaled_value(id self, SEL selector) {
    const struct metal_event *event = &self->as_event;
    (void)selector;
    if (!metal_begin("[MTLSharedEvent signaledValue]")) return 0;
    uint64_t value = event->by_host;
    for (unsigned i = 0; i < event->n_signals; i++)
        if (event->signals[i].value > value && adi_sim_event_query(event->signals[i].passed) == 0)
            value = event->signals[i].value;
    metal_end();
    return value;
}

static void set_signaled_value(id self, SEL selector, uint64_t value) {
    char name[48];
    (void)selector;
    if (!metal_begin("[MTLSharedEvent setSignaledValue:]")) return;
    if (metal_party() == 0 && self->maker != 0)
        metal_violate("not-owned", self, "%s is set by another than who made it",
                      metal_text_of(self, name));
    else
        self->as_event.by_host = value;
    metal_flush();
    metal_changed();
    metal_end();
}

/* What is behind the value: NULL: nothing yet. */
static adi_sim_event signal_of(const struct metal_event *event, uint64_t value) {
    for (unsigned i = 0; i < event->n_signals; i++)
        if (event->signals[i].value >= value) return event->signals[i].passed;
    return NULL;
}

static bool wait_until(id self, SEL selector, uint64_t value, uint64_t ms) {
    (void)selector;
    if (!metal_begin("[MTLSharedEvent waitUntilSignaledValue:timeoutMS:]")) return false;
    const struct metal_event *event = &self->as_event;
    metal_use(self);
    if (event->by_host < value && signal_of(event, value) == NULL && ms > 0)
        metal_wait_for_change(ms);
    bool reached = event->by_host >= value;
    adi_sim_event behind = reached ? NULL : signal_of(event, value);
    metal_unlock();
    if (behind != NULL) reached = adi_sim_event_sync(behind) == 0;
    metal_lock();
    metal_unuse(self);
    metal_end();
    return reached;
}

const struct metal_method metal_shared_event_methods[] = {
    METHOD("signaledValue", signaled_value, "Q@:"),
    METHOD("setSignaledValue:", set_signaled_value, "v@:Q"),
    METHOD("waitUntilSignaledValue:timeoutMS:", wait_until, "C@:QQ"),
    METHODS_END,
};
