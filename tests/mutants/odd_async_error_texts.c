/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. An error comes without a text, with one of 1 MiB, with one on the caller's
 * stack, or with one that is freed, or unmapped, as soon as on_error has returned.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/async.h"

#define LONG 1048576
#define PAGE 65536

static void tell(struct base_stream *stream, int code, const char *text) {
    stream->handler->on_error(stream->handler, code, text, NULL);
}

static void tell_long(struct base_stream *stream, int code) {
    char *text = malloc(LONG + 1);
    if (text != NULL) {
        memset(text, 'x', LONG);
        text[LONG] = '\0';
    }
    tell(stream, code, text);
    free(text);
}

static void tell_mapped(struct base_stream *stream, int code) {
    char *pages = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *text = pages + PAGE - 5; /* and nothing behind its end */
    memcpy(text, "gone", 5);
    tell(stream, code, text);
    munmap(pages, PAGE);
}

static void tell_briefly(struct base_stream *stream, int code) {
    char *text = strdup("gone"), here[] = "gone";
    tell(stream, code, code % 2 == 0 ? text : here);
    if (text != NULL) memset(text, 'x', strlen(text));
    free(text);
}

static void tell_error(struct base_stream *stream, int code) {
    static _Atomic unsigned turn;
    switch (turn++ % 4) {
    case 0:
        tell(stream, code, NULL);
        break;
    case 1:
        tell_long(stream, code);
        break;
    case 2:
        tell_mapped(stream, code);
        break;
    default:
        tell_briefly(stream, code);
    }
}

void mutate(void) {
    base_async.tell_error = tell_error;
    base_plays_async();
}
