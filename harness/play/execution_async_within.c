/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "execution_async.h"
#include "move.h"
#include "play.h"

#define ENOUGH 1000 /* batches */

static void on_tell(void *stream_at, const char *rule) {
    const struct adi_binding *binding = &((struct adi_exported_async *)stream_at)->p->binding;
    binding->tell_crash(binding->context, rule);
}

/* What is held of it is looked at before its release returns. */
static bool has_come(const struct adi_async_handler *handler) {
    return handler->is_releasing || handler->is_over;
}

/* The values that it was made of; NULL: it is another batch. */
static const struct ArrowArray *wanted(const struct adi_exported_async *stream,
                                       const struct adi_async_taken *taken) {
    if (taken->number < 1 || taken->number > (int64_t)stream->n) return NULL;
    const struct ArrowArray *values = stream->values[taken->number - 1];
    return adi_task_is_as_made(stream->p, values, &taken->array) ? values : NULL;
}

/* Looks at what was extracted, unless the release that came on this thread is over. */
static int look_at_all(struct adi_exported_async *stream) {
    struct adi_execution *p = stream->p;
    struct adi_async_handler *handler = stream->handler;
    const bool held = !handler->is_over;
    int code = 0;
    for (size_t i = 0; i < handler->n_taken; i++) {
        struct ArrowDeviceArray *array = &handler->taken[i].array;
        const struct ArrowArray *values = wanted(stream, &handler->taken[i]);
        p->is_cut_anew = p->is_cut_anew || values == NULL;
        if (code == 0 && held && values != NULL)
            code = p->binding.look_at_chunk(p->binding.context, array, values);
        if (code == 0) adi_call_release_array(&array->array);
    }
    handler->n_taken = 0;
    return code;
}

static int play(struct adi_exported_async *stream) {
    const struct adi_execution *p = stream->p;
    ADI_TRY(adi_async_produce(stream));
    bool came = adi_async_await(stream, has_come);
    if (came) adi_async_judge_alone(stream);
    int code = came ? look_at_all(stream) : 0;
    adi_async_handler_let(stream->handler);
    if (came && adi_async_await(stream, adi_async_is_over)) return code;
    return p->n_findings == 0 ? adi_async_give_up_waiting(stream) : code;
}

static int try(struct adi_execution *p, bool gives_up, bool *right) {
    const struct adi_async_conduct conduct = {.asks = true,
                                              .at_schema = ENOUGH,
                                              .cancels_at = ADI_NEVER,
                                              .cancels = 1,
                                              .gives_up = gives_up,
                                              .holds = true,
                                              .is_quick = true};
    struct adi_exported_async *stream = adi_async_add(p, ADI_DO_async_begin);
    if (stream == NULL) return ENOMEM;
    struct adi_async_handler *handler = stream->handler;
    handler->tell = on_tell;
    handler->context = stream;
    ADI_TRY(adi_exports_pause(p, false));
    if (adi_async_handler_open(handler, &conduct, p->binding.layout, &stream->sink, p->seed) ==
        NULL)
        return adi_error_set(&p->error, ENOMEM, "the guarded memory is full");
    int code = play(stream);
    *right = *right && code == 0 && p->n_findings == 0 && handler->errors == 0 &&
             handler->tasks == (int64_t)stream->n && !handler->extract_failed;
    return code;
}

int adi_execution_try_within(struct adi_execution *p) {
    const size_t n_exports = p->n_exports;
    bool right = true;
    if (p->async_within != ADI_ASYNC_UNTRIED) return 0;
    p->async_within = ADI_ASYNC_IS_NOT;
    p->is_cut_anew = false;
    int code = try(p, false, &right);
    if (code == 0 && p->n_findings == 0) code = try(p, true, &right);
    if (right && code == 0) p->async_within = ADI_ASYNC_IS_RIGHT;
    p->n_exports = n_exports;
    return code;
}
