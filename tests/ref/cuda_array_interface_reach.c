/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose memory a description leads to, and whether all items lie within it; on the simulated
 * driver.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "description.h"
#include "import.h"
#include "move.h"
#include "on_cuda.h"

Suite *ref_cuda_array_interface_reach_suite(void);

static const int32_t six[] = {1, 2, 3, 4, 5, 6};
static struct ArrowSchema schema;
static struct ArrowDeviceArray out;

START_TEST(the_device_is_found_by_the_pointer)
{
    static const struct adi_device_ops *const kinds[] = {
        &adi_device_cuda_managed, &adi_device_cuda_host, &adi_device_cuda, &adi_device_cuda};
    int64_t beyond[] = {7};
    struct adi_device devices[4], cpu, *all[5], *found;
    void *buffer;
    open_both();
    ck_assert_int_eq(adi_device_cpu.open(-1, &cpu, &error), 0);
    all[0] = &cpu;
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(kinds[i]->open(i == 3, &devices[i], &error), 0);
        all[i + 1] = &devices[i];
    }
    ck_assert_int_eq(kinds[_i]->alloc(&devices[_i], 24, &buffer, &error), 0);
    struct adi_cuda_array in = DESCRIPTION(2, "<i4", (uintptr_t)buffer, SHAPE(6));
    ck_assert_msg(adi_cuda_array_device(all, 5, &in, &found, &error) == 0, "%s", error.text);
    ck_assert_ptr_eq(found, &devices[_i]);
    struct adi_device *first = _i == 3 ? &devices[3] : &devices[2]; /* reaches it, too */
    ck_assert_int_eq(adi_cuda_array_device(&first, 1, &in, &found, &error), 0);
    ck_assert_ptr_eq(found, first);
    ck_assert_int_eq(adi_cuda_array_device(all, 1, &in, &found, &error), ENOTSUP);
    ck_assert_int_eq(adi_cuda_array_device(all, 0, &in, &found, &error), ENOTSUP);
    if (_i == 3) {
        ck_assert_int_eq(adi_cuda_array_device(all, 4, &in, &found, &error), EFAULT);
        ck_assert_ptr_nonnull(strstr(error.text, "is memory of cuda:1, not of cuda:0"));
    }
    /* Why not is told of the device that it is on, whichever was asked last. */
    in.shape = beyond;
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(adi_cuda_array_device(all, 5, &in, &found, &error), EFAULT);
        ck_assert_msg(strstr(error.text, "item [6] lies in bytes 24 to 28 of an") != NULL, "%s",
                      error.text);
        struct adi_device *last = all[1];
        all[1] = all[4];
        all[4] = last;
    }
    kinds[_i]->free(&devices[_i], buffer);
    for (int i = 0; i < 4; i++) kinds[i]->close(&devices[i]);
    adi_device_cpu.close(&cpu);
    close_both();
}
END_TEST

START_TEST(strides_that_leave_the_allocation_are_refused)
{
    static const struct {
        int64_t first, stride;
        const char *beyond; /* NULL: all fit */
    } rows[] = {{0, 8, NULL},     {4, 8, NULL},   {8, 8, "24 to"},
                {20, -8, NULL},   {16, -8, NULL}, {15, -8, "-1 to 3 of an allocation of 24 bytes"},
                {0, -1, "-2 to"}, {0, 10, NULL},  {1, 10, "21 to 25 of an allocation of 24 bytes"}};
    char says[80];
    struct adi_pointer_attributes found;
    open_both();
    void *data = put(six, sizeof six);
    settle();
    int64_t strides[] = {rows[_i].stride};
    struct adi_cuda_array in = DESCRIPTION(3, "<i4", (uintptr_t)data + (uintptr_t)rows[_i].first,
                                           SHAPE(3), .has_strides = G, .strides = strides);
    int wanted = rows[_i].beyond == NULL ? 0 : EFAULT;
    ck_assert_int_eq(adi_cuda_array_reach(&consumer, &in, &found, &error), wanted);
    snprintf(says, sizeof says, "data: item [2] lies in bytes %s",
             wanted == 0 ? "" : rows[_i].beyond);
    if (wanted != 0) ck_assert_msg(strstr(error.text, says) != NULL, "%s", error.text);
    int code =
        adi_cuda_array_to_arrow(&consumer, &in, ADI_COPY_IF_NEEDED, true, &schema, &out, &error);
    ck_assert_int_eq(code, wanted);
    if (code == 0) adi_schema_release(&schema);
    if (code == 0) adi_device_array_release(&out);
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

START_TEST(memory_of_others_is_refused)
{
    struct adi_device other, cpu;
    void *buffer;
    open_both();
    ck_assert_int_eq(adi_device_cuda.open(1, &other, &error), 0);
    ck_assert_int_eq(adi_device_cpu.open(-1, &cpu, &error), 0);
    ck_assert_int_eq(other.ops->alloc(&other, 24, &buffer, &error), 0);
    struct adi_cuda_array in = DESCRIPTION(2, "<i4", (uintptr_t)buffer, SHAPE(6));
    ck_assert_int_eq(
        adi_cuda_array_to_arrow(&consumer, &in, ADI_COPY_ALWAYS, true, &schema, &out, &error),
        EFAULT);
    ck_assert_ptr_nonnull(strstr(error.text, "is memory of cuda:1, not of cuda:0"));
    ck_assert_int_eq(
        adi_cuda_array_to_arrow(&cpu, &in, ADI_COPY_ALWAYS, true, &schema, &out, &error), ENOTSUP);
    ck_assert_str_eq(error.text, "cpu:-1 is no device of CUDA's");
    other.ops->free(&other, buffer);
    other.ops->close(&other);
    adi_device_cpu.close(&cpu);
    close_both();
}
END_TEST

Suite *ref_cuda_array_interface_reach_suite(void) {
    Suite *suite = suite_create("ref_cuda_array_interface_reach");
    TCase *tests = tcase_create("reach");
    tcase_add_loop_test(tests, the_device_is_found_by_the_pointer, 0, 4);
    tcase_add_loop_test(tests, strides_that_leave_the_allocation_are_refused, 0, 9);
    tcase_add_test(tests, memory_of_others_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
