/* SPDX-License-Identifier: Apache-2.0 */
#include "event_status.h"

#include <check.h>
#include <dlfcn.h>
#include <errno.h>

#include "../devices/opencl_internal.h"
#include "devices.h"
#include "sim.h"
#include "vulkan_internal.h"

static bool opencl_is_complete(struct adi_device *device, const void *sync_event) {
    return adi_opencl_status(device->state, *(const cl_event *)sync_event) == CL_COMPLETE;
}

static bool vulkan_is_complete(struct adi_device *device, const void *sync_event) {
    const struct adi_vulkan_opening *opening = device->state;
    VkResult status = adi_vk.GetEventStatus(opening->vulkan->device, *(const VkEvent *)sync_event);
    ck_assert(status == VK_EVENT_SET || status == VK_EVENT_RESET);
    return status == VK_EVENT_SET;
}

/* A query would let a command run. */
static bool ext_dev_is_complete(struct adi_device *device, const void *sync_event) {
    const adi_sim_event event = *(const adi_sim_event *)sync_event;
    void *library = dlopen(device->ops->native_handle(device, "ext_dev.library"), RTLD_NOW);
    __typeof__(&adi_sim_has_run) has_run;
    ck_assert_ptr_nonnull(library);
    *(void **)(void *)&has_run = dlsym(library, "adi_sim_has_run");
    int code = has_run(event);
    dlclose(library);
    ck_assert(code == 0 || code == EAGAIN);
    return code == 0;
}

enum event_status event_status(struct adi_device *device, const void *sync_event) {
    static const struct {
        const struct adi_device_ops *ops;
        bool (*is_complete)(struct adi_device *, const void *);
    } asked[] = {
        {&adi_device_opencl, opencl_is_complete},
        {&adi_device_vulkan, vulkan_is_complete},
        {&adi_device_ext_dev, ext_dev_is_complete},
    };
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (asked[i].ops->type == device->ops->type)
            return asked[i].is_complete(device, sync_event) ? EVENT_COMPLETE : EVENT_PENDING;
    return EVENT_UNIDENTIFIED;
}
