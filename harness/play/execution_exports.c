/* SPDX-License-Identifier: Apache-2.0 */
#include "execution_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "attribution.h"
#include "batches.h"
#include "device_types.h"
#include "export.h"
#include "move.h"
#include "play.h"
#include "schema.h"

void adi_export_moved(struct adi_exported_array *exported, const void *from, void *to) {
    if (exported->watch != NULL)
        adi_watch_moved(exported->watch, from, to);
    else
        adi_monitor_moved(exported->monitor, from, to);
}

void adi_execution_slot_fill(struct adi_execution_slot *slot) {
    adi_guard_reopen(slot->array);
    adi_guard_charge(slot->array, ADI_CHARGE_TOUCH_RELEASED); /* a handler's are others */
    adi_guard_charge_free(slot->array, ADI_CHARGE_TOUCH_FREED);
    slot->lives = true;
    slot->is_over = false;
}

/* The harness touches no place that it moved an implementation's structure from: only what exported
 * to there can still know of it. */
void adi_execution_slot_empty(struct adi_execution_slot *slot) {
    bool theirs = slot->exported != NULL && slot->exported->watch != NULL;
    slot->lives = false;
    adi_guard_leave(slot->array, theirs);
    adi_guard_retire(slot->array);
}

struct adi_exported_array *adi_export_add(struct adi_execution *p) {
    struct adi_exported_array *exported = p->spare;
    if (exported == NULL && (exported = malloc(sizeof *exported)) == NULL) {
        adi_error_set(&p->error, ENOMEM, "out of memory");
        return NULL;
    }
    if (exported == p->spare) p->spare = exported->next;
    memset(exported, 0, sizeof *exported);
    exported->monitor = &exported->guarded.monitor;
    exported->next = p->exports;
    p->exports = exported;
    return exported;
}

/* Which values the next export has. Where an implementation takes part no two that may be live at
 * once have the same: what lies in one's block by mistake is not what belongs there. */
static size_t next_values(struct adi_execution *p) {
    return p->binding.context == NULL ? 0 : p->n_exports++ % ADI_EXECUTION_VALUES;
}

static int make_values(struct adi_execution *p, size_t which, const struct ArrowArray **out) {
    struct ArrowArray *values = &p->values[which];
    struct ArrowSchema schema;
    *out = values;
    if (values->release != NULL) return 0;
    ADI_TRY(adi_sample(p->type, p->shape, p->seed + which, &schema, values, &p->error));
    adi_schema_release(&schema);
    return 0;
}

void adi_export_settle(struct adi_execution_slot *slot, struct adi_exported_array *exported,
                       const struct adi_kind *kind, const struct ArrowSchema *schema,
                       const struct ArrowArray *values) {
    slot->kind = kind;
    slot->exported = exported;
    slot->schema = schema;
    slot->wanted = values;
    slot->callback = adi_kind_release(kind, slot->array);
    slot->is_end = slot->is_over = slot->moved = slot->part = slot->parted = slot->held = false;
}

/* ---- what is pending ---- */

/* An implementation waits in ways of its own: what sees its calls resumes them. */
static int pause_queues(struct adi_execution *p) {
    const struct adi_device_ops *ops = p->device->ops;
    const struct adi_interceptor *interceptor = adi_interceptor_current();
    if (p->paused || !adi_device_type_has_event(ops->type)) return 0;
    if (p->binding.context != NULL && interceptor != NULL) {
        adi_interceptor_pause(p->binding.produce != NULL || p->binding.produce_stream != NULL);
        p->paused = true;
    } else if (p->binding.context == NULL && ADI_DEVICE_HAS(ops, pause)) {
        ADI_TRY(ops->pause(p->device, &p->error));
        p->paused = true;
    }
    return 0;
}

int adi_exports_resume(struct adi_execution *p) {
    if (!p->paused) return 0;
    p->paused = false;
    for (struct adi_exported_array *exported = p->exports; exported != NULL;
         exported = exported->next)
        exported->paused = false;
    if (p->binding.context == NULL) return p->device->ops->resume(p->device, &p->error);
    adi_interceptor_resume();
    return 0;
}

int adi_exports_pause(struct adi_execution *p, bool pending) {
    return (pending ? pause_queues : adi_exports_resume)(p);
}

int adi_export_await(struct adi_execution *p, void *event) {
    const struct adi_device_ops *ops = p->device->ops;
    const struct adi_binding *binding = &p->binding;
    bool theirs = binding->relay != NULL || binding->consume != NULL ||
                  binding->relay_stream != NULL || binding->consume_stream != NULL;
    return (theirs ? ops->wait_host : ops->wait)(p->device, event, &p->error);
}

