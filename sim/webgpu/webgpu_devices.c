/* SPDX-License-Identifier: Apache-2.0
 *
 * Instances, adapters, devices with their one queue, and what devices have to say of errors.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "webgpu.h"

static const struct webgpu_class instances = {WEBGPU_INSTANCE, NULL, NULL},
                                 adapters = {WEBGPU_ADAPTER, NULL, NULL},
                                 queues = {WEBGPU_QUEUE, NULL, NULL};

void *webgpu_instance_create(const char *name) {
    if (!webgpu_begin(name, false)) return NULL;
    struct webgpu_object *made = webgpu_object_new(&instances, NULL, NULL);
    webgpu_end();
    return made == NULL ? NULL : made->handle;
}

/* ---- adapters ---- */

static void *new_adapter(struct webgpu_object *instance, int index) {
    struct webgpu_object *made = webgpu_object_new(&adapters, instance, NULL);
    if (made == NULL) return NULL;
    made->index = index;
    return made->handle;
}

size_t webgpu_adapters(const char *name, void *instance, void **out) {
    size_t n = 0;
    if (out == NULL) return WEBGPU_ADAPTERS;
    if (!webgpu_begin(name, false)) return 0;
    struct webgpu_object *of = webgpu_find(WEBGPU_INSTANCE, instance);
    for (; of != NULL && n < WEBGPU_ADAPTERS; n++)
        if ((out[n] = new_adapter(of, (int)n)) == NULL) break;
    webgpu_end();
    return n;
}

static struct webgpu_news news_of(enum webgpu_tells tells, struct webgpu_callback to) {
    return (struct webgpu_news){
        .tells = tells, .to = to, .party = webgpu_party(), .status = WEBGPU_FAILED};
}

static void say(struct webgpu_news *news, const char *text) {
    snprintf(news->text, sizeof news->text, "%s", text);
}

void webgpu_request_adapter(const char *name, void *instance, struct webgpu_callback callback) {
    struct webgpu_news news = news_of(WEBGPU_TELLS_ADAPTER, callback);
    if (!webgpu_begin(name, false)) {
        say(&news, "the simulation refuses the call");
        webgpu_tell(&news);
        return;
    }
    struct webgpu_object *of = webgpu_find(WEBGPU_INSTANCE, instance);
    if (of != NULL) news.handle = new_adapter(of, 0);
    if (news.handle != NULL)
        news.status = WEBGPU_OK;
    else
        say(&news, "there is no such instance");
    webgpu_later(&news);
    webgpu_end();
}

int webgpu_adapter_index(const char *name, void *adapter) {
    int index = -1;
    if (!webgpu_begin(name, true)) return index;
    const struct webgpu_object *found = webgpu_find(WEBGPU_ADAPTER, adapter);
    if (found != NULL) index = found->index;
    webgpu_end();
    return index;
}

/* ---- devices ---- */

static void end_device(struct webgpu_object *device) {
    adi_sim_queue_destroy(device->device.queue);
    adi_sim_queue_destroy(device->device.aside);
    adi_sim_context_close(device->device.context);
    adi_sim_reference_destroy(device->device.queue_object->handle);
    webgpu_object_free(device->device.queue_object);
}

static const struct webgpu_class devices = {WEBGPU_DEVICE, NULL, end_device};

static int open_device(struct webgpu_object *device, int index) {
    adi_sim_queue aside = NULL;
    SIM_TRY(adi_sim_context_open("webgpu", index, &device->device.context));
    int code = adi_sim_queue_create(device->device.context, 0, &device->device.queue);
    if (code == 0) code = adi_sim_queue_create(device->device.context, ADI_SIM_OWN_QUEUE, &aside);
    if (code == 0) {
        device->device.queue_object = webgpu_object_new(&queues, NULL, NULL);
        code = device->device.queue_object == NULL ? ENOMEM : 0;
    }
    if (code != 0) {
        adi_sim_context_discard(device->device.context);
        return code;
    }
    /* The device has it, so that it does not have the device. */
    device->device.queue_object->parent = device;
    device->device.queue_object->refs[device->maker] = 0;
    device->device.aside = aside;
    /* The program knows the device and the queue by other handles, and they may stay for the sake
     * of what it has not given up. */
    adi_sim_own(device->device.context);
    adi_sim_own(device->device.queue);
    adi_sim_own(device->device.queue_object->handle);
    device->device.index = index;
    return 0;
}

