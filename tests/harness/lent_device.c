/* SPDX-License-Identifier: Apache-2.0 */
#include "lent_device.h"

#include <check.h>
#include <errno.h>

#include "devices.h"
#include "export.h"
#include "move.h"
#include "sample.h"

Suite *harness_lent_device_suite(void);

static struct adi_device cpu = {.ops = &adi_device_cpu, .id = -1};

static void produce(struct adi_device *device, const char *shape, struct ArrowDeviceArray *out) {
    struct ArrowSchema schema;
    struct ArrowArray host;
    ck_assert_int_eq(adi_sample(adi_sample_type_named("int32"), adi_sample_shape_named(shape), 1,
                                &schema, &host, NULL),
                     0);
    ck_assert_int_eq(adi_produce(device, &schema, &host, out, NULL), 0);
    adi_schema_release(&schema);
}

START_TEST(a_device_of_which_something_is_kept_is_held)
{
    struct ArrowDeviceArray array;
    struct adi_device *lent = adi_lend_device(&cpu);
    ck_assert_ptr_nonnull(lent);
    ck_assert_ptr_eq(adi_lend_device(&cpu), lent);
    produce(lent, "many", &array);
    ck_assert(adi_lent_device_is_held(&cpu));
    adi_device_array_release(&array);
}
END_TEST

START_TEST(a_device_whose_arrays_are_released_is_not)
{
    struct ArrowDeviceArray array;
    ck_assert(!adi_lent_device_is_held(&cpu));
    produce(adi_lend_device(&cpu), "many", &array);
    adi_device_array_release(&array);
    ck_assert(!adi_lent_device_is_held(&cpu));
}
END_TEST

/* A stream that is kept may be asked for its next chunk when all is over. */
START_TEST(nothing_is_made_on_one_that_was_closed)
{
    struct adi_error error;
    void *buffer;
    struct adi_device *lent = adi_lend_device(&cpu);
    ck_assert(!adi_lent_device_is_held(&cpu));
    ck_assert_int_eq(lent->ops->alloc(lent, 8, &buffer, &error), ENODEV);
    ck_assert_str_eq(error.text, "the device was closed");
}
END_TEST

START_TEST(so_many_may_be_held_and_no_more)
{
    static struct {
        struct adi_device device;
        struct ArrowDeviceArray array;
    } all[64];
    size_t n = 0;
    for (struct adi_device *lent; n < 64; n++) {
        all[n].device = cpu;
        all[n].device.id = (int64_t)n;
        lent = adi_lend_device(&all[n].device);
        if (lent == NULL) break;
        produce(lent, "many", &all[n].array);
        ck_assert(adi_lent_device_is_held(&all[n].device));
    }
    ck_assert_uint_gt(n, 8);
    ck_assert_uint_lt(n, 64);
    while (n-- > 0) adi_device_array_release(&all[n].array);
    ck_assert_ptr_nonnull(adi_lend_device(&cpu));
}
END_TEST

Suite *harness_lent_device_suite(void) {
    Suite *suite = suite_create("harness_lent_device");
    TCase *tests = tcase_create("lent_device");
    tcase_add_test(tests, a_device_of_which_something_is_kept_is_held);
    tcase_add_test(tests, a_device_whose_arrays_are_released_is_not);
    tcase_add_test(tests, nothing_is_made_on_one_that_was_closed);
    tcase_add_test(tests, so_many_may_be_held_and_no_more);
    suite_add_tcase(suite, tests);
    return suite;
}
