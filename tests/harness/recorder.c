/* SPDX-License-Identifier: Apache-2.0 */
#include "recorder.h"

#include <check.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUFFERS 4096

static struct {
    struct adi_device real;
    struct adi_device_ops ops;
    const void *buffers[BUFFERS]; /* NULL: freed */
    size_t n;
    bool twice;
    char *text;
    size_t length, room;
} recorder;

void recorder_say(const char *format, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    ck_assert_int_lt(length, (int)sizeof line);
    if (recorder.length + (size_t)length >= recorder.room) {
        recorder.room = 2 * recorder.room + sizeof line;
        recorder.text = realloc(recorder.text, recorder.room);
        ck_assert_ptr_nonnull(recorder.text);
    }
    memcpy(recorder.text + recorder.length, line, (size_t)length + 1);
    recorder.length += (size_t)length;
}

char *recorder_take(void) {
    recorder_say("%s", "");
    char *text = recorder.text;
    recorder.text = NULL;
    recorder.length = recorder.room = recorder.n = 0;
    return text;
}

/* The number of a buffer, by the order in which they were allocated; -1: it is none. */
static int number_of(const void *buffer) {
    for (size_t i = recorder.n; i-- > 0;)
        if (recorder.buffers[i] == buffer) return (int)i;
    return -1;
}

static int alloc(struct adi_device *device, int64_t bytes, void **buffer, struct adi_error *error) {
    (void)device;
    int code = recorder.real.ops->alloc(&recorder.real, bytes, buffer, error);
    ck_assert_uint_lt(recorder.n, BUFFERS);
    if (code == 0) recorder.buffers[recorder.n++] = *buffer;
    recorder_say("  alloc b%zu %" PRId64 ": %d\n", recorder.n - 1, bytes, code);
    return code;
}

static void free_buffer(struct adi_device *device, void *buffer) {
    (void)device;
    int number = number_of(buffer);
    recorder_say("  free b%d\n", number);
    if (number >= 0) recorder.buffers[number] = NULL;
    recorder.real.ops->free(&recorder.real, buffer);
}

static int write_buffer(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    (void)device;
    int code = 0;
    for (int i = 0; i < (recorder.twice ? 2 : 1) && code == 0; i++) {
        code = recorder.real.ops->write(&recorder.real, buffer, offset, from, bytes, error);
        recorder_say("  write b%d + %" PRId64 ", %" PRId64 ": %d\n", number_of(buffer), offset,
                     bytes, code);
    }
    return code;
}

/* What was read counts too. */
static int read_buffer(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                       int64_t bytes, struct adi_error *error) {
    (void)device;
    int code = recorder.real.ops->read(&recorder.real, buffer, offset, to, bytes, error);
    uint32_t hash = 2166136261;
    for (int64_t i = 0; i < bytes && code == 0; i++)
        hash = (hash ^ ((const unsigned char *)to)[i]) * 16777619;
    recorder_say("  read b%d + %" PRId64 ", %" PRId64 ": %d, %08" PRIx32 "\n", number_of(buffer),
                 offset, bytes, code, hash);
    return code;
}

/* ---- the waiting: done, and not written down ---- */

static int event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)device;
    return recorder.real.ops->event(&recorder.real, sync_event, error);
}

static int wait_queued(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device;
    return recorder.real.ops->wait(&recorder.real, sync_event, error);
}

static int wait_host(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device;
    return recorder.real.ops->wait_host(&recorder.real, sync_event, error);
}

static void event_free(struct adi_device *device, void *sync_event) {
    (void)device;
    recorder.real.ops->event_free(&recorder.real, sync_event);
}

void recorder_open(const struct adi_device *real, bool twice, struct adi_device *out) {
    free(recorder_take());
    recorder.real = *real;
    recorder.twice = twice;
    recorder.ops = (struct adi_device_ops){
        .size = sizeof recorder.ops,
        .type = real->ops->type,
        .name = real->ops->name,
        .alloc = alloc,
        .free = free_buffer,
        .write = write_buffer,
        .read = read_buffer,
        .event = event,
        .wait = wait_queued,
        .wait_host = wait_host,
        .event_free = event_free,
    };
    *out = (struct adi_device){.ops = &recorder.ops, .id = real->id};
}
