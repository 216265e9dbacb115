/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Each export is made by a thread that ends with it.
 */
#include <errno.h>
#include <pthread.h>

#include "base/implementation.h"

struct work {
    struct ArrowSchema *schema, *schema_out;
    struct ArrowArray *host;
    struct ArrowDeviceArray *out;
    int code;
};

static void *do_work(void *work_at) {
    struct work *work = work_at;
    work->code = base_produce(&base.adapter, ARROW_DEVICE_CPU, -1, work->schema, work->host,
                              work->schema_out, work->out);
    return NULL;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    (void)self, (void)device_id;
    pthread_t thread;
    struct work work = {schema, schema_out, host, out, 0};
    if (type != ARROW_DEVICE_CPU) return ENOTSUP;
    int code = pthread_create(&thread, NULL, do_work, &work);
    return code != 0 ? code : pthread_join(thread, NULL) != 0 ? EINVAL : work.code;
}

void mutate(void) {
    base.adapter.produce = produce;
}
