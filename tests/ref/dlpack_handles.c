/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensors of devices whose buffers are handles, or addresses of a memory of their own: nobody adds
 * to `data`, and offsets go through byte_offset and ArrowArray.offset. Each test opens its device
 * itself: what a runtime has started does not outlive a fork.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "devices.h"
#include "dlpack.h"
#include "export.h"
#include "import.h"
#include "literal.h"
#include "move.h"
#include "tensor.h"

Suite *ref_dlpack_handles_suite(void);

static const struct adi_device_ops *const backends[] = {&adi_device_opencl, &adi_device_vulkan,
                                                        &adi_device_vpi};
#define BACKENDS ((int)(sizeof backends / sizeof *backends))
#define HANDLES  2 /* of which so many have handles, and VPI addresses */

static struct adi_device device;
static struct adi_error error;
static const struct adi_dlpack_arguments newest = ADI_DLPACK_DEFAULTS;
static const struct adi_dlpack_arguments no_copy = {
    .max_major = 1, .max_minor = 3, .copy = 0, .stream = ADI_DLPACK_NONE};
static const int32_t numbers[] = {11, 22, 33, 44, 55, 66};

/* false: there is none, and that has been said. */
static bool open_device(int which) {
    struct adi_device_probe probe;
    backends[which]->probe(&probe);
    if (probe.count == 0)
        printf("skip: dlpack_handles: %s: %s\n", backends[which]->name, probe.why.text);
    else
        ck_assert_msg(backends[which]->open(probe.ids[0], &device, &error) == 0, "%s", error.text);
    return probe.count > 0;
}

/* The last four of six, with an offset. */
static void produce(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    struct ArrowArray host = ARRAY(.length = 4, .offset = 2, BUFFERS(NULL, numbers));
    ck_assert_msg(adi_produce(&device, schema, &host, out, &error) == 0, "%s", error.text);
}

static void expect_numbers(const struct ArrowSchema *schema, struct ArrowDeviceArray *array) {
    struct ArrowArray host;
    ck_assert_msg(adi_consume(&device, schema, array, &host, &error) == 0, "%s", error.text);
    ck_assert_int_eq(host.length, 4);
    ck_assert_mem_eq((const int32_t *)host.buffers[1] + host.offset, numbers + 2, 16);
    adi_array_release(&host);
}

START_TEST(an_offset_goes_through_the_tensor_and_back)
{
    struct ArrowSchema schema = SCHEMA("i"), schema_back;
    struct ArrowDeviceArray array, back;
    struct adi_dlpack out;
    const DLTensor *tensor;
    if (!open_device(_i)) return;
    produce(&schema, &array);
    const void *buffer = array.array.buffers[1];
    ck_assert_msg(adi_dlpack_export(&device, &schema, &array, ADI_DLPACK_READ_ONLY, &no_copy, &out,
                                    &error) == 0,
                  "%s", error.text);
    ck_assert_int_eq(adi_dlpack_look(&out, &tensor, NULL, NULL, NULL), 0);
    ck_assert_ptr_eq(tensor->data, buffer);
    ck_assert_uint_eq(tensor->byte_offset, 8);
    ck_assert_msg(adi_dlpack_import(&device, &out, &no_copy, &schema_back, &back, &error) == 0,
                  "%s", error.text);
    bool is_address = backends[_i] == &adi_device_vpi;
    ck_assert_ptr_eq(back.array.buffers[1], (const char *)buffer + (is_address ? 8 : 0));
    ck_assert_int_eq(back.array.offset, is_address ? 0 : 2);
    ck_assert_ptr_null(back.sync_event); /* None: the host has waited */
    expect_numbers(&schema_back, &back);
    adi_schema_release(&schema_back);
    device.ops->close(&device);
}
END_TEST

