/* SPDX-License-Identifier: Apache-2.0
 *
 * Batches of copies. A batch is in the order of its stream, and its copies in no order with each
 * other: each has a queue of its own, which is gone when the call returns.
 */
#include "driver.h"

struct batch {
    const CUdeviceptr *to, *from;
    const size_t *sizes, *firsts; /* firsts: of each kind, the first copy that is of it */
    const CUmemcpyAttributes *kinds;
    size_t n, n_kinds;
};

static bool is_kind(const CUmemcpyAttributes *kind) {
    return kind->order >= CU_MEMCPY_SRC_ACCESS_ORDER_STREAM &&
           kind->order <= CU_MEMCPY_SRC_ACCESS_ORDER_ANY &&
           kind->flags <= CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE;
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
static unsigned flags_of(const CUmemcpyAttributes *kind, const void *from) {
    if (kind->order == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL) return ADI_SIM_WAIT;
    return cuda_memory_of(from) == CUDA_PAGEABLE ? ADI_SIM_LATE : 0;
}

static CUresult copy_in(adi_sim_queue queue, const struct batch *batch, size_t i, size_t kind) {
    const void *from = cuda_pointer(batch->from[i]);
    if (batch->sizes[i] == 0) return CUDA_SUCCESS;
    return cuda_copy(queue, cuda_pointer(batch->to[i]), from, batch->sizes[i],
                     flags_of(&batch->kinds[kind], from));
}

/* On a queue that comes behind `begin`, and before all that the stream has from now on. */
static CUresult copy_beside(adi_sim_queue stream, adi_sim_context context, adi_sim_event begin,
                            const struct batch *batch, size_t i, size_t kind) {
    adi_sim_queue queue;
    adi_sim_event end;
    int error = adi_sim_queue_create(context, ADI_SIM_OWN_QUEUE, &queue);
    if (error != 0) return cuda_error(error);
    error = adi_sim_event_create(context, &end);
    if (error == 0) {
        error = adi_sim_event_wait(queue, begin);
        CUresult code = error == 0 ? copy_in(queue, batch, i, kind) : cuda_error(error);
        if (code == CUDA_SUCCESS) error = adi_sim_event_record(end, queue);
        if (code == CUDA_SUCCESS && error == 0) error = adi_sim_event_wait(stream, end);
        adi_sim_event_destroy(end);
        adi_sim_queue_destroy(queue);
        return code == CUDA_SUCCESS ? cuda_error(error) : code;
    }
    adi_sim_queue_destroy(queue);
    return cuda_error(error);
}

static CUresult copy_all(adi_sim_queue stream, const struct batch *batch, size_t *failed) {
    adi_sim_context context;
    adi_sim_event begin;
    size_t kind = 0;
    CUresult code = CUDA_SUCCESS;
    SIM_TRY(cuda_error(adi_sim_queue_info(stream, NULL, &context)));
    SIM_TRY(cuda_error(adi_sim_event_create(context, &begin)));
    int error = adi_sim_event_record(begin, stream);
    for (size_t i = 0; error == 0 && code == CUDA_SUCCESS && i < batch->n; i++) {
        if (kind + 1 < batch->n_kinds && batch->firsts[kind + 1] == i) kind++;
        code = copy_beside(stream, context, begin, batch, i, kind);
        if (code != CUDA_SUCCESS) *failed = i;
    }
    adi_sim_event_destroy(begin);
    return error == 0 ? code : cuda_error(error);
}

CUresult cuda_cuMemcpyBatchAsync(bool per_thread, CUdeviceptr *targets, CUdeviceptr *sources,
                                 size_t *sizes, size_t n, CUmemcpyAttributes *kinds, size_t *firsts,
                                 size_t n_kinds, size_t *failed, CUstream stream) {
    const struct batch batch = {targets, sources, sizes, firsts, kinds, n, n_kinds};
    size_t none;
    adi_sim_queue queue;
    if (failed == NULL) failed = &none;
    *failed = SIZE_MAX;
    bool legacy = stream == CU_STREAM_LEGACY || (stream == NULL && !per_thread);
    if (legacy || !is_sound(&batch)) return CUDA_ERROR_INVALID_VALUE;
    SIM_TRY(cuda_queue(per_thread, stream, NULL, &queue));
    return copy_all(queue, &batch, failed);
}

CUresult cuda_cuMemcpyBatchAsync_v2(bool per_thread, CUdeviceptr *targets, CUdeviceptr *sources,
                                    size_t *sizes, size_t n, CUmemcpyAttributes *kinds,
                                    size_t *firsts, size_t n_kinds, CUstream stream) {
    return cuda_cuMemcpyBatchAsync(per_thread, targets, sources, sizes, n, kinds, firsts, n_kinds,
                                   NULL, stream);
}
