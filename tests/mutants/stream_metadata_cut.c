/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/metadata-malformed, producer: the metadata of a stream's schema ends before its value
 * does.
 */
#include <string.h>
#include <sys/mman.h>

#include "base/stream.h"

/* Behind it nothing can be read. */
static const char *cut(void) {
    static const char pair[] = "\1\0\0\0\3\0\0\0key\5\0\0\0val";
    static char *end;
    const size_t page = 4096;
    if (end == NULL) {
        char *pages =
            mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE) != 0) return NULL;
        end = pages + page;
        memcpy(end - (sizeof pair - 1), pair, sizeof pair - 1);
    }
    return end - (sizeof pair - 1);
}

static int schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    int code = base_produced_schema(self, out);
    if (code == 0) out->metadata = cut();
    return code;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_schema = schema;
}
