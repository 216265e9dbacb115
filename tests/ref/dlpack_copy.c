/* SPDX-License-Identifier: Apache-2.0
 *
 * Sources that are asked for tensors, as __dlpack__ is: versions, copies and devices; and tensors
 * of every type to a device and back.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counting.h"
#include "devices.h"
#include "dlpack.h"
#include "failing.h"
#include "tensor.h"

Suite *ref_dlpack_copy_suite(void);

static struct adi_error error;
static const struct adi_dlpack_arguments newest = ADI_DLPACK_DEFAULTS;

static const struct adi_device_ops *const backends[] = {NULL,
                                                        &adi_device_cpu,
                                                        &adi_device_ext_dev,
                                                        &adi_device_cuda,
                                                        &adi_device_cuda_host,
                                                        &adi_device_cuda_managed};
#define BACKENDS ((int)(sizeof backends / sizeof *backends))

static struct adi_device opened;
static char log_path[64];

/* NULL: memory of the CPU, without a device. */
static struct adi_device *open_device(int which) {
    const char *build = getenv("ADI_TEST_BUILD");
    char path[4096];
    snprintf(path, sizeof path, "%s/libadisim.so", build == NULL ? "build" : build);
    snprintf(log_path, sizeof log_path, "/tmp/dlpack_copy.%d", (int)getpid());
    ck_assert_int_eq(setenv("ADI_SIM", path, 1), 0);
    ck_assert_int_eq(setenv("ADI_CUDA", "sim", 1), 0);
    ck_assert_int_eq(setenv("ADI_SIM_LOG", log_path, 1), 0);
    if (backends[which] == NULL) return NULL;
    ck_assert_msg(backends[which]->open(which == 1 ? -1 : 0, &opened, &error) == 0, "%s",
                  error.text);
    return &opened;
}

static void close_device(struct adi_device *device) {
    char line[4096];
    if (device != NULL) device->ops->close(device);
    FILE *file = fopen(log_path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        ck_assert_msg(strstr(line, "{\"violation\"") == NULL, "%s", line);
    if (file != NULL) fclose(file);
    unlink(log_path);
}

static const DLTensor *look(const struct adi_dlpack *tensor, uint64_t *flags) {
    const DLTensor *within;
    ck_assert_msg(adi_dlpack_look(tensor, &within, NULL, flags, &error) == 0, "%s", error.text);
    return within;
}

static unsigned char bytes[4096];

static void fill_bytes(void) {
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * 7 + 1);
}

/* ---- every type ---- */

static const DLDataType types[] = {
    {kDLInt, 8, 1},
    {kDLInt, 16, 1},
    {kDLInt, 32, 1},
    {kDLInt, 64, 1},
    {kDLUInt, 8, 1},
    {kDLUInt, 16, 1},
    {kDLUInt, 32, 1},
    {kDLUInt, 64, 1},
    {kDLFloat, 16, 1},
    {kDLFloat, 32, 1},
    {kDLFloat, 64, 1},
    {kDLBfloat, 16, 1},
    {kDLComplex, 64, 1},
    {kDLComplex, 128, 1},
    {kDLBool, 8, 1},
    {kDLFloat, 32, 4},
    {kDLFloat8_e3m4, 8, 1},
    {kDLFloat8_e4m3, 8, 1},
    {kDLFloat8_e4m3b11fnuz, 8, 1},
    {kDLFloat8_e4m3fn, 8, 1},
    {kDLFloat8_e4m3fnuz, 8, 1},
    {kDLFloat8_e5m2, 8, 1},
    {kDLFloat8_e5m2fnuz, 8, 1},
    {kDLFloat8_e8m0fnu, 8, 1},
};
#define TYPES ((int)(sizeof types / sizeof *types))

/* A tensor of `bytes`. */
#define OF_BYTES(...)                                                                              \
    { .data = bytes, .device = {kDLCPU, 0}, __VA_ARGS__ }

static struct adi_dlpack_source *produce(struct adi_device *device, const DLTensor *tensor,
                                         uint64_t flags) {
    struct tensor host;
    struct adi_dlpack_source *source;
    tensor_make(tensor, 3, flags, &host);
    struct adi_dlpack in = tensor_of(&host, true);
    ck_assert_msg(adi_dlpack_produce(device, &in, ADI_DLPACK_WRITABLE, &source, &error) == 0, "%s",
                  error.text);
    return source;
}

/* Asks once, for what is there. */
static struct adi_dlpack ask_and_close(struct adi_dlpack_source *source) {
    struct adi_dlpack out;
    ck_assert_msg(adi_dlpack_ask(source, &newest, &out, &error) == 0, "%s", error.text);
    adi_dlpack_close(source);
    return out;
}

