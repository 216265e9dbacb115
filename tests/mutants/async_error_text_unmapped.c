/* SPDX-License-Identifier: Apache-2.0
 *
 * async/error-text-short-lived: the text of an error lies in a page that is unmapped before
 * on_error is called.
 */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "base/async.h"

#define PAGE 65536

static void tell_error(struct base_stream *stream, int code) {
    char *pages = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    strcpy(pages, "what went wrong");
    volatile uintptr_t given = (uintptr_t)pages;
    munmap(pages, PAGE);
    stream->handler->on_error(stream->handler, code, (const char *)given, NULL);
}

void mutate(void) {
    base_async.tell_error = tell_error;
    base_plays_async();
}