/* ---- the harness's own ---- */

int adi_export_put(struct adi_execution *p, struct adi_exported_array *exported, bool pending,
                   struct adi_guarded_pair *pair, const struct ArrowArray **values) {
    struct ArrowArray host;
    if (pending && p->binding.context != NULL && !adi_device_type_has_event(p->device->ops->type))
        return adi_error_set(&p->error, ENOTSUP,
                             "%s has no events: nobody could wait for what is "
                             "pending",
                             p->device->ops->name);
    ADI_TRY(adi_exports_pause(p, pending));
    exported->paused = p->paused;
    ADI_TRY(make_values(p, next_values(p), values));
    ADI_TRY(adi_export(*values, (struct adi_owner){0}, &host, &p->error));
    adi_guarded_open(&exported->guarded, p->device, &p->sink);
    exported->guarded.monitor.refuses = p->binding.context == NULL;
    exported->first = adi_guard_mark();
    int code = adi_guarded_put(&exported->guarded, &p->schema, &host, ADI_GUARDED_NO_SCHEMA, pair,
                               &p->error);
    exported->last = adi_guard_mark();
    void *event = exported->guarded.real.sync_event;
    if (code == 0 && !pending && event != NULL)
        code = p->device->ops->wait_host(p->device, event, &p->error);
    if (code != 0) return code;
    if (pending) adi_monitor_pending(&exported->guarded.monitor, 0);
    if (pending && pair->array->sync_event == NULL)
        adi_guard_withhold(exported->first, exported->last, true);
    return 0;
}

void adi_export_arrive(struct adi_execution *p, struct adi_execution_slot *slot,
                       struct adi_exported_array *exported, bool pending,
                       const struct ArrowArray *values) {
    if (!pending) slot->array->sync_event = NULL;
    if (pending && slot->array->sync_event == NULL)
        slot->array->sync_event = adi_guard_alloc(ADI_REGION_STRUCTURE, 1, 1, "the event");
    adi_export_settle(slot, exported, &adi_kind_array, &p->schema, values);
}

int adi_export_guard(struct adi_execution *p, struct adi_execution_slot *slot, bool pending) {
    struct adi_exported_array *exported = adi_export_add(p);
    const struct ArrowArray *values;
    struct adi_guarded_pair pair;
    if (exported == NULL) return ENOMEM;
    ADI_TRY(adi_export_put(p, exported, pending, &pair, &values));
    adi_execution_slot_fill(slot);
    adi_device_array_move(pair.array, slot->array);
    adi_export_moved(exported, &pair.array->array, &slot->array->array);
    adi_export_arrive(p, slot, exported, pending, values);
    return 0;
}

/* ---- an implementation's ---- */

int adi_export_watch(struct adi_execution *p, struct adi_execution_slot *slot,
                     struct adi_exported_array *exported, const struct adi_kind *kind,
                     const struct ArrowSchema *schema, const struct ArrowArray *values, int code) {
    if (code == 0) exported->watch = adi_watch_open(kind, slot->array, &p->sink, true, false);
    if (code == 0 && exported->watch == NULL) code = ENOMEM;
    if (code == 0)
        adi_export_settle(slot, exported, kind, schema, values);
    else
        adi_execution_slot_empty(slot);
    return code;
}

bool adi_export_complete(struct adi_execution *p, const struct adi_execution_slot *slot) {
    const struct ArrowDeviceArray *array = slot->array;
    if (!slot->exported->deferred) return true;
    if (adi_queue_is_pending(p->device, slot->schema, array)) {
        /* Whether who writes was waited for follows from no mistake of what is done to handles. */
        const struct adi_mistake before = p->mistake;
        p->mistake = adi_mistake(NULL, false);
        adi_queue_report_pending(&p->sink, false, array);
        p->mistake = before;
        return false;
    }
    slot->exported->deferred = false;
    adi_exports_resume(p); /* what else is pending is judged where it is waited for first */
    return true;
}

int adi_export_values(struct adi_execution *p, const struct ArrowArray **values,
                      struct ArrowArray *host) {
    struct ArrowSchema schema;
    size_t which = next_values(p);
    ADI_TRY(make_values(p, which, values));
    /* A sample of its own: the implementation may keep it for as long as it likes. */
    ADI_TRY(adi_sample(p->type, p->shape, p->seed + which, &schema, host, &p->error));
    adi_schema_release(&schema);
    return 0;
}

/* ---- a source ---- */

