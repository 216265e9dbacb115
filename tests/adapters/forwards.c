/* SPDX-License-Identifier: Apache-2.0 */
/* Streams on the CPU by way of adapter_stream.h, without a library of its own behind them. What
 * `produce_stream` does to its source is wrong, and the adapter's: it is copied, and not marked. */
#include <adapter_stream.h>

#include <adapter.h>
#include <stddef.h>

static unsigned roles(struct adi_adapter *self, ArrowDeviceType type, int64_t id) {
    (void)self, (void)id;
    return type == ARROW_DEVICE_CPU ? ADI_PRODUCES_STREAM | ADI_CONSUMES_STREAM : 0;
}

/* ---- consuming: chunks of the CPU are handed on as they are ---- */

static int schema(void *in_at, struct ArrowSchema *out) {
    struct ArrowDeviceArrayStream *in = in_at;
    return in->get_schema(in, out);
}

static int next(void *in_at, struct ArrowArray *out) {
    struct ArrowDeviceArrayStream *in = in_at;
    struct ArrowDeviceArray chunk;
    int code = in->get_next(in, &chunk);
    if (code == 0) *out = chunk.array;
    return code;
}

static const char *error(void *in_at) {
    struct ArrowDeviceArrayStream *in = in_at;
    return in->get_last_error(in);
}

static void end(void *in_at) {
    struct ArrowDeviceArrayStream *in = in_at;
    in->release(in);
    free(in);
}

static int consume_stream(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                          struct ArrowArrayStream *host_out) {
    (void)self;
    if (in->release == NULL || in->device_type != ARROW_DEVICE_CPU) return EINVAL;
    struct ArrowDeviceArrayStream *kept = malloc(sizeof *kept);
    if (kept == NULL) return ENOMEM;
    const struct adi_forwarded from = {kept, schema, next, error, end};
    int code = adi_forward(host_out, &from);
    if (code != 0) {
        free(kept);
        return code;
    }
    *kept = *in;
    in->release = NULL;
    return 0;
}

/* ---- producing ---- */

static int produced_schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    struct ArrowArrayStream *host = self->private_data;
    return host->get_schema(host, out);
}

static int produced_next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct ArrowArrayStream *host = self->private_data;
    struct ArrowArray chunk;
    int code = host->get_next(host, &chunk);
    if (code != 0) return code;
    *out =
        (struct ArrowDeviceArray){.array = chunk, .device_id = -1, .device_type = ARROW_DEVICE_CPU};
    return 0;
}

static const char *produced_error(struct ArrowDeviceArrayStream *self) {
    struct ArrowArrayStream *host = self->private_data;
    return host->get_last_error(host);
}

static void produced_release(struct ArrowDeviceArrayStream *self) {
    adi_forward_end(self->private_data);
    free(self->private_data);
    self->release = NULL;
}

static int produce_stream(struct adi_adapter *self, ArrowDeviceType type, int64_t id,
                          struct ArrowArrayStream *host, struct ArrowDeviceArrayStream *out) {
    (void)self, (void)id;
    struct ArrowArrayStream *kept = malloc(sizeof *kept);
    if (kept == NULL) return ENOMEM;
    *kept = *host;
    *out = (struct ArrowDeviceArrayStream){type,           produced_schema,  produced_next,
                                           produced_error, produced_release, kept};
    return 0;
}

struct adi_adapter *adi_adapter(void) {
    static struct adi_adapter forwards = {.size = sizeof forwards,
                                          .version = ADI_ADAPTER_VERSION,
                                          .name = "forwards",
                                          .release_name = "1",
                                          .roles = roles,
                                          .produce_stream = produce_stream,
                                          .consume_stream = consume_stream};
    return &forwards;
}
