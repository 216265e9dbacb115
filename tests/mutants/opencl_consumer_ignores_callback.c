/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: it asks to be called back when the event is complete, and does
 * not wait for that.
 */
#include <stdatomic.h>

#include "opencl/opencl.h"

static atomic_int complete;

static void CL_CALLBACK note(cl_event event, cl_int status, void *unused) {
    (void)event, (void)status, (void)unused;
    atomic_fetch_add(&complete, 1);
}

static int ask(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device;
    if (sync_event == NULL) return 0;
    cl_int code = base_api->clSetEventCallback(*(cl_event *)sync_event, CL_COMPLETE, note, NULL);
    return adi_opencl_check("clSetEventCallback", code, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = ask;
}
