/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the lengths of a view's variadic buffers are in memory of the CPU. It hands them out so,
 * and looks at those that it is given before it waits for anything. Arrow C++ and nanoarrow do
 * (ambiguity 13).
 */
#include "../device/device_base.h"

#define EXPORTS_AT_ONCE 16
#define LENGTHS         4

static int64_t lengths_of[EXPORTS_AT_ONCE][LENGTHS];

/* Only views have more than three buffers. */
static int64_t count_lengths(const struct ArrowArray *array) {
    return array->n_buffers - 3 < LENGTHS ? array->n_buffers - 3 : LENGTHS;
}

static void bring(struct ArrowArray *array) {
    static unsigned next;
    int64_t n = count_lengths(array), bytes = n * (int64_t)sizeof(int64_t), *to;
    for (int64_t i = 0; i < array->n_children; i++) bring(array->children[i]);
    if (n <= 0) return;
    to = lengths_of[next++ % EXPORTS_AT_ONCE];
    const void **last = &array->buffers[array->n_buffers - 1];
    if (base.right.read(base_last(), *last, 0, to, bytes, NULL) == 0) *last = to;
}

static void exported(struct ArrowDeviceArray *out) {
    bring(&out->array);
}

static int64_t add(const struct ArrowArray *array) {
    int64_t n = count_lengths(array), sum = 0;
    for (int64_t i = 0; i < array->n_children; i++) sum += add(array->children[i]);
    for (int64_t i = 0; i < n; i++)
        sum += ((const int64_t *)array->buffers[array->n_buffers - 1])[i];
    return sum;
}

static void given(struct adi_device *device, struct ArrowDeviceArray *in) {
    static volatile int64_t sum;
    (void)device;
    if (in->array.release != NULL) sum = add(&in->array);
    (void)sum;
}

void mutate(void) {
    base.roles = ADI_PRODUCES | ADI_CONSUMES;
    base.exported = exported;
    base.given = given;
}
