/* SPDX-License-Identifier: Apache-2.0
 *
 * Batches of copies. A batch is in the order of its stream, and its copies in no order with each
 * other: each has a queue of its own, which is gone when the call returns.
 */
#include "driver_internal.h"

struct batch {
    const driver_pointer *to, *from;
    const size_t *sizes, *firsts; /* firsts: of each kind, the first copy that is of it */
    const driver_copy_kind *kinds;
    size_t n, n_kinds;
};

static bool is_kind(const driver_copy_kind *kind) {
    return kind->order >= DRIVER_MEMCPY_SRC_ACCESS_ORDER_STREAM &&
           kind->order <= DRIVER_MEMCPY_SRC_ACCESS_ORDER_ANY &&
           kind->flags <= DRIVER_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE;
}

static bool is_sound(const struct batch *batch) {
    bool all = batch->to != NULL && batch->from != NULL && batch->sizes != NULL &&
               batch->kinds != NULL && batch->firsts != NULL && batch->n > 0 &&
               batch->n_kinds > 0 && batch->n_kinds <= batch->n && batch->firsts[0] == 0;
    for (size_t i = 0; all && i < batch->n_kinds; i++)
        all = is_kind(&batch->kinds[i]) && batch->firsts[i] < batch->n &&
              (i == 0 || batch->firsts[i] > batch->firsts[i - 1]);
    return all;
}

/* From memory of the program the copy is read in its turn, unless the kind has it read at once. */
static unsigned flags_of(const driver_copy_kind *kind, const void *from) {
    if (kind->order == DRIVER_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL) return ADI_SIM_WAIT;
    return driver_memory_of(from) == DRIVER_PAGEABLE ? ADI_SIM_LATE : 0;
}

static driver_code copy_in(adi_sim_queue queue, const struct batch *batch, size_t i, size_t kind) {
    const void *from = driver_at(batch->from[i]);
    if (batch->sizes[i] == 0) return DRIVER_SUCCESS;
    return driver_copy(queue, driver_at(batch->to[i]), from, batch->sizes[i],
                       flags_of(&batch->kinds[kind], from));
}

/* On a queue that comes behind `begin`, and before all that the stream has from now on. */
static driver_code copy_beside(adi_sim_queue stream, adi_sim_context context, adi_sim_event begin,
                               const struct batch *batch, size_t i, size_t kind) {
    adi_sim_queue queue;
    adi_sim_event end;
    int error = adi_sim_queue_create(context, ADI_SIM_OWN_QUEUE, &queue);
    if (error != 0) return driver_error(error);
    error = adi_sim_event_create(context, &end);
    if (error == 0) {
        error = adi_sim_event_wait(queue, begin);
        driver_code code = error == 0 ? copy_in(queue, batch, i, kind) : driver_error(error);
        if (code == DRIVER_SUCCESS) error = adi_sim_event_record(end, queue);
        if (code == DRIVER_SUCCESS && error == 0) error = adi_sim_event_wait(stream, end);
        adi_sim_event_destroy(end);
        adi_sim_queue_destroy(queue);
        return code == DRIVER_SUCCESS ? driver_error(error) : code;
    }
    adi_sim_queue_destroy(queue);
    return driver_error(error);
}

static driver_code copy_all(adi_sim_queue stream, const struct batch *batch, size_t *failed) {
    adi_sim_context context;
    adi_sim_event begin;
    size_t kind = 0;
    driver_code code = DRIVER_SUCCESS;
    SIM_TRY(driver_error(adi_sim_queue_info(stream, NULL, &context)));
    SIM_TRY(driver_error(adi_sim_event_create(context, &begin)));
    int error = adi_sim_event_record(begin, stream);
    for (size_t i = 0; error == 0 && code == DRIVER_SUCCESS && i < batch->n; i++) {
        if (kind + 1 < batch->n_kinds && batch->firsts[kind + 1] == i) kind++;
        code = copy_beside(stream, context, begin, batch, i, kind);
        if (code != DRIVER_SUCCESS) *failed = i;
    }
    adi_sim_event_destroy(begin);
    return error == 0 ? code : driver_error(error);
}

driver_code driver_copy_batch(bool per_thread, driver_pointer *targets, driver_pointer *sources,
                              size_t *sizes, size_t n, driver_copy_kind *kinds, size_t *firsts,
                              size_t n_kinds, size_t *failed, driver_stream stream) {
    const struct batch batch = {targets, sources, sizes, firsts, kinds, n, n_kinds};
    size_t none;
    adi_sim_queue queue;
    if (failed == NULL) failed = &none;
    *failed = SIZE_MAX;
    bool legacy = stream == DRIVER_STREAM_LEGACY || (stream == NULL && !per_thread);
    if (legacy || !is_sound(&batch)) return DRIVER_INVALID_VALUE;
    SIM_TRY(driver_queue(per_thread, stream, NULL, &queue));
    return copy_all(queue, &batch, failed);
}
