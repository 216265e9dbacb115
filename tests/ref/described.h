/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrow's arrays in memory of the producer, and their descriptions.
 */
#ifndef ADI_TESTS_DESCRIBED_H
#define ADI_TESTS_DESCRIBED_H

#include <string.h>

#include "description.h"
#include "export.h"
#include "move.h"
#include "on_cuda.h"

static const int32_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static int released;

static inline void count_release(void *unused) {
    (void)unused;
    released++;
}

static inline void give(const struct ArrowArray *tree, struct ArrowDeviceArray *out) {
    struct adi_owner owner = {count_release, NULL};
    *out = (struct ArrowDeviceArray){.device_type = ARROW_DEVICE_CUDA};
    ck_assert_int_eq(adi_export(tree, owner, &out->array, &error), 0);
}

/* On failure nothing has happened to the array, which is released then. */
static inline int describe(struct ArrowSchema *schema, const struct ArrowArray *tree,
                           enum adi_copy copy, int64_t version, struct adi_cuda_array *as) {
    struct ArrowDeviceArray array, before;
    const struct adi_cuda_array_options options = {.version = version, .copy = copy};
    give(tree, &array);
    memcpy(&before, &array, sizeof array);
    int code = adi_cuda_array_from_arrow(&producer, schema, &array, &options, as, &error);
    if (code == 0) {
        ck_assert(array.array.release == NULL); /* moved from */
        ck_assert_int_eq(adi_cuda_array_check_producer(as, &error), 0);
    } else {
        ck_assert_int_eq(memcmp(&before, &array, sizeof array), 0);
        ck_assert_int_eq(released, 0);
        adi_device_array_release(&array);
    }
    return code;
}

#endif /* ADI_TESTS_DESCRIBED_H */
