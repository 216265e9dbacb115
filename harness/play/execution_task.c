/* SPDX-License-Identifier: Apache-2.0
 *
 * What is done to the tasks that asynchronous streams bring.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "device_types.h"
#include "execution_async.h"
#include "move.h"
#include "play.h"

static struct adi_exported_task *task_of(const struct adi_execution_slot *slot) {
    return slot->exported->own;
}

/* ---- extract_data ---- */

struct extraction {
    struct adi_exported_async *stream;
    struct ArrowAsyncTask *task;
    struct ArrowDeviceArray *out; /* NULL: it is given up */
    int code;
};

static void extract(void *extraction_at) {
    struct extraction *e = extraction_at;
    e->code = adi_async_handler_extract(e->stream->handler, e->task, e->out);
}

/* It is given up. */
static int give_up(struct adi_execution *p, struct adi_execution_slot *slot) {
    if (!adi_async_may_call(slot, ADI_DO_release)) return 0;
    struct adi_exported_async *stream = task_of(slot)->of;
    struct ArrowAsyncTask copy;
    memcpy(&copy, slot->array, sizeof copy);
    struct extraction extraction = {stream, &copy, NULL, 0};
    adi_async_call(stream, "extract_data", p->elsewhere, extract, &extraction);
    adi_async_settle_end(slot);
    if (extraction.code == 0 || slot->exported->theirs) return 0;
    return adi_error_set(&p->error, extraction.code, "the harness's extract_data answered %d",
                         extraction.code);
}

static struct adi_execution_slot *find_held(const struct adi_exported_async *stream) {
    for (int i = 0; i < ADI_PROGRAM_SLOTS; i++) {
        struct adi_execution_slot *slot = &stream->p->slots[i];
        if (slot->lives && slot->kind == &adi_kinds[ADI_KIND_task] && task_of(slot)->of == stream)
            return slot;
    }
    return NULL;
}

bool adi_tasks_held(const struct adi_exported_async *stream) {
    return find_held(stream) != NULL;
}

void adi_tasks_give_up(const struct adi_exported_async *stream) {
    struct adi_execution_slot *slot;
    while ((slot = find_held(stream)) != NULL && stream->p->n_findings == 0)
        give_up(stream->p, slot);
}

/* ---- it comes ---- */

static void close_task(void *task_at) {
    adi_monitor_free(&((struct adi_exported_task *)task_at)->monitor);
}

int adi_task_arrive(struct adi_execution *p, struct adi_execution_slot *to,
                    struct adi_exported_async *stream, const struct ArrowAsyncTask *task) {
    const struct adi_kind *kind = &adi_kinds[ADI_KIND_task];
    struct adi_exported_array *exported = adi_export_add(p);
    struct adi_exported_task *own = calloc(1, sizeof *own);
    size_t first;
    if (exported == NULL || own == NULL) {
        free(own);
        return adi_error_set(&p->error, ENOMEM, "out of memory");
    }
    own->of = stream;
    own->which = stream->next++;
    adi_monitor_init(&own->monitor, &p->sink, false, true);
    exported->own = own;
    exported->monitor = &own->monitor;
    exported->close = close_task;
    exported->end = give_up;
    exported->from = stream->self;
    exported->theirs = stream->producer == NULL;
    adi_execution_slot_fill(to);
    memcpy(to->array, task, sizeof *task);
    adi_export_settle(to, exported, kind, &p->schema, NULL);
    return adi_monitor_add(&own->monitor, kind, to->array, &first);
}

/* ---- extracting ---- */

/* It was right within the call (execution_async_within.c), and nothing was done to the stream since
 * that its tasks may end with: ambiguity 46. */
static const char *cause_of_failure(const struct adi_exported_async *stream) {
    const bool may_fail = stream->cancelled || stream->refused || adi_async_has_failed(stream);
    return stream->p->async_within == ADI_ASYNC_IS_RIGHT && !may_fail
               ? "async/task-depends-on-address"
               : NULL;
}

static int judge_failure(const struct adi_exported_async *stream, int code) {
    struct adi_execution *p = stream->p;
    if (cause_of_failure(stream) == NULL)
        return adi_async_refuse(p, code, "extract_data answers an error");
    adi_report(&p->sink, "async/task-depends-on-address", ADI_PRODUCER, strerror(code), "0",
               "a copy of a task could not be extracted");
    return 0;
}

