/* SPDX-License-Identifier: Apache-2.0
 *
 * async/error-text-short-lived: the text of an error is freed before on_error is called.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/async.h"

static void tell_error(struct base_stream *stream, int code) {
    char *volatile text = strdup("what went wrong");
    volatile uintptr_t given = (uintptr_t)text;
    free(text);
    stream->handler->on_error(stream->handler, code, (const char *)given, NULL);
}

void mutate(void) {
    base_async.tell_error = tell_error;
    base_plays_async();
}