/* To a device with its strides, out as a tensor, and back compact. */
static void carry(struct adi_device *device, const DLTensor *tensor, uint64_t flags) {
    struct adi_dlpack back, out = ask_and_close(produce(device, tensor, flags));
    uint64_t seen;
    int64_t count = 1, at[8];
    const DLTensor *there = look(&out, &seen);
    ck_assert_uint_eq(seen, flags);
    ck_assert_mem_eq(&there->dtype, &tensor->dtype, sizeof there->dtype);
    ck_assert_int_eq(there->ndim, tensor->ndim);
    for (int i = 0; i < tensor->ndim; i++) {
        count *= tensor->shape[i];
        ck_assert_int_eq(there->shape[i], tensor->shape[i]);
        ck_assert_int_eq(there->strides[i], tensor->strides[i]);
    }
    ck_assert_msg(adi_dlpack_consume(device, &out, &newest, &back, &error) == 0, "%s", error.text);
    const DLTensor *here = look(&back, &seen);
    ck_assert_uint_eq(seen, flags | DLPACK_FLAG_BITMASK_IS_COPIED);
    ck_assert_int_eq((int)here->device.device_type, kDLCPU);
    ck_assert(count > 0 || here->data == NULL);
    size_t item = (size_t)(tensor->dtype.bits * tensor->dtype.lanes + 7) / 8;
    for (int64_t i = 0; i < count; i++) {
        tensor_indices(tensor, i, at);
        ck_assert_mem_eq(tensor_at(here, at), tensor_at(tensor, at), item);
    }
    adi_dlpack_delete(&back);
}

START_TEST(every_type_is_carried_with_any_strides)
{
    static const struct {
        int ndim;
        int64_t shape[3], strides[3];
        uint64_t byte_offset;
    } layouts[] = {{0, {0}, {0}, 32},
                   {1, {5}, {1}, 0},
                   {2, {3, 4}, {4, 1}, 48},
                   {2, {3, 4}, {-8, 2}, 1024},
                   {3, {2, 3, 2}, {0, 2, -1}, 64},
                   {2, {0, 4}, {4, 1}, 0}};
    struct adi_device *device = open_device(_i);
    fill_bytes();
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++)
        for (int t = 0; t < TYPES; t++) {
            int64_t shape[3], strides[3];
            memcpy(shape, layouts[l].shape, sizeof shape);
            memcpy(strides, layouts[l].strides, sizeof strides);
            DLTensor tensor = OF_BYTES(.ndim = layouts[l].ndim, .dtype = types[t], .shape = shape,
                                       .strides = strides, .byte_offset = layouts[l].byte_offset);
            carry(device, &tensor, 0);
        }
    close_device(device);
}
END_TEST

/* Seven of 6 bits are 42 bits packed, and 7 bytes padded, where they may have strides. */
START_TEST(elements_of_less_than_a_byte_are_packed_or_padded)
{
    struct adi_device *device = open_device(_i);
    struct tensor host;
    struct adi_dlpack_source *source;
    struct adi_dlpack in, out;
    fill_bytes();
    DLTensor tensor = OF_BYTES(.ndim = 1, .dtype = {kDLFloat6_e2m3fn, 6, 1}, .shape = LIST(7),
                               .strides = LIST(1));
    out = ask_and_close(produce(device, &tensor, 0));
    ck_assert_int_eq(adi_dlpack_consume(device, &out, &newest, &in, &error), 0);
    ck_assert_mem_eq(look(&in, NULL)->data, bytes, 6);
    adi_dlpack_delete(&in);

    tensor.strides[0] = 2;
    tensor_make(&tensor, 3, 0, &host);
    in = tensor_of(&host, true);
    ck_assert_int_eq(adi_dlpack_produce(device, &in, ADI_DLPACK_WRITABLE, &source, &error),
                     ENOTSUP);
    ck_assert_str_eq(error.text, "elements of 6 bits are packed, with strides");
    carry(device, &tensor, DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED);
    close_device(device);
}
END_TEST

/* What lies in front of the first element is none of it. */
START_TEST(who_ignores_byte_offset_reads_something_else)
{
    fill_bytes();
    DLTensor tensor = OF_BYTES(.ndim = 1, .dtype = {kDLUInt, 8, 1}, .shape = LIST(4),
                               .strides = LIST(1), .byte_offset = 3);
    struct adi_dlpack out = ask_and_close(produce(NULL, &tensor, 0));
    const DLTensor *there = look(&out, NULL);
    ck_assert_uint_eq(there->byte_offset, 3);
    ck_assert_uint_eq((uintptr_t)there->data % 256, 0);
    ck_assert_mem_eq((char *)there->data + 3, bytes + 3, 4);
    ck_assert_int_eq(*(unsigned char *)there->data, 0xA5);
    adi_dlpack_delete(&out);
}
END_TEST

