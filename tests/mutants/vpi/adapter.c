/* SPDX-License-Identifier: Apache-2.0 */
#include "vpi.h"

/* The model is the host's. */
static int open_model(int64_t id, struct adi_device *out, struct adi_error *error) {
    int code = driver_attach(base.host, id, out);
    return code == 0 ? 0 : adi_error_set(error, code, "no such model");
}

static void close_model(struct adi_device *device) {
    (void)device;
}

static void begin(void) {
    base.ops.open = open_model;
    base.ops.close = close_model;
}

const struct base_kind base_kind = {
    .name = "vpi base", .device = &driver_ops, .is_handed_out = true, .begin = begin};
