/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/fails-by-itself, consumer: the second chunk of the copies cannot be read, though what was
 * consumed can.
 */
#include <errno.h>

#include "base/stream.h"

static int next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    struct ArrowArray made;
    if (base_copy_of(self)->chunks != 1) return base_copied_next(self, out);
    int code = base_copied_next(self, &made);
    if (code != 0) return code;
    if (made.release == NULL) {
        out->release = NULL;
        return 0;
    }
    made.release(&made);
    return EIO;
}

static const char *error(struct ArrowArrayStream *self) {
    (void)self;
    return "it failed";
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base_copied.get_last_error = error;
    base_copied.get_next = next;
}
