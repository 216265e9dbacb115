/* SPDX-License-Identifier: Apache-2.0 */
#include <semaphore.h>

#include "sim/cuda_misuse_internal.h"

/* ---- streams ---- */

CUresult stream_with_odd_flags(void) {
    cuda_misuse_begin();
    return cu.cuStreamCreate(&on.stream, 0x100);
}

CUresult stream_to_nowhere(void) {
    cuda_misuse_begin();
    return cu.cuStreamCreate(NULL, 0);
}

CUresult destroy_the_default_stream(void) {
    cuda_misuse_begin();
    return cu.cuStreamDestroy_v2(NULL);
}

CUresult destroy_a_stream_without_context(void) {
    cuda_misuse_begin_and_pop();
    return cu.cuStreamDestroy_v2(on.stream);
}

CUresult wait_for_a_stream_without_context(void) {
    cuda_misuse_begin_and_pop();
    return cu.cuStreamSynchronize(on.stream);
}

CUresult query_a_stream_without_context(void) {
    cuda_misuse_begin_and_pop();
    return cu.cuStreamQuery(on.stream);
}

CUresult wait_for_the_default_stream_without_context(void) {
    cuda_misuse_begin_and_pop();
    return cu.cuStreamSynchronize(NULL);
}

CUresult destroy_a_stream_twice(void) {
    cuda_misuse_begin();
    MUST(cu.cuStreamDestroy_v2(on.stream));
    return cu.cuStreamDestroy_v2(on.stream);
}

CUresult wait_for_a_destroyed_stream(void) {
    cuda_misuse_begin();
    MUST(cu.cuStreamDestroy_v2(on.stream));
    return cu.cuStreamSynchronize(on.stream);
}

CUresult wait_for_garbage(void) {
    cuda_misuse_begin();
    return cu.cuStreamSynchronize((CUstream)(void *)on.host);
}

CUresult an_event_as_stream(void) {
    cuda_misuse_begin();
    return cu.cuStreamSynchronize((CUstream)(void *)on.event);
}

/* A host function that lasts until it is let go. */
static sem_t gate;

static void last(void *unused) {
    (void)unused;
    sem_wait(&gate);
}

static void be_busy(void) {
    cuda_misuse_begin();
    sem_init(&gate, 0, 0);
    MUST(cu.cuEventRecord(on.event, on.stream));
    MUST(cu.cuLaunchHostFunc(on.stream, last, NULL));
}

static CUresult let_go(CUresult code) {
    sem_post(&gate);
    MUST(cu.cuStreamSynchronize(on.stream));
    return code;
}

CUresult query_a_busy_stream(void) {
    be_busy();
    return let_go(cu.cuStreamQuery(on.stream));
}

CUresult wait_for_no_event(void) {
    cuda_misuse_begin();
    return cu.cuStreamWaitEvent(on.stream, NULL, 0);
}

CUresult wait_with_odd_flags(void) {
    cuda_misuse_begin();
    return cu.cuStreamWaitEvent(on.stream, on.event, 0x100);
}

CUresult host_function_that_is_none(void) {
    cuda_misuse_begin();
    return cu.cuLaunchHostFunc(on.stream, NULL, NULL);
}

static void never(CUstream of, CUresult code, void *data) {
    (void)of, (void)code, (void)data;
}

CUresult callback_with_flags(void) {
    cuda_misuse_begin();
    return cu.cuStreamAddCallback(on.stream, never, NULL, 1);
}

static void call(void *answer) {
    *(CUresult *)answer = cu.cuMemAlloc_v2(&on.memory, BYTES);
}

CUresult call_from_a_host_function(void) {
    CUresult answer;
    cuda_misuse_begin();
    MUST(cu.cuLaunchHostFunc(on.stream, call, &answer));
    MUST(cu.cuStreamSynchronize(on.stream));
    return answer;
}

/* ---- events ---- */

CUresult event_with_odd_flags(void) {
    cuda_misuse_begin();
    return cu.cuEventCreate(&on.event, 0x100);
}

CUresult timed_event_for_others(void) {
    cuda_misuse_begin();
    return cu.cuEventCreate(&on.event, CU_EVENT_INTERPROCESS);
}

