/* SPDX-License-Identifier: Apache-2.0
 *
 * Events are the engine's, which keeps their flags.
 */
#include "captures.h"

#define EVENT_FLAGS                                                                                \
    (DRIVER_EVENT_BLOCKING_SYNC | DRIVER_EVENT_DISABLE_TIMING | DRIVER_EVENT_INTERPROCESS)
#define RECORD_EXTERNAL 1
#define NS_A_MS         1e6F

/* Its flags and its context; an event of another interface is none. */
static driver_code look(driver_event event, adi_sim_context *context, uint64_t *label) {
    driver_code code = driver_error(adi_sim_event_label((adi_sim_event)event, context, label));
    return code == DRIVER_SUCCESS && !driver_owns(*label) ? DRIVER_INVALID_HANDLE : code;
}

/* One that another process shall use is without times. */
driver_code driver_event_create(driver_event *event, unsigned flags) {
    struct driver_scope scope;
    adi_sim_event made;
    if (event == NULL || flags > EVENT_FLAGS) return DRIVER_INVALID_VALUE;
    if (flags & DRIVER_EVENT_INTERPROCESS && !(flags & DRIVER_EVENT_DISABLE_TIMING))
        return DRIVER_INVALID_VALUE;
    SIM_TRY(driver_current(&scope));
    int error = adi_sim_event_create(scope.context, &made);
    if (error != 0) return driver_error(error);
    adi_sim_event_set_label(made, DRIVER_OWN | flags);
    *event = (driver_event)made;
    driver_capture_forget_event(*event); /* of the one whose handle it may have */
    return DRIVER_SUCCESS;
}

driver_code driver_event_destroy(driver_event event) {
    uint64_t label;
    bool of_others = adi_sim_is_live(event, &label) && !driver_owns(label);
    if (of_others) return DRIVER_INVALID_HANDLE;
    driver_capture_forget_event(event);
    return driver_error(adi_sim_event_destroy((adi_sim_event)event));
}

/* Event and stream are of one context. Of two devices is what the engine refuses, and reports. */
driver_code driver_event_record(bool per_thread, driver_event event, driver_stream stream) {
    struct driver_scope of_event;
    adi_sim_queue queue;
    adi_sim_context event_context, queue_context;
    struct driver_branch *branch;
    uint64_t label;
    int device;
    SIM_TRY(driver_capture_of(per_thread, stream, &branch));
    if (branch == NULL) SIM_TRY(driver_queue(per_thread, stream, NULL, &queue));
    SIM_TRY(look(event, &event_context, &label));
    if (branch != NULL) return driver_capture_record(branch, event);
    SIM_TRY(driver_error(adi_sim_queue_info(queue, &device, &queue_context)));
    SIM_TRY(driver_find_context(driver_context_name(event_context), &of_event));
    if (event_context != queue_context && of_event.device == driver_device(device))
        return DRIVER_INVALID_HANDLE;
    int error = adi_sim_event_record((adi_sim_event)event, queue);
    if (error == 0) driver_capture_forget_event(event);
    return error == EXDEV ? DRIVER_INVALID_HANDLE : driver_error(error);
}

driver_code driver_event_record_flags(bool per_thread, driver_event event, driver_stream stream,
                                      unsigned flags) {
    struct driver_work work = {.type = DRIVER_GRAPH_NODE_TYPE_EVENT_RECORD, .event = event};
    struct driver_branch *branch;
    if (flags > RECORD_EXTERNAL) return DRIVER_INVALID_VALUE;
    SIM_TRY(driver_capture_of(per_thread, stream, &branch));
    if (branch != NULL && flags == RECORD_EXTERNAL) return driver_capture_work(branch, &work);
    return driver_event_record(per_thread, event, stream);
}

driver_code driver_stream_wait(bool per_thread, driver_stream stream, driver_event event,
                               unsigned flags) {
    adi_sim_queue queue;
    uint64_t label;
    bool taken;
    if (flags > RECORD_EXTERNAL) return DRIVER_INVALID_VALUE;
    SIM_TRY(driver_queue_quietly(per_thread, stream, NULL, &queue));
    SIM_TRY(look(event, NULL, &label));
    driver_code code = driver_capture_wait(per_thread, stream, event, flags != 0, &taken);
    if (code != DRIVER_SUCCESS || taken) return code;
    SIM_TRY(driver_queue(per_thread, stream, NULL, &queue));
    return driver_error(adi_sim_event_wait(queue, (adi_sim_event)event));
}

driver_code driver_event_sync(driver_event event) {
    uint64_t label;
    SIM_TRY(look(event, NULL, &label));
    SIM_TRY(driver_capture_forbid_event(event));
    return driver_error(adi_sim_event_sync((adi_sim_event)event));
}

driver_code driver_event_query(driver_event event) {
    uint64_t label;
    SIM_TRY(look(event, NULL, &label));
    SIM_TRY(driver_capture_forbid_event(event));
    SIM_TRY(driver_capture_unsafe());
    return driver_error(adi_sim_event_query((adi_sim_event)event));
}

/* Virtual time. */
driver_code driver_event_elapsed(float *milliseconds, driver_event start, driver_event end) {
    uint64_t first, second;
    int64_t ns;
    if (milliseconds == NULL) return DRIVER_INVALID_VALUE;
    SIM_TRY(look(start, NULL, &first));
    SIM_TRY(look(end, NULL, &second));
    SIM_TRY(driver_capture_forbid_event(start));
    SIM_TRY(driver_capture_forbid_event(end));
    if ((first | second) & DRIVER_EVENT_DISABLE_TIMING) return DRIVER_INVALID_HANDLE;
    int error = adi_sim_event_elapsed((adi_sim_event)start, (adi_sim_event)end, &ns);
    if (error == EINVAL) return DRIVER_INVALID_HANDLE; /* never recorded */
    if (error == 0) *milliseconds = (float)ns / NS_A_MS;
    return driver_error(error);
}
