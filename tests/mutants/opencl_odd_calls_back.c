/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the producer's event is that of a second queue, which waits for an event that a callback
 * of the first one completes; the consumer sleeps until it is called back.
 */
#include <semaphore.h>

#include "opencl/opencl.h"

static void CL_CALLBACK complete(cl_event event, cl_int status, void *own) {
    (void)event;
    base_api->clSetUserEventStatus(own, status);
    base_api->clReleaseEvent(own);
}

/* In place of the event of what has been written. */
static cl_int follow(struct adi_device *device, cl_event *event) {
    cl_int code;
    cl_device_id id = (cl_device_id)(uintptr_t)device->ops->native_handle(device, "opencl.device");
    cl_command_queue queue = base_api->clCreateCommandQueue(base_context(device), id, 0, &code);
    cl_event last = *event, own = base_api->clCreateUserEvent(base_context(device), &code);
    if (code != CL_SUCCESS) return code;
    base_api->clEnqueueMarkerWithWaitList(queue, 1, &own, event);
    base_api->clFlush(queue);
    base_api->clReleaseCommandQueue(queue);
    code = base_api->clSetEventCallback(last, CL_COMPLETE, complete, own);
    base_api->clReleaseEvent(last);
    return code;
}

static int event_of_other(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(adi_device_opencl.event(device, sync_event, error));
    return adi_opencl_check("clSetEventCallback", follow(device, *sync_event), error);
}

static sem_t called;

static void CL_CALLBACK wake(cl_event event, cl_int status, void *unused) {
    (void)event, (void)status, (void)unused;
    sem_post(&called);
}

static int sleep_until_called(struct adi_device *device, void *sync_event,
                              struct adi_error *error) {
    (void)device;
    if (sync_event == NULL) return 0;
    cl_int code = base_api->clSetEventCallback(*(cl_event *)sync_event, CL_COMPLETE, wake, NULL);
    ADI_TRY(adi_opencl_check("clSetEventCallback", code, error));
    while (sem_wait(&called) != 0) continue;
    return 0;
}

void mutate(void) {
    sem_init(&called, 0, 0);
    base.roles = ADI_PRODUCES | ADI_CONSUMES;
    base.ops.event = event_of_other;
    base.ops.wait = sleep_until_called;
}
