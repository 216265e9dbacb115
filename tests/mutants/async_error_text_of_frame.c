/* SPDX-License-Identifier: Apache-2.0
 *
 * async/error-text-short-lived: the text of an error lies in the frame of a function that has
 * returned.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/async.h"

static __attribute__((noinline)) uintptr_t describe(int code) {
    char text[64];
    snprintf(text, sizeof text, "what went wrong: %s", strerror(code));
    volatile uintptr_t given = (uintptr_t)text;
    return given;
}

static void tell_error(struct base_stream *stream, int code) {
    uintptr_t text = describe(code);
    stream->handler->on_error(stream->handler, code, (const char *)text, NULL);
}

void mutate(void) {
    base_async.tell_error = tell_error;
    base_plays_async();
}