/* Bytes 9 to 24 as four numbers: no offset of an array says that. */
START_TEST(an_offset_of_half_a_value_is_copied)
{
    struct ArrowSchema schema = SCHEMA("C"), schema_back;
    struct ArrowDeviceArray array, back;
    struct ArrowArray host_back;
    struct adi_dlpack out;
    unsigned char bytes[32];
    if (!open_device(_i)) return;
    for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * 7 + 1);
    struct ArrowArray host = ARRAY(.length = 32, BUFFERS(NULL, bytes));
    ck_assert_int_eq(adi_produce(&device, &schema, &host, &array, &error), 0);
    ck_assert_int_eq(
        adi_dlpack_export(&device, &schema, &array, ADI_DLPACK_READ_ONLY, &no_copy, &out, &error),
        0);
    DLTensor *tensor = &out.versioned->dl_tensor;
    tensor->dtype = (DLDataType){kDLInt, 32, 1};
    tensor->shape[0] = 4;
    tensor->byte_offset = 9;
    ck_assert_int_eq(adi_dlpack_import(&device, &out, &no_copy, &schema_back, &back, &error),
                     ENOTSUP);
    ck_assert_str_eq(error.text, "it cannot be had without a copy: the offset is not one of whole "
                                 "values");
    ck_assert_msg(adi_dlpack_import(&device, &out, &newest, &schema_back, &back, &error) == 0, "%s",
                  error.text);
    ck_assert_int_eq(adi_consume(&device, &schema_back, &back, &host_back, &error), 0);
    ck_assert_mem_eq(host_back.buffers[1], bytes + 9, 16);
    adi_array_release(&host_back);
    adi_schema_release(&schema_back);
    device.ops->close(&device);
}
END_TEST

START_TEST(a_tensor_is_read_with_its_strides)
{
    struct tensor host;
    struct adi_dlpack_source *source;
    struct adi_dlpack out, back;
    const DLTensor *tensor;
    DLTensor reversed = {.data = (void *)(uintptr_t)numbers,
                         .device = {kDLCPU, 0},
                         .ndim = 1,
                         .dtype = {kDLInt, 32, 1},
                         .shape = LIST(3),
                         .strides = LIST(-2),
                         .byte_offset = 20};
    if (!open_device(_i)) return;
    tensor_make(&reversed, 3, 0, &host);
    struct adi_dlpack in = tensor_of(&host, true);
    ck_assert_msg(adi_dlpack_produce(&device, &in, ADI_DLPACK_WRITABLE, &source, &error) == 0, "%s",
                  error.text);
    ck_assert_int_eq(adi_dlpack_ask(source, &newest, &out, &error), 0);
    adi_dlpack_close(source);
    ck_assert_msg(adi_dlpack_consume(&device, &out, &newest, &back, &error) == 0, "%s", error.text);
    ck_assert_int_eq(adi_dlpack_look(&back, &tensor, NULL, NULL, NULL), 0);
    for (int64_t i = 0; i < 3; i++)
        ck_assert_int_eq(*(const int32_t *)tensor_at(tensor, &i), numbers[5 - 2 * i]);
    adi_dlpack_delete(&back);
    device.ops->close(&device);
}
END_TEST

/* In front of a handle's memory there is nothing that could be said of it. */
START_TEST(elements_in_front_of_a_handle_are_refused)
{
    struct ArrowSchema schema = SCHEMA("i"), schema_back;
    struct ArrowDeviceArray array, back;
    struct adi_dlpack out;
    if (!open_device(0)) return;
    produce(&schema, &array);
    ck_assert_int_eq(
        adi_dlpack_export(&device, &schema, &array, ADI_DLPACK_READ_ONLY, &no_copy, &out, &error),
        0);
    out.versioned->dl_tensor.strides[0] = -1;
    ck_assert_int_eq(adi_dlpack_import(&device, &out, &newest, &schema_back, &back, &error),
                     EINVAL);
    ck_assert_str_eq(error.text, "elements lie 4 bytes in front of the memory");
    adi_dlpack_delete(&out);
    device.ops->close(&device);
}
END_TEST

Suite *ref_dlpack_handles_suite(void) {
    Suite *suite = suite_create("ref_dlpack_handles");
    TCase *tests = tcase_create("handles");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, an_offset_goes_through_the_tensor_and_back, 0, BACKENDS);
    tcase_add_loop_test(tests, an_offset_of_half_a_value_is_copied, 0, HANDLES);
    tcase_add_loop_test(tests, a_tensor_is_read_with_its_strides, 0, BACKENDS);
    tcase_add_test(tests, elements_in_front_of_a_handle_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