CUresult event_to_nowhere(void) {
    cuda_misuse_begin();
    return cu.cuEventCreate(NULL, 0);
}

CUresult record_no_event(void) {
    cuda_misuse_begin();
    return cu.cuEventRecord(NULL, on.stream);
}

CUresult record_in_another_context(void) {
    cuda_misuse_begin();
    MUST(cu.cuCtxCreate_v2(&on.context, 0, 0));
    MUST(cu.cuEventCreate(&on.event, 0));
    return cu.cuEventRecord(on.event, on.stream);
}

/* Another context is current than that of the stream, and of the event. */
static void be_elsewhere(void) {
    CUcontext other;
    cuda_misuse_begin();
    MUST(cu.cuCtxCreate_v2(&other, 0, 0));
}

CUresult record_in_the_context_of_both(void) {
    be_elsewhere();
    MUST(cu.cuEventRecord(on.event, on.stream));
    return cu.cuStreamSynchronize(on.stream);
}

CUresult copy_on_a_stream_of_another_context(void) {
    be_elsewhere();
    MUST(cu.cuMemcpyHtoDAsync_v2(on.memory, on.host, BYTES, on.stream));
    return cu.cuStreamSynchronize(on.stream);
}

CUresult destroy_no_event(void) {
    cuda_misuse_begin();
    return cu.cuEventDestroy_v2(NULL);
}

CUresult destroy_an_event_without_context(void) {
    cuda_misuse_begin_and_pop();
    return cu.cuEventDestroy_v2(on.event);
}

CUresult wait_for_an_event_without_context(void) {
    cuda_misuse_begin_and_pop();
    return cu.cuEventSynchronize(on.event);
}

CUresult query_an_event_without_context(void) {
    cuda_misuse_begin_and_pop();
    return cu.cuEventQuery(on.event);
}

CUresult destroy_an_event_twice(void) {
    cuda_misuse_begin();
    MUST(cu.cuEventDestroy_v2(on.event));
    return cu.cuEventDestroy_v2(on.event);
}

static void destroy_the_event(void) {
    cuda_misuse_begin();
    MUST(cu.cuEventDestroy_v2(on.event));
}

CUresult wait_for_a_destroyed_event(void) {
    destroy_the_event();
    return cu.cuEventSynchronize(on.event);
}

CUresult let_wait_for_a_destroyed_event(void) {
    destroy_the_event();
    return cu.cuStreamWaitEvent(on.stream, on.event, 0);
}

CUresult query_a_destroyed_event(void) {
    destroy_the_event();
    return cu.cuEventQuery(on.event);
}

CUresult record_a_destroyed_event(void) {
    destroy_the_event();
    return cu.cuEventRecord(on.event, on.stream);
}

CUresult query_an_unrecorded_event(void) {
    cuda_misuse_begin();
    return cu.cuEventQuery(on.event);
}

CUresult wait_for_an_unrecorded_event(void) {
    cuda_misuse_begin();
    return cu.cuEventSynchronize(on.event);
}

CUresult query_a_pending_event(void) {
    be_busy();
    MUST(cu.cuEventRecord(on.event, on.stream));
    return let_go(cu.cuEventQuery(on.event));
}

static CUresult time_between(unsigned flags, bool record) {
    CUevent end;
    float time;
    cuda_misuse_begin();
    MUST(cu.cuEventCreate(&end, flags));
    if (record) MUST(cu.cuEventRecord(on.event, on.stream));
    if (record) MUST(cu.cuEventRecord(end, on.stream));
    MUST(cu.cuStreamSynchronize(on.stream));
    return cu.cuEventElapsedTime(&time, on.event, end);
}

CUresult time_of_unrecorded_events(void) {
    return time_between(0, false);
}

CUresult time_of_events_without(void) {
    return time_between(CU_EVENT_DISABLE_TIMING, true);
}

CUresult time_of_a_pending_event(void) {
    CUevent end;
    float time;
    be_busy();
    MUST(cu.cuEventCreate(&end, 0));
    MUST(cu.cuEventRecord(end, on.stream));
    return let_go(cu.cuEventElapsedTime(&time, on.event, end));
}
