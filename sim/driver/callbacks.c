/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions and callbacks. When a device is lost those of cuLaunchHostFunc stay away, and
 * callbacks are called all the same, with the error.
 */
#include "captures.h"

driver_code driver_stream_host(bool per_thread, driver_stream stream, driver_host_function function,
                               void *data) {
    adi_sim_queue queue;
    struct driver_branch *branch;
    struct driver_work work = {.type = DRIVER_GRAPH_NODE_TYPE_HOST, .host = {function, data}};
    if (function == NULL) return DRIVER_INVALID_VALUE;
    SIM_TRY(driver_capture_of(per_thread, stream, &branch));
    if (branch != NULL) return driver_capture_work(branch, &work);
    driver_code code = driver_queue(per_thread, stream, NULL, &queue);
    return code == DRIVER_SUCCESS ? driver_error(adi_sim_host(queue, function, data)) : code;
}

/* Its function, its stream, and its data. */
static void call_back(const uintptr_t *data, int code) {
    ((driver_callback)data[0])((driver_stream)data[1], driver_error(code), (void *)data[2]);
}

driver_code driver_stream_callback(bool per_thread, driver_stream stream, driver_callback function,
                                   void *data, unsigned flags) {
    const uintptr_t words[ADI_SIM_CALLBACK_WORDS] = {(uintptr_t)function, (uintptr_t)stream,
                                                     (uintptr_t)data};
    adi_sim_queue queue;
    if (function == NULL || flags != 0) return DRIVER_INVALID_VALUE;
    driver_code code = driver_queue(per_thread, stream, NULL, &queue);
    return code == DRIVER_SUCCESS ? driver_error(adi_sim_callback(queue, call_back, words)) : code;
}