bool adi_task_is_as_made(const struct adi_execution *p, const struct ArrowArray *values,
                         const struct ArrowDeviceArray *array) {
    const struct adi_device_type *type = adi_device_type_find(p->device->ops->type);
    bool here = type == NULL || type->ids != ADI_IDS_EXACT || array->device_id == p->device->id;
    return here && array->device_type == p->device->ops->type &&
           array->array.length == values->length;
}

static int arrive_theirs(struct adi_execution *p, struct adi_execution_slot *to,
                         const struct adi_exported_task *task) {
    const struct adi_exported_async *stream = task->of;
    /* Which batch it is one cannot know, if one before it was not looked at. */
    if (p->is_cut_anew || !adi_task_is_as_made(p, stream->values[task->which], to->array)) {
        adi_call_release_array(&to->array->array);
        adi_execution_slot_empty(to);
        return adi_async_refuse(p, ENOTSUP,
                                "the stream has other batches than it was made of, or some "
                                "elsewhere, as it may: programs are about those that are as they "
                                "were");
    }
    struct adi_exported_array *exported = adi_export_add(p);
    if (exported == NULL) return ENOMEM;
    exported->from = stream->self;
    p->defers = stream->pending;
    const struct ArrowArray *wanted = stream->values[task->which];
    int code = p->binding.look_at_chunk(p->binding.context, to->array, wanted);
    ADI_TRY(adi_export_watch(p, to, exported, &adi_kind_array, &p->schema, wanted, code));
    ADI_TRY(adi_export_defer(p, to, stream->pending));
    /* Values that are wrong from the first follow from nothing that comes later. */
    return stream->pending || p->n_findings > 0 ? 0 : adi_execution_compare(p, to);
}

static int arrive_own(struct adi_execution *p, struct adi_execution_slot *to,
                      const struct adi_exported_task *task) {
    struct adi_exported_async *stream = task->of;
    struct adi_exported_array *part = stream->parts[task->which];
    adi_export_moved(part, &stream->pairs[task->which].array->array, &to->array->array);
    adi_export_arrive(p, to, part, stream->pending, stream->values[task->which]);
    return 0;
}

static int do_extract(struct adi_execution *p, const struct adi_step *step) {
    struct adi_execution_slot *slot = &p->slots[step->slot], *to = &p->slots[step->to];
    if (!slot->lives && !slot->is_over && !adi_guard_touch(slot->array)) return 0;
    if (!adi_execution_may(slot, step->operation, slot->array) ||
        !adi_execution_may_receive(to, ADI_DO_receive) ||
        !adi_async_may_call(slot, step->operation))
        return 0;
    const struct adi_exported_task *task = task_of(slot);
    const bool theirs = slot->exported->theirs;
    const size_t before = p->n_findings;
    struct ArrowAsyncTask copy;
    memcpy(&copy, slot->array, sizeof copy);
    adi_execution_slot_fill(to);
    struct extraction extraction = {task->of, &copy, to->array, 0};
    if (theirs) ADI_TRY(adi_exports_pause(p, task->of->pending));
    if (theirs)
        adi_call_code("extract_data", extract, &extraction);
    else
        extract(&extraction);
    adi_async_settle_end(slot);
    if (extraction.code == 0 && p->n_findings == before)
        return (theirs ? arrive_theirs : arrive_own)(p, to, task);
    adi_execution_slot_empty(to);
    if (extraction.code == 0 || p->n_findings > before) return 0;
    if (theirs) return judge_failure(task->of, extraction.code);
    return adi_error_set(&p->error, extraction.code, "the harness's extract_data answered %d",
                         extraction.code);
}

/* ---- what a failure would be ---- */

static const char *cause(const struct adi_execution *p, const struct adi_execution_slot *slot,
                         enum adi_life_operation operation) {
    (void)p;
    bool ends = operation == ADI_DO_task_extract || operation == ADI_DO_release;
    return ends ? cause_of_failure(task_of(slot)->of) : NULL;
}

const struct adi_acts adi_acts_task = {&adi_kinds[ADI_KIND_task],
                                       cause,
                                       {
                                           {ADI_DO_task_extract, do_extract},
                                           {.act = NULL},
                                       }};