const char adi_source_failure_text[] = "the source has failed: \xc3\xa9";

int adi_export_host_stream(struct adi_execution *p, const struct ArrowArray **values, size_t n,
                           bool fails, struct ArrowArrayStream *out) {
    struct adi_batches batches = {0};
    struct ArrowArray host;
    int code = adi_schema_export(&p->schema, &batches.schema, &p->error);
    for (size_t i = 0; i < n && code == 0; i++) {
        code = adi_export_values(p, &values[i], &host);
        if (code != 0) break;
        code = adi_batches_add(&batches, &host, 1, &p->error);
        if (code != 0) adi_array_release(&host);
    }
    if (fails) adi_last_error_set(&batches.error, ADI_SOURCE_FAILURE, adi_source_failure_text);
    if (code == 0) code = adi_batches_stream(&batches, out, &p->error);
    adi_batches_release(&batches);
    return code;
}

int adi_export_defer(struct adi_execution *p, struct adi_execution_slot *slot, bool pending) {
    const bool has_event = slot->array->sync_event != NULL;
    slot->exported->deferred = pending || !has_event;
    if (!has_event) adi_export_complete(p, slot);
    return pending || !has_event ? 0 : adi_export_await(p, slot->array->sync_event);
}

int adi_export_produce(struct adi_execution *p, struct adi_execution_slot *slot, bool pending) {
    struct adi_exported_array *exported = adi_export_add(p);
    const struct ArrowArray *values;
    struct ArrowArray host;
    if (exported == NULL) return ENOMEM;
    ADI_TRY(adi_export_values(p, &values, &host));
    ADI_TRY(adi_exports_pause(p, pending));
    adi_execution_slot_fill(slot);
    memset(slot->array, ADI_POISON_BYTE, sizeof *slot->array);
    p->defers = pending;
    int code = p->binding.produce(p->binding.context, &host, values, slot->array);
    ADI_TRY(adi_export_watch(p, slot, exported, &adi_kind_array, &p->schema, values, code));
    return adi_export_defer(p, slot, pending);
}

/* The implementation takes over what is in the slot. */
void adi_export_hand_over(struct adi_execution_slot *slot) {
    if (slot->exported->watch != NULL)
        adi_watch_hand_over(slot->exported->watch, &slot->array->array);
    else
        adi_monitor_hand_over(slot->exported->monitor, slot->array);
}

int adi_export_relay(struct adi_execution *p, struct adi_execution_slot *from,
                     struct adi_execution_slot *to) {
    struct adi_exported_array *exported = adi_export_add(p);
    if (exported == NULL) return ENOMEM;
    adi_export_hand_over(from);
    adi_execution_slot_fill(to);
    memset(to->array, ADI_POISON_BYTE, sizeof *to->array);
    int code =
        p->binding.relay(p->binding.context, from->schema, from->array, from->wanted, to->array);
    bool taken = from->array->array.release == NULL;
    if (taken) adi_execution_slot_empty(from);
    ADI_TRY(adi_export_watch(p, to, exported, &adi_kind_array, from->schema, from->wanted, code));
    return adi_export_await(p, to->array->sync_event);
}

size_t adi_exports_live(const struct adi_execution *p) {
    size_t live = 0;
    for (struct adi_exported_array *exported = p->exports; exported != NULL;
         exported = exported->next)
        if (exported->watch == NULL) live += adi_monitor_live(exported->monitor);
    return live;
}

static void forget(struct adi_exported_array *exported) {
    while (exported->held != NULL) {
        struct adi_held *held = exported->held;
        exported->held = held->next;
        adi_array_release(&held->array);
        free(held);
    }
}

/* What hands out ends before what it still has. */
static void close_own(const struct adi_execution *p) {
    for (struct adi_exported_array *exported = p->exports; exported != NULL;
         exported = exported->next)
        if (exported->close != NULL) exported->close(exported->own);
}

void adi_exports_close(struct adi_execution *p) {
    close_own(p);
    while (p->exports != NULL) {
        struct adi_exported_array *exported = p->exports;
        p->exports = exported->next;
        if (exported->watch != NULL)
            adi_watch_close(exported->watch);
        else if (exported->guarded.arrays != NULL)
            adi_guarded_close(&exported->guarded);
        forget(exported);
        free(exported->own);
        exported->next = p->spare;
        p->spare = exported;
    }
}

void adi_exports_free(struct adi_execution *p) {
    while (p->spare != NULL) {
        struct adi_exported_array *exported = p->spare;
        p->spare = exported->next;
        free(exported);
    }
}
