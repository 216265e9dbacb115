/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to who stands in for a stream: its callbacks of both kinds, the only code that knows
 * their signatures. Included once by a file, which has these four.
 */
#ifndef ADI_STREAM_CALLBACKS_H
#define ADI_STREAM_CALLBACKS_H

#include "kind.h"

static int give_schema(const struct adi_kind *kind, void *self, struct ArrowSchema *out);
static int give_next(const struct adi_kind *kind, void *self, void *out);
static const char *give_error(const struct adi_kind *kind, void *self);
static void on_release(const struct adi_kind *kind, void *self);

static int device_schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    return give_schema(&adi_kind_device_array_stream, self, out);
}

static int device_next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    return give_next(&adi_kind_device_array_stream, self, out);
}

static const char *device_error(struct ArrowDeviceArrayStream *self) {
    return give_error(&adi_kind_device_array_stream, self);
}

static void device_release(struct ArrowDeviceArrayStream *self) {
    on_release(&adi_kind_device_array_stream, self);
}

static int host_schema(struct ArrowArrayStream *self, struct ArrowSchema *out) {
    return give_schema(&adi_kind_array_stream, self, out);
}

static int host_next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    return give_next(&adi_kind_array_stream, self, out);
}

static const char *host_error(struct ArrowArrayStream *self) {
    return give_error(&adi_kind_array_stream, self);
}

static void host_release(struct ArrowArrayStream *self) {
    on_release(&adi_kind_array_stream, self);
}

#endif /* ADI_STREAM_CALLBACKS_H */
