/* SPDX-License-Identifier: Apache-2.0
 *
 * What callbacks have said, and the wait for one.
 */
#include <errno.h>
#include <string.h>

#include "webgpu_internal.h"

static _Thread_local char last_error[256];

static void copy_text(char *to, size_t room, const char *text, size_t bytes) {
    if (bytes > room - 1) bytes = room - 1;
    if (bytes > 0) memcpy(to, text, bytes);
    to[bytes] = '\0';
    for (char *at = to; *at != '\0'; at++)
        if ((unsigned char)*at < ' ') *at = ' ';
}

void adi_webgpu_note_error(const char *text, size_t bytes) {
    copy_text(last_error, sizeof last_error, text, bytes);
    if (last_error[0] == '\0') strcpy(last_error, "an error without a message");
}

const char *adi_webgpu_last_error(void) {
    static _Thread_local char said[sizeof last_error];
    memcpy(said, last_error, sizeof said);
    last_error[0] = '\0';
    return said;
}

void adi_webgpu_note_told(struct adi_webgpu_told *told, bool is_good, void *handle,
                          const char *text, size_t bytes) {
    told->is_good = is_good;
    told->handle = handle;
    copy_text(told->text, sizeof told->text, text, bytes);
    told->came = true;
}

void adi_webgpu_note_lost(void *device, const char *text, size_t bytes) {
    struct adi_webgpu *webgpu = device;
    if (bytes > sizeof webgpu->lost - 1) bytes = sizeof webgpu->lost - 1;
    if (bytes > 0) memcpy(webgpu->lost, text, bytes);
    webgpu->lost[bytes] = '\0';
    atomic_store(&webgpu->is_lost, true);
}

int adi_webgpu_finish(struct adi_webgpu *webgpu, struct adi_error *error) {
    const struct adi_webgpu_api *api = webgpu->api;
    static _Thread_local struct adi_webgpu_told told;
    told = (struct adi_webgpu_told){.came = false};
    atomic_store(&webgpu->has_written, false);
    /* wgpu-native keeps writes back until something is submitted. */
    api->QueueSubmit(webgpu->queue, 0, NULL);
    api->layout->tell_when_done(api, webgpu->queue, &told);
    if (!told.came) api->DevicePoll(webgpu->device, 1, NULL);
    if (told.came && told.is_good) return 0;
    return adi_error_set(error, EIO, "wgpuQueueOnSubmittedWorkDone: %s",
                         webgpu->is_lost        ? "the device is lost"
                         : told.text[0] != '\0' ? told.text
                                                : "the work is not done");
}
