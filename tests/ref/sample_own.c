/* SPDX-License-Identifier: Apache-2.0 */
#include "sample_own.h"

#include <check.h>
#include <errno.h>
#include <string.h>

#include "../devices/devices.h"
#include "case.h"
#include "compare.h"
#include "move.h"

Suite *ref_sample_own_suite(void);

static struct adi_device cpu = {.ops = &adi_device_cpu, .id = -1};

START_TEST(a_sample_of_ones_own_is_a_copy_whatever_the_seed)
{
    struct ArrowSchema schema, first_schema, second_schema;
    struct ArrowArray array, first, second;
    struct adi_error error = {""};
    ck_assert_int_eq(adi_sample(adi_sample_type_named("list_utf8"), adi_sample_shape_named("nulls"),
                                7, &schema, &array, &error),
                     0);
    adi_sample_own_set(&cpu, &schema, &array, 1);
    const struct adi_sample_type *type = adi_sample_own_type();
    const struct adi_sample_shape *shape = adi_sample_own_shape();
    ck_assert_int_eq(adi_sample(type, shape, 1, &first_schema, &first, &error), 0);
    ck_assert_int_eq(adi_sample(type, shape, 2, &second_schema, &second, &error), 0);
    ck_assert_int_eq(adi_array_compare(&first_schema, &first, &schema, &array, &error), 0);
    ck_assert_ptr_ne(first.children[0]->buffers[1], array.children[0]->buffers[1]);
    adi_array_release(&array);
    adi_schema_release(&schema);
    ck_assert_int_eq(adi_array_compare(&second_schema, &second, &first_schema, &first, &error), 0);
    adi_sample_own_fails(5, false);
    ck_assert_int_eq(adi_sample_own_failure(false), 5);
    ck_assert_int_eq(adi_sample_own_failure(true), 0);
    adi_sample_own_set(NULL, NULL, NULL, 0);
    ck_assert_int_eq(adi_sample_own_failure(false), 0);
    adi_array_release(&first);
    adi_array_release(&second);
    adi_schema_release(&first_schema);
    adi_schema_release(&second_schema);
}
END_TEST

START_TEST(there_is_none_until_it_is_told)
{
    struct ArrowSchema schema;
    struct ArrowArray array;
    struct adi_error error = {""};
    ck_assert_int_eq(
        adi_sample(adi_sample_own_type(), adi_sample_own_shape(), 1, &schema, &array, &error),
        EINVAL);
    ck_assert_str_eq(error.text, "there is no sample own/own");
}
END_TEST

START_TEST(its_cases_are_listed_behind_all_others)
{
    size_t before = adi_case_count();
    adi_case_list_own(true);
    ck_assert_uint_gt(adi_case_count(), before);
    for (size_t i = 0; i < adi_case_count(); i++)
        ck_assert_int_eq(strncmp(adi_case(i)->name, "own/own/", 8) == 0, i >= before);
    adi_case_list_own(true);
    adi_case_list_own(false);
    ck_assert_uint_eq(adi_case_count(), before);
}
END_TEST

Suite *ref_sample_own_suite(void) {
    Suite *suite = suite_create("ref_sample_own");
    TCase *own = tcase_create("own");
    tcase_add_test(own, a_sample_of_ones_own_is_a_copy_whatever_the_seed);
    tcase_add_test(own, there_is_none_until_it_is_told);
    tcase_add_test(own, its_cases_are_listed_behind_all_others);
    suite_add_tcase(suite, own);
    return suite;
}
