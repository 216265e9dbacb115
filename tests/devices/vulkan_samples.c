/* SPDX-License-Identifier: Apache-2.0
 *
 * Every sample goes to the device by the reference producer and comes back by the reference
 * consumer.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "export.h"
#include "import.h"
#include "move.h"
#include "sample.h"
#include "vulkan_fixture.h"

Suite *devices_vulkan_samples_suite(void);

#define SEED 1

/* `held`: the consumer imports and waits before anything has been written. */
static void round_trip(const struct adi_sample_type *type, const struct adi_sample_shape *shape,
                       bool held) {
    struct ArrowSchema schema;
    struct ArrowArray host, wanted, back;
    struct ArrowDeviceArray array, taken;
    expect_ok(adi_sample(type, shape, SEED, &schema, &host, &error));
    adi_schema_release(&schema);
    expect_ok(adi_sample(type, shape, SEED, &schema, &wanted, &error));
    if (held) expect_ok(ops->pause(&producer, &error));
    expect_ok(adi_produce(&producer, &schema, &host, &array, &error));
    ck_assert_int_eq(array.device_type, ARROW_DEVICE_VULKAN);
    ck_assert_ptr_nonnull(array.sync_event);
    expect_ok(adi_import(&consumer, &schema, &array, &taken, &error));
    if (held) {
        expect_ok(ops->wait(&consumer, taken.sync_event, &error));
        expect_ok(ops->resume(&producer, &error));
    }
    expect_ok(adi_copy_to_host(&consumer, &schema, &taken, &back, &error));
    adi_device_array_release(&taken);
    ck_assert_msg(adi_array_compare(&schema, &back, &schema, &wanted, &error) == 0, "%s/%s: %s",
                  type->name, shape->name, error.text);
    adi_array_release(&back);
    adi_array_release(&wanted);
    adi_schema_release(&schema);
}

START_TEST(every_sample_survives_the_round_trip)
{
    const struct adi_sample_type *type;
    const struct adi_sample_shape *shape;
    int count = 0;
    for (size_t i = 0; (type = adi_sample_type(i)) != NULL; i++) {
        for (size_t k = 0; (shape = adi_sample_shape(k)) != NULL; k++) {
            if (!adi_sample_exists(type, shape)) continue;
            if (getenv("ADI_TEST_FULL") == NULL && (i + k) % 4 != 0) continue;
            round_trip(type, shape, count++ % 8 == 0);
        }
    }
    ck_assert_int_ge(count, 100);
    adi_vulkan_reap(vulkan_of(&producer));
    ck_assert_ptr_null(vulkan_of(&producer)->live);
}
END_TEST

static void add(TCase *tests) {
    tcase_add_test(tests, every_sample_survives_the_round_trip);
}

Suite *devices_vulkan_samples_suite(void) {
    Suite *suite = suite_create("devices_vulkan_samples");
    add_twice(suite, add);
    return suite;
}
