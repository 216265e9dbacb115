/* SPDX-License-Identifier: Apache-2.0
 *
 * Every wait has a limit: an event that never completes must not take the caller with it.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "environment.h"
#include "opencl_internal.h"

#define WAIT_MS 2000
#define LOOKS   50 /* before it is slept: most events are near their end */

/* Two hold it: who waits and the callback. The last one frees it; a callback that never comes
 * leaves it behind. */
struct waiter {
    pthread_mutex_t lock;
    pthread_cond_t end;
    bool ended;
    atomic_int holders;
};

static struct waiter *make_waiter(void) {
    pthread_condattr_t monotonic;
    struct waiter *waiter = malloc(sizeof *waiter);
    if (waiter == NULL) return NULL;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&waiter->end, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&waiter->lock, NULL);
    waiter->ended = false;
    atomic_init(&waiter->holders, 2);
    return waiter;
}

static void drop_waiter(struct waiter *waiter) {
    if (atomic_fetch_sub(&waiter->holders, 1) > 1) return;
    pthread_mutex_destroy(&waiter->lock);
    pthread_cond_destroy(&waiter->end);
    free(waiter);
}

static void CL_CALLBACK on_end(cl_event event, cl_int status, void *waiter_at) {
    struct waiter *waiter = waiter_at;
    (void)event, (void)status;
    pthread_mutex_lock(&waiter->lock);
    waiter->ended = true;
    pthread_cond_signal(&waiter->end);
    pthread_mutex_unlock(&waiter->lock);
    drop_waiter(waiter);
}

/* Returns when the event has ended, or the time is up. */
static int sleep_until_end(const struct adi_opencl *opencl, cl_event event, int64_t limit_ms,
                           struct adi_error *error) {
    struct timespec end;
    struct waiter *waiter = make_waiter();
    if (waiter == NULL) return adi_error_set(error, ENOMEM, "out of memory");
    cl_int code = opencl->api->clSetEventCallback(event, CL_COMPLETE, on_end, waiter);
    if (code != CL_SUCCESS) {
        atomic_store(&waiter->holders, 1);
        drop_waiter(waiter);
        return adi_opencl_check("clSetEventCallback", code, error);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += limit_ms / 1000;
    end.tv_nsec += limit_ms % 1000 * 1000000;
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&waiter->lock);
    for (int late = 0; !waiter->ended && late == 0;)
        late = pthread_cond_timedwait(&waiter->end, &waiter->lock, &end);
    pthread_mutex_unlock(&waiter->lock);
    drop_waiter(waiter);
    return 0;
}

cl_int adi_opencl_status(const struct adi_opencl *opencl, cl_event event) {
    cl_int status = CL_QUEUED;
    opencl->api->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                                NULL);
    return status;
}

static int64_t limit_ms(void) {
    return adi_setting_wait_ms(WAIT_MS);
}

int adi_opencl_settle(const struct adi_opencl *opencl, cl_event event, struct adi_error *error) {
    cl_int status = adi_opencl_status(opencl, event);
    for (int looks = LOOKS; status > CL_COMPLETE && looks > 0; looks--) {
        sched_yield();
        status = adi_opencl_status(opencl, event);
    }
    if (status > CL_COMPLETE) {
        ADI_TRY(sleep_until_end(opencl, event, limit_ms(), error));
        status = adi_opencl_status(opencl, event);
    }
    if (status < 0) return adi_error_set(error, EIO, "the event ended in error %d", status);
    if (status == CL_COMPLETE) return 0;
    return adi_error_set(error, ETIMEDOUT, "the event was not complete after %" PRId64 " ms",
                         limit_ms());
}

int adi_opencl_drop_waited(struct adi_opencl *opencl, struct adi_error *error) {
    if (opencl->waited == NULL) return 0;
    ADI_TRY(adi_opencl_settle(opencl, opencl->waited, error));
    opencl->api->clReleaseEvent(opencl->waited);
    opencl->waited = NULL;
    return 0;
}

int adi_opencl_drain(struct adi_opencl *opencl, struct adi_opencl_lane *lane,
                     struct adi_error *error) {
    const struct adi_opencl_api *api = opencl->api;
    if (lane == opencl->first && opencl->pause_event != NULL)
        return adi_error_set(error, EBUSY, "the queue is held");
    ADI_TRY(adi_opencl_drop_waited(opencl, error));
    if (!lane->busy && !(opencl->known.is_lent && lane == opencl->first)) return 0;
    cl_event end;
    ADI_TRY(adi_opencl_check("clEnqueueMarkerWithWaitList",
                             api->clEnqueueMarkerWithWaitList(lane->queue, 0, NULL, &end), error));
    int code = adi_opencl_check("clFlush", api->clFlush(lane->queue), error);
    if (code == 0) code = adi_opencl_settle(opencl, end, error);
    api->clReleaseEvent(end);
    lane->busy = code != 0;
    return code;
}
