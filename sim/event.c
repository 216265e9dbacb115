/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>

#include "public.h"

struct sim_event {
    uint64_t ordinal;
    void *handle;
    struct sim_context *context;
    struct sim_record *record; /* NULL: never recorded */
};

int sim_event_look(adi_sim_event handle, const struct sim_record **record) {
    const struct sim_event *event = sim_registry_look(SIM_EVENT, handle);
    if (event == NULL) return EBADF;
    *record = event->record;
    return 0;
}

uint64_t sim_event_ordinal(const void *handle) {
    const struct sim_event *event = sim_registry_look(SIM_EVENT, handle);
    return event == NULL ? 0 : event->ordinal;
}

static void end(void *object) {
    struct sim_event *event = object;
    if (event->record != NULL) sim_record_release(event->record);
    sim_heap_free(event);
}

void sim_events_end(const struct sim_context *context) {
    sim_registry_end(SIM_EVENT, context, end);
}

int sim_event_create(adi_sim_context handle, adi_sim_event *out) {
    void *context;
    struct sim_event *event = sim_heap_zeroed(sizeof *event);
    if (event == NULL) return ENOMEM;
    int code = sim_registry_find(SIM_CONTEXT, handle, &context);
    if (code == 0)
        code = sim_registry_add(SIM_EVENT, event, context, &event->handle, &event->ordinal);
    if (code != 0) {
        sim_heap_free(event);
        return code;
    }
    event->context = context;
    *out = event->handle;
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"makes\":\"event %" PRIu64 "\"", sim.site.call,
            sim.site.name, event->ordinal);
    return 0;
}

int sim_event_destroy(adi_sim_event handle) {
    void *object;
    SIM_TRY(sim_registry_take(SIM_EVENT, handle, &object));
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"ends\":\"event %" PRIu64 "\"", sim.site.call,
            sim.site.name, ((struct sim_event *)object)->ordinal);
    end(object);
    return 0;
}

static void run_record(struct sim_queue *queue, struct sim_op *op) {
    op->record->time = queue->time;
    op->record->done = true;
}

static void drop_record(struct sim_op *op) {
    sim_record_release(op->record);
}

static const struct sim_command record_command = {"record", run_record, drop_record};

int sim_event_record(adi_sim_event handle, adi_sim_queue queue_handle) {
    struct sim_event *event;
    struct sim_queue *queue;
    SIM_TRY(sim_registry_find(SIM_EVENT, handle, &event));
    SIM_TRY(sim_registry_find(SIM_QUEUE, queue_handle, &queue));
    if (sim_is_foreign(sim_registry_party(handle))) {
        sim.about = (struct sim_about){true, true, false, 1};
        sim_violate(SIM_NOT_OWNED, "event %" PRIu64 " is recorded by another than who made it",
                    event->ordinal);
        return EPERM;
    }
    if (event->context->device != queue->context->device) {
        sim_violate(SIM_FOREIGN_DEVICE,
                    "event %" PRIu64 " of %s:%d is recorded on queue %" PRIu64 " of %s:%d",
                    event->ordinal, event->context->device->family, event->context->device->index,
                    queue->ordinal, queue->context->device->family, queue->context->device->index);
        return EXDEV;
    }
    SIM_TRY(sim_queue_prepare(queue));
    struct sim_record *made = sim_record_new(queue, queue->seq + 1);
    if (made == NULL) return ENOMEM;
    if (event->record != NULL) sim_record_release(event->record);
    event->record = made;
    made->held++;
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"event\":%" PRIu64 ",\"records\":\"queue %" PRIu64
            "\",\"seq\":%" PRIu64,
            sim.site.call, sim.site.name, event->ordinal, queue->ordinal, made->seq);
    sim_queue_push(queue, (struct sim_op){.command = &record_command, .record = made});
    return 0;
}

/* What was never recorded is complete. */
static bool was_recorded(const struct sim_event *event) {
    if (event->record == NULL)
        sim_violate(SIM_EVENT_NOT_RECORDED, "event %" PRIu64 " is waited on", event->ordinal);
    return event->record != NULL;
}

int sim_event_wait(adi_sim_queue queue_handle, adi_sim_event handle) {
    struct sim_event *event;
    struct sim_queue *queue;
    int code = sim_registry_find(SIM_QUEUE, queue_handle, &queue);
    if (code == 0) code = sim_registry_find(SIM_EVENT, handle, &event);
    if (code != 0 || !was_recorded(event)) return code;
    struct sim_record *record = event->record;
    code = sim_queue_prepare(queue);
    if (code == 0)
        code = sim_clock_join(&queue->clock, (struct sim_tick){queue->component, queue->seq + 1},
                              &record->clock, (struct sim_tick){record->component, record->seq});
    if (code != 0) return code;
    record->held++;
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"queue\":%" PRIu64 ",\"awaits\":\"event %" PRIu64
            "\"",
            sim.site.call, sim.site.name, queue->ordinal, event->ordinal);
    sim_queue_push(
        queue, (struct sim_op){
                   .command = &sim_wait_command,
                   .wait = {.component = record->component, .seq = record->seq, .record = record}});
    return 0;
}

int sim_event_sync(adi_sim_event handle) {
    struct sim_event *event;
    int code = sim_registry_find(SIM_EVENT, handle, &event);
    return code == 0 && was_recorded(event) ? sim_run_record(event->record) : code;
}

/* The caller holds it: other threads may record the event anew, or destroy it. */
static int query(const struct sim_record *record) {
    return sim_run_query(record->component, record->seq, &record->clock);
}

int sim_event_query(adi_sim_event handle) {
    struct sim_event *event;
    int code = sim_registry_find(SIM_EVENT, handle, &event);
    if (code != 0 || !was_recorded(event)) return code;
    struct sim_record *record = event->record;
    record->held++;
    code = query(record);
    sim_record_release(record);
    return code;
}

/* Whether what nobody has waited for has run by now is chance. So the first time that it is asked
 * for it has not, and who asks on comes to an end. */
static bool is_asked_too_early(struct sim_record *record) {
    const struct sim_queue *queue = sim_clock_queue(record->component);
    bool known = sim_clock_learned(record->component) >= record->seq;
    bool lost = queue != NULL && queue->context->device->lost;
    bool early = !known && !lost && !record->asked;
    record->asked = true;
    return early;
}

static int elapsed(struct sim_record *first, struct sim_record *second, int64_t *ns) {
    bool early = is_asked_too_early(first);
    if (is_asked_too_early(second) || early) return EAGAIN;
    first->held++;
    second->held++;
    int code = query(first);
    if (code == 0) code = query(second);
    if (code == 0) *ns = (int64_t)(second->time - first->time);
    sim_record_release(first);
    sim_record_release(second);
    return code;
}

int sim_event_elapsed(adi_sim_event from, adi_sim_event to, int64_t *ns) {
    struct sim_event *first = NULL, *second = NULL;
    int code = sim_registry_find(SIM_EVENT, from, &first);
    if (code == 0) code = sim_registry_find(SIM_EVENT, to, &second);
    if (code == 0 && (first->record == NULL || second->record == NULL)) code = EINVAL;
    return code == 0 ? elapsed(first->record, second->record, ns) : code;
}

int sim_event_set_label(adi_sim_event handle, uint64_t label) {
    return sim_registry_set_label(SIM_EVENT, handle, label);
}

int sim_event_label(adi_sim_event handle, adi_sim_context *context, uint64_t *label) {
    return sim_registry_label(SIM_EVENT, handle, context, label);
}
