/* SPDX-License-Identifier: Apache-2.0
 *
 * life/use-after-release, consumer. Planted: a relay keeps its inputs in one list, and releases all
 * of them with the first of its exports.
 */
#include <errno.h>

#include "base/implementation.h"

#define INPUTS 64

static struct ArrowArray inputs[INPUTS];
static size_t n_inputs;

static void release_nothing(struct ArrowArray *array) {
    array->release = NULL;
}

static void release_root(struct ArrowArray *array) {
    base_array_release(array);
    while (n_inputs > 0) {
        struct ArrowArray input = inputs[--n_inputs];
        input.release(&input);
    }
}

/* The base is lent an array that need not be released. */
static int relay(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    struct ArrowDeviceArray lent = *in;
    lent.array.release = release_nothing;
    if (n_inputs == INPUTS) return ENOTSUP;
    int code = base_relay(self, schema, &lent, schema_out, out);
    if (code != 0) return code;
    inputs[n_inputs++] = in->array;
    in->array.release = NULL;
    out->array.release = release_root;
    return 0;
}

void mutate(void) {
    base.roles = ADI_RELAYS;
    base.adapter.relay = relay;
}
