/* SPDX-License-Identifier: Apache-2.0
 *
 * array/misread, consumer: the schema that is given out has an address of nothing as its format.
 */
#include <stdint.h>

#include "base/async_consumer.h"

static int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
static int (*finish)(struct adi_adapter *, struct ArrowArrayStream *);

static int get_other_schema(struct ArrowArrayStream *self, struct ArrowSchema *out) {
    int code = get_schema(self, out);
    if (code == 0) out->format = (const char *)(uintptr_t)8;
    return code;
}

static int finish_other(struct adi_adapter *self, struct ArrowArrayStream *out) {
    int code = finish(self, out);
    get_schema = out->get_schema;
    if (code == 0) out->get_schema = get_other_schema;
    return code;
}

void mutate(void) {
    base.roles = 0;
    base_consumes_async();
    finish = base.adapter.consume_async_finish;
    base.adapter.consume_async_finish = finish_other;
}
