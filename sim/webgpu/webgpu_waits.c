/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program asked to be told when the work before it has run. It is told when it lets the
 * runtime look: wgpuInstanceProcessEvents, wgpuInstanceWaitAny, wgpuDevicePoll.
 */
#include <errno.h>
#include <stdlib.h>

#include "webgpu.h"

struct wait {
    struct wait *next;
    uint64_t future;
    struct webgpu_object *device, *buffer; /* buffer: that is to be mapped; NULL: none is */
    int (*map)(struct webgpu_object *buffer);
    adi_sim_event event;
    struct webgpu_news news;
};

static struct wait *first; /* the oldest */
static uint64_t futures;

uint64_t webgpu_wait_add(struct webgpu_object *device, struct webgpu_object *buffer,
                         int (*map)(struct webgpu_object *buffer),
                         struct webgpu_callback callback) {
    struct wait *wait = calloc(1, sizeof *wait), **end = &first;
    if (wait == NULL) return 0;
    int code = adi_sim_event_create(device->device.context, &wait->event);
    if (code == 0) {
        code = adi_sim_event_record(wait->event, device->device.queue);
        if (code != 0) adi_sim_event_destroy(wait->event);
    }
    if (code != 0) {
        webgpu_fail_by(device, code, "a wait");
        free(wait);
        return 0;
    }
    wait->future = ++futures;
    wait->device = device;
    wait->buffer = buffer;
    wait->map = map;
    wait->news =
        (struct webgpu_news){.tells = buffer == NULL ? WEBGPU_TELLS_DONE : WEBGPU_TELLS_MAP,
                             .to = callback,
                             .party = webgpu_party()};
    webgpu_hold(buffer == NULL ? device : buffer);
    while (*end != NULL) end = &(*end)->next;
    *end = wait;
    return wait->future;
}

static void take_out(const struct wait *wait) {
    struct wait **link = &first;
    while (*link != wait) link = &(*link)->next;
    *link = wait->next;
}

/* It is not in the list any more. */
static void end(struct wait *wait, enum webgpu_status status) {
    wait->news.status = status;
    if (wait->buffer != NULL && status == WEBGPU_OK && wait->map(wait->buffer) != 0)
        wait->news.status = WEBGPU_FAILED;
    webgpu_later(&wait->news);
    webgpu_end_event(wait->event, wait->news.party);
    webgpu_let(wait->buffer == NULL ? wait->device : wait->buffer);
    free(wait);
}

void webgpu_wait_abort(struct webgpu_object *buffer) {
    for (struct wait *at = first; at != NULL; at = at->next) {
        if (at->buffer != buffer) continue;
        take_out(at);
        end(at, WEBGPU_ABORTED);
        return;
    }
}

uint64_t webgpu_queue_done(const char *name, void *handle, struct webgpu_callback callback) {
    uint64_t future = 0;
    struct webgpu_news news = {.tells = WEBGPU_TELLS_DONE,
                               .to = callback,
                               .party = webgpu_party(),
                               .status = WEBGPU_FAILED};
    if (!webgpu_begin(name, false)) {
        webgpu_tell(&news);
        return 0;
    }
    const struct webgpu_object *queue = webgpu_find(WEBGPU_QUEUE, handle);
    if (queue != NULL) future = webgpu_wait_add(queue->parent, NULL, NULL, callback);
    if (future == 0) webgpu_later(&news);
    webgpu_end();
    return future;
}

/* EAGAIN: not yet. While it waits others may come and end it, so that nothing of it is used after.
 */
static int look(const struct wait *wait, bool waits) {
    adi_sim_event event = wait->event;
    return waits ? adi_sim_event_sync(event) : adi_sim_event_query(event);
}

static struct wait *find(uint64_t future) {
    struct wait *at = first;
    while (at != NULL && at->future != future) at = at->next;
    return at;
}

/* true: it is not there any more. */
static bool settle(uint64_t future, bool waits) {
    struct wait *wait = find(future);
    if (wait == NULL) return true;
    int code = look(wait, waits);
    wait = find(future);
    if (wait == NULL) return true;
    if (code == EAGAIN) return false;
    if (code != 0) webgpu_fail_by(wait->device, code, "a wait");
    take_out(wait);
    end(wait, code == 0 ? WEBGPU_OK : WEBGPU_FAILED);
    return true;
}

static bool settle_all(const struct webgpu_object *device, bool waits) {
    bool empty = true;
    uint64_t last = 0;
    for (;;) {
        const struct wait *at = first;
        while (at != NULL && (at->future <= last || (device != NULL && at->device != device)))
            at = at->next;
        if (at == NULL) return empty;
        last = at->future;
        empty = settle(last, waits) && empty;
    }
}

bool webgpu_poll(const char *name, void *handle, bool waits) {
    if (!webgpu_begin(name, false)) return false;
    struct webgpu_object *device = handle == NULL ? NULL : webgpu_find(WEBGPU_DEVICE, handle);
    bool empty = false;
    if (handle == NULL) {
        empty = settle_all(NULL, false);
    } else if (device != NULL) {
        webgpu_hold(device);
        int code = waits ? adi_sim_queue_sync(device->device.queue)
                         : adi_sim_queue_query(device->device.queue);
        if (code != 0 && code != EAGAIN) webgpu_fail_by(device, code, name);
        empty = settle_all(device, waits) && code == 0;
        webgpu_let(device);
    }
    webgpu_end();
    return empty;
}

bool webgpu_wait_for(const char *name, uint64_t future, bool waits) {
    if (!webgpu_begin(name, false)) return false;
    bool over = settle(future, waits);
    webgpu_end();
    return over;
}
