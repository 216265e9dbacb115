/* SPDX-License-Identifier: Apache-2.0
 *
 * A sycl::event is recorded once, and keeps its context.
 */
#include "oneapi.h"

static int make(struct oneapi_context *context, adi_sim_context engine, adi_sim_event *out) {
    SIM_TRY(adi_sim_event_create(engine, out));
    adi_sim_event_set_label(*out, (uintptr_t)context);
    context->refs++;
    return 0;
}

void *oneapi_event_on(struct oneapi_context *context, adi_sim_context engine, adi_sim_queue lane) {
    adi_sim_event event;
    if (make(context, engine, &event) != 0) return NULL;
    if (adi_sim_event_record(event, lane) == 0) return event;
    oneapi_event_delete(event);
    return NULL;
}

/* It stands for nothing, and is complete. */
void *oneapi_event(void) {
    adi_sim_context engine;
    adi_sim_event event;
    if (oneapi_engine(oneapi_default(), 0, &engine) != 0) return NULL;
    return make(oneapi_default(), engine, &event) == 0 ? event : NULL;
}

static adi_sim_event handle_of(const void *event) {
    if (event == NULL) adi_sim_remark("event", "a reference is NULL");
    return (adi_sim_event)(uintptr_t)event;
}

/* Another reference to what the first one stands for. */
void *oneapi_event_copy(const void *event) {
    adi_sim_event handle = handle_of(event);
    adi_sim_context engine;
    adi_sim_queue lane;
    uint64_t label;
    if (event == NULL || adi_sim_event_label(handle, &engine, &label) != 0) return NULL;
    if (adi_sim_queue_create(engine, ADI_SIM_OWN_QUEUE, &lane) != 0) return NULL;
    void *copy = NULL;
    if (adi_sim_event_wait(lane, handle) == 0)
        copy = oneapi_event_on((struct oneapi_context *)(uintptr_t)label, engine, lane);
    adi_sim_queue_destroy(lane);
    return copy;
}

void oneapi_event_delete(const void *event) {
    adi_sim_event handle = (adi_sim_event)(uintptr_t)event;
    uint64_t label = 0;
    bool is_live = adi_sim_is_live(event, &label);
    if (event == NULL || adi_sim_event_destroy(handle) != 0 || !is_live) return;
    oneapi_context_release((struct oneapi_context *)(uintptr_t)label);
}

void oneapi_event_wait(const void *event) {
    adi_sim_event handle = handle_of(event);
    if (event != NULL) adi_sim_event_sync(handle);
}

int oneapi_event_status(const void *event) {
    adi_sim_event handle = handle_of(event);
    if (event == NULL) return DPCTL_UNKNOWN_STATUS;
    int code = adi_sim_event_query(handle);
    return code == 0 ? DPCTL_COMPLETE : code == EAGAIN ? DPCTL_SUBMITTED : DPCTL_UNKNOWN_STATUS;
}

int oneapi_event_backend(const void *event) {
    adi_sim_event handle = handle_of(event);
    adi_sim_context engine;
    uint64_t label;
    if (event == NULL || adi_sim_event_label(handle, &engine, &label) != 0) return 0;
    return DPCTL_LEVEL_ZERO;
}