void webgpu_request_device(const char *name, void *adapter, const struct webgpu_callback *lost,
                           const struct webgpu_callback *uncaptured,
                           struct webgpu_callback callback) {
    struct webgpu_news news = news_of(WEBGPU_TELLS_DEVICE, callback);
    if (!webgpu_begin(name, false)) {
        say(&news, "the simulation refuses the call");
        webgpu_tell(&news);
        return;
    }
    struct webgpu_object *of = webgpu_find(WEBGPU_ADAPTER, adapter), *made = NULL;
    if (of != NULL) made = webgpu_object_new(&devices, of, NULL);
    if (made == NULL) {
        say(&news, "there is no such adapter");
    } else if (open_device(made, of->index) != 0) {
        adi_sim_reference_destroy(made->handle);
        webgpu_let(of);
        webgpu_object_free(made);
        say(&news, "no memory for a device");
    } else {
        made->device.lost = *lost;
        made->device.uncaptured = *uncaptured;
        made->device.lost_party = webgpu_party();
        news.status = WEBGPU_OK;
        news.handle = made->handle;
    }
    webgpu_later(&news);
    webgpu_end();
}

void *webgpu_device_queue(const char *name, void *handle) {
    void *queue = NULL;
    if (!webgpu_begin(name, true)) return NULL;
    const struct webgpu_object *device = webgpu_find(WEBGPU_DEVICE, handle);
    if (device != NULL) {
        webgpu_take_ref(device->device.queue_object);
        queue = device->device.queue_object->handle;
    }
    webgpu_end();
    return queue;
}

static void lose(struct webgpu_object *device, const char *why) {
    struct webgpu_news news = {.tells = WEBGPU_TELLS_LOST,
                               .to = device->device.lost,
                               .party = device->device.lost_party,
                               .handle = device->handle};
    if (device->device.is_lost) return;
    device->device.is_lost = true;
    say(&news, why);
    webgpu_later(&news);
}

void webgpu_device_destroy(const char *name, void *handle) {
    if (!webgpu_begin(name, true)) return;
    struct webgpu_object *device = webgpu_find(WEBGPU_DEVICE, handle);
    if (device != NULL) lose(device, "the device was destroyed");
    webgpu_end();
}

/* ---- errors ---- */

/* Nobody is told of what a lost device is asked. */
void webgpu_fail(struct webgpu_object *device, enum webgpu_error error, const char *format, ...) {
    struct webgpu_news news = {.tells = WEBGPU_TELLS_ERROR,
                               .to = device->device.uncaptured,
                               .party = device->device.lost_party,
                               .error = error,
                               .handle = device->handle};
    va_list arguments;
    if (device->device.is_lost) return;
    va_start(arguments, format);
    vsnprintf(news.text, sizeof news.text, format, arguments);
    va_end(arguments);
    for (size_t i = device->device.n_scopes; i > 0; i--) {
        if (device->device.scopes[i - 1].filter != error) continue;
        if (!device->device.scopes[i - 1].any) device->device.scopes[i - 1].first = news;
        device->device.scopes[i - 1].any = true;
        return;
    }
    if (news.to.function == NULL) adi_sim_remark("uncaptured-error", news.text);
    webgpu_later(&news);
}

void webgpu_fail_by(struct webgpu_object *device, int code, const char *what) {
    if (code == EOWNERDEAD) {
        lose(device, "the device was lost");
        return;
    }
    webgpu_fail(device,
                code == ENOMEM ? WEBGPU_OUT_OF_MEMORY
                : code == EIO  ? WEBGPU_INTERNAL
                               : WEBGPU_VALIDATION,
                "%s: %s", what, strerror(code));
}

void webgpu_push_scope(const char *name, void *handle, enum webgpu_error filter) {
    if (!webgpu_begin(name, true)) return;
    struct webgpu_object *device = webgpu_find(WEBGPU_DEVICE, handle);
    if (device != NULL && device->device.n_scopes < WEBGPU_SCOPES) {
        device->device.scopes[device->device.n_scopes].filter = filter;
        device->device.scopes[device->device.n_scopes++].any = false;
    }
    webgpu_end();
}

void webgpu_pop_scope(const char *name, void *handle, struct webgpu_callback callback) {
    struct webgpu_news news = news_of(WEBGPU_TELLS_POP, callback);
    if (!webgpu_begin(name, true)) return;
    struct webgpu_object *device = webgpu_find(WEBGPU_DEVICE, handle);
    if (device != NULL && device->device.n_scopes > 0) {
        size_t last = --device->device.n_scopes;
        news.status = WEBGPU_OK;
        news.error = WEBGPU_NO_ERROR;
        if (device->device.scopes[last].any) {
            news.error = device->device.scopes[last].first.error;
            memcpy(news.text, device->device.scopes[last].first.text, sizeof news.text);
        }
    }
    webgpu_later(&news);
    webgpu_end();
}
