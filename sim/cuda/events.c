/* SPDX-License-Identifier: Apache-2.0
 *
 * Events are the engine's, which keeps their flags.
 */
#include "driver.h"

#define IS_EVENT        (1 << 8)
#define EVENT_FLAGS     (CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS)
#define RECORD_EXTERNAL 1
#define NS_A_MS         1e6F

/* Its flags and its context; an event of another interface is none. */
static CUresult look(CUevent event, adi_sim_context *context, uint64_t *label) {
    CUresult code = cuda_error(adi_sim_event_label((adi_sim_event)event, context, label));
    return code == CUDA_SUCCESS && !(*label & IS_EVENT) ? CUDA_ERROR_INVALID_HANDLE : code;
}

/* One that another process shall use is without times. */
CUresult cuda_cuEventCreate(CUevent *event, unsigned flags) {
    struct cuda_scope scope;
    adi_sim_event made;
    if (event == NULL || flags > EVENT_FLAGS) return CUDA_ERROR_INVALID_VALUE;
    if (flags & CU_EVENT_INTERPROCESS && !(flags & CU_EVENT_DISABLE_TIMING))
        return CUDA_ERROR_INVALID_VALUE;
    SIM_TRY(cuda_current(&scope));
    int error = adi_sim_event_create(scope.context, &made);
    if (error != 0) return cuda_error(error);
    adi_sim_event_set_label(made, IS_EVENT | flags);
    *event = (CUevent)made;
    return CUDA_SUCCESS;
}

CUresult cuda_cuEventDestroy_v2(CUevent event) {
    uint64_t label;
    bool of_others = adi_sim_is_live(event, &label) && !(label & IS_EVENT);
    if (of_others) return CUDA_ERROR_INVALID_HANDLE;
    return cuda_error(adi_sim_event_destroy((adi_sim_event)event));
}

/* Event and stream are of one context. Of two devices is what the engine refuses, and reports. */
CUresult cuda_cuEventRecord(bool per_thread, CUevent event, CUstream stream) {
    struct cuda_scope of_event;
    adi_sim_queue queue;
    adi_sim_context event_context, queue_context;
    uint64_t label;
    int device;
    SIM_TRY(cuda_queue(per_thread, stream, NULL, &queue));
    SIM_TRY(look(event, &event_context, &label));
    SIM_TRY(cuda_error(adi_sim_queue_info(queue, &device, &queue_context)));
    SIM_TRY(cuda_find_context(cuda_context_name(event_context), &of_event));
    if (event_context != queue_context && of_event.device == cuda_device(device))
        return CUDA_ERROR_INVALID_HANDLE;
    int error = adi_sim_event_record((adi_sim_event)event, queue);
    return error == EXDEV ? CUDA_ERROR_INVALID_HANDLE : cuda_error(error);
}

CUresult cuda_cuEventRecordWithFlags(bool per_thread, CUevent event, CUstream stream,
                                     unsigned flags) {
    if (flags > RECORD_EXTERNAL) return CUDA_ERROR_INVALID_VALUE;
    return cuda_cuEventRecord(per_thread, event, stream);
}

CUresult cuda_cuStreamWaitEvent(bool per_thread, CUstream stream, CUevent event, unsigned flags) {
    adi_sim_queue queue;
    uint64_t label;
    if (flags > RECORD_EXTERNAL) return CUDA_ERROR_INVALID_VALUE;
    SIM_TRY(cuda_queue(per_thread, stream, NULL, &queue));
    SIM_TRY(look(event, NULL, &label));
    return cuda_error(adi_sim_event_wait(queue, (adi_sim_event)event));
}

CUresult cuda_cuEventSynchronize(CUevent event) {
    uint64_t label;
    CUresult code = look(event, NULL, &label);
    return code == CUDA_SUCCESS ? cuda_error(adi_sim_event_sync((adi_sim_event)event)) : code;
}

CUresult cuda_cuEventQuery(CUevent event) {
    uint64_t label;
    CUresult code = look(event, NULL, &label);
    return code == CUDA_SUCCESS ? cuda_error(adi_sim_event_query((adi_sim_event)event)) : code;
}

/* Virtual time. */
CUresult cuda_cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end) {
    uint64_t first, second;
    int64_t ns;
    if (milliseconds == NULL) return CUDA_ERROR_INVALID_VALUE;
    SIM_TRY(look(start, NULL, &first));
    SIM_TRY(look(end, NULL, &second));
    if ((first | second) & CU_EVENT_DISABLE_TIMING) return CUDA_ERROR_INVALID_HANDLE;
    int error = adi_sim_event_elapsed((adi_sim_event)start, (adi_sim_event)end, &ns);
    if (error == EINVAL) return CUDA_ERROR_INVALID_HANDLE; /* never recorded */
    if (error == 0) *milliseconds = (float)ns / NS_A_MS;
    return cuda_error(error);
}

CUresult cuda_cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
    return cuda_cuEventElapsedTime_v2(milliseconds, start, end);
}