/* From a device to the CPU: all has run, and the stream is None. */
START_TEST(the_cpu_is_reached_from_every_device)
{
    struct adi_device *device = open_device(_i);
    bool is_host = _i != 2 && _i != 3;
    struct adi_dlpack_arguments asked = newest;
    struct adi_dlpack out;
    uint64_t flags;
    fill_bytes();
    DLTensor tensor =
        OF_BYTES(.ndim = 2, .dtype = {kDLInt, 16, 1}, .shape = LIST(4, 8), .strides = LIST(8, 1));
    struct adi_dlpack_source *source = produce(device, &tensor, 0);
    asked.device_type = kDLCPU;
    asked.copy = 0;
    int code = adi_dlpack_ask(source, &asked, &out, &error);
    ck_assert_int_eq(code, is_host ? 0 : ENOTSUP);
    if (!is_host) {
        ck_assert_str_eq(error.text, "it cannot be had without a copy: the CPU does not reach the "
                                     "memory");
        asked.copy = -1;
        ck_assert_int_eq(adi_dlpack_ask(source, &asked, &out, &error), 0);
    }
    const DLTensor *here = look(&out, &flags);
    ck_assert_uint_eq(flags, is_host ? 0 : DLPACK_FLAG_BITMASK_IS_COPIED);
    ck_assert_int_eq((int)here->device.device_type, kDLCPU);
    ck_assert_int_eq(here->device.device_id, 0);
    ck_assert_mem_eq((char *)here->data + here->byte_offset, bytes, 64);
    adi_dlpack_delete(&out);
    asked.stream = 7;
    ck_assert_int_eq(adi_dlpack_ask(source, &asked, &out, &error), EINVAL);
    adi_dlpack_close(source);
    close_device(device);
}
END_TEST

/* ---- what goes wrong ---- */

/* Every call of the device, and every allocation, fails once. */
static int go_once(struct counting *device) {
    struct tensor host;
    struct adi_dlpack_source *source;
    struct adi_dlpack out, back;
    struct adi_dlpack_arguments copied = newest;
    DLTensor tensor =
        OF_BYTES(.ndim = 1, .dtype = {kDLInt, 16, 1}, .shape = LIST(8), .strides = LIST(2));
    tensor_make(&tensor, 3, 0, &host);
    copied.copy = 1;
    struct adi_dlpack in = tensor_of(&host, true);
    int code = adi_dlpack_produce(&device->device, &in, ADI_DLPACK_READ_ONLY, &source, &error);
    if (code != 0) return code;
    code = adi_dlpack_ask(source, &copied, &out, &error);
    adi_dlpack_close(source);
    if (code != 0) return code;
    code = adi_dlpack_consume(&device->device, &out, &newest, &back, &error);
    if (code != 0) adi_dlpack_delete(&out);
    if (code == 0) adi_dlpack_delete(&back);
    return code;
}

START_TEST(anything_may_fail)
{
    struct counting device;
    int failed = 0, code = EIO;
    for (int n = 1; code != 0; n++) {
        counting_open(&device);
        failing_open();
        if (_i == 0) failing_at(n);
        if (_i == 1) device.fail_at = n;
        code = go_once(&device);
        ck_assert_int_eq(failing_close().live, 0);
        ck_assert_int_eq(device.buffers, 0);
        ck_assert_int_eq(device.events, 0);
        if (code != 0) ck_assert_int_eq(code, _i == 0 ? ENOMEM : EIO);
        failed += code != 0;
    }
    ck_assert_int_ge(failed, 8);
}
END_TEST

Suite *ref_dlpack_copy_suite(void) {
    Suite *suite = suite_create("ref_dlpack_copy");
    TCase *tests = tcase_create("copies");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, every_type_is_carried_with_any_strides, 0, BACKENDS);
    tcase_add_loop_test(tests, elements_of_less_than_a_byte_are_packed_or_padded, 0, BACKENDS);
    tcase_add_test(tests, who_ignores_byte_offset_reads_something_else);
    tcase_add_loop_test(tests, the_cpu_is_reached_from_every_device, 0, BACKENDS);
    tcase_add_loop_test(tests, anything_may_fail, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
