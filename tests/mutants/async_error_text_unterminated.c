/* SPDX-License-Identifier: Apache-2.0
 *
 * async/error-text-short-lived: the text of an error has no end, and its mapping has.
 */
#include <string.h>
#include <sys/mman.h>

#include "base/async.h"

#define PAGE 65536

static void tell_error(struct base_stream *stream, int code) {
    char *pages =
        mmap(NULL, (size_t)2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(pages, 'x', PAGE);
    mprotect(pages + PAGE, PAGE, PROT_NONE);
    stream->handler->on_error(stream->handler, code, pages + PAGE - 40, NULL);
    munmap(pages, (size_t)2 * PAGE);
}

void mutate(void) {
    base_async.tell_error = tell_error;
    base_plays_async();
}
