/* SPDX-License-Identifier: Apache-2.0
 *
 * async/producer-not-valid: the producer lies in a page that is given back when on_schema has
 * returned.
 */
#include <sys/mman.h>

#include "base/async.h"

#define BYTES 4096
#define MOST  4096

/* Whose page is whose: the same address may come again, and the last one counts. */
static struct {
    struct ArrowAsyncProducer *producer;
    struct base_stream *stream;
} pages[MOST];
static _Atomic int count;

static struct base_stream *stream_of(const struct ArrowAsyncProducer *producer) {
    int i = count;
    while (--i > 0 && pages[i].producer != producer) continue;
    return pages[i].stream;
}

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    base_request(&stream_of(self)->any.producer, n);
}

static void cancel(struct ArrowAsyncProducer *self) {
    base_cancel(&stream_of(self)->any.producer);
}

static int tell_schema(struct base_stream *stream, struct ArrowSchema *schema) {
    void *page = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int at = count;
    if (page == MAP_FAILED || at == MOST) return base_tell_schema(stream, schema);
    pages[at].producer = page;
    pages[at].stream = stream;
    count = at + 1;
    *pages[at].producer = stream->any.producer;
    pages[at].producer->request = request;
    pages[at].producer->cancel = cancel;
    stream->handler->producer = page;
    int code = base_tell_schema(stream, schema);
    munmap(page, BYTES);
    return code;
}

void mutate(void) {
    base_async.tell_schema = tell_schema;
    base_plays_async();
}
