/* SPDX-License-Identifier: Apache-2.0
 *
 * array/not-owned-by-producer, producer. Planted: the values lie in a frame of the stack that is
 * gone.
 */
#include <stdlib.h>
#include <string.h>

#include "base/implementation.h"

static void release(struct ArrowArray *array) {
    array->buffers[1] = NULL;
    base_array_release(array);
}

__attribute__((noinline)) static void use_frame(struct ArrowArray *array) {
    char frame[24576]; /* deeper than anything that is called before it is read */
    char *volatile values = memcpy(frame, array->buffers[1], (size_t)array->length * 4);
    free((void *)array->buffers[1]);
    array->buffers[1] = values;
    array->release = release;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    int code = base_produce(self, type, device_id, schema, host, schema_out, out);
    if (code == 0) use_frame(&out->array);
    return code;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.adapter.produce = produce;
}
