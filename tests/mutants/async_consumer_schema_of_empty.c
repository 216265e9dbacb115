/* SPDX-License-Identifier: Apache-2.0
 *
 * array/misread, consumer: where no batch has come, the copy is of the null type.
 */
#include "base/async_consumer.h"

static char null_type[] = "n";

static void over(struct base_sink *sink) {
    const struct ArrowSchema nothing = {.format = null_type, .name = ""};
    struct ArrowSchema copy;
    if (sink->n > 0 || sink->schema.release == NULL || base_schema_copy(&nothing, &copy) != 0)
        return;
    sink->schema.release(&sink->schema);
    sink->schema = copy;
}

void mutate(void) {
    base_async_consumer.over = over;
    base_consumes_async();
}
