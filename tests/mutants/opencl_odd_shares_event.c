/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: arrays that are live at the same time have one event, each with a reference of its own;
 * what was written since it was recorded is waited for.
 */
#include <pthread.h>
#include <stdlib.h>

#include "opencl/opencl.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cl_event shared;
static const struct adi_device *of;
static int users;

static int share(struct adi_device *device, void **sync_event, struct adi_error *error) {
    cl_event *event;
    ADI_TRY(adi_device_opencl.event(device, sync_event, error));
    event = *sync_event;
    pthread_mutex_lock(&lock);
    if (users == 0 || of != device) {
        shared = *event;
        of = device;
        users = 0;
    } else if (adi_device_opencl.wait_host(device, event, error) == 0) {
        base_api->clReleaseEvent(*event);
        base_api->clRetainEvent(shared);
        *event = shared;
    }
    users++;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void give_up(struct adi_device *device, void *sync_event) {
    pthread_mutex_lock(&lock);
    users -= sync_event != NULL && *(cl_event *)sync_event == shared;
    adi_device_opencl.event_free(device, sync_event);
    pthread_mutex_unlock(&lock);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = share;
    base.ops.event_free = give_up;
}
