/* SPDX-License-Identifier: Apache-2.0
 *
 * The layouts of DLPack's structures, on LP64 and on 32 bits, and its codes beside those of
 * dlpack.h 1.3, the newest that there is, and of Arrow.
 */
#include "dlpack_abi.h"

#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "abi_layout.h"
#include "device_types.h"

Suite *ref_dlpack_abi_suite(void);

#define AT(structure, member, offset)                                                              \
    _Static_assert(offsetof(structure, member) == (offset), #structure "." #member)
#define SIZE(structure, bytes) _Static_assert(sizeof(structure) == (bytes), #structure)

/* DLH-01, DLH-02: one table for all of 1.x. */
SIZE(DLPackVersion, 8);
AT(DLPackVersion, major, 0);
AT(DLPackVersion, minor, 4);

/* With -fshort-enums it is one byte, while the size of DLDevice stays. */
SIZE(DLDeviceType, 4);
SIZE(DLDevice, 8);
AT(DLDevice, device_type, 0);
AT(DLDevice, device_id, 4);

SIZE(DLDataType, 4);
AT(DLDataType, code, 0);
AT(DLDataType, bits, 1);
AT(DLDataType, lanes, 2);

SIZE(DLTensor, ALIGNED(48, 40, 36));
AT(DLTensor, data, 0);
AT(DLTensor, device, BITS(8, 4));
AT(DLTensor, ndim, BITS(16, 12));
AT(DLTensor, dtype, BITS(20, 16));
AT(DLTensor, shape, BITS(24, 20));
AT(DLTensor, strides, BITS(32, 24));
AT(DLTensor, byte_offset, ALIGNED(40, 32, 28));

SIZE(struct DLManagedTensor, ALIGNED(64, 48, 44));
AT(struct DLManagedTensor, dl_tensor, 0);
AT(struct DLManagedTensor, manager_ctx, ALIGNED(48, 40, 36));
AT(struct DLManagedTensor, deleter, ALIGNED(56, 44, 40));

SIZE(struct DLManagedTensorVersioned, ALIGNED(80, 64, 60));
AT(struct DLManagedTensorVersioned, version, 0);
AT(struct DLManagedTensorVersioned, manager_ctx, 8);
AT(struct DLManagedTensorVersioned, deleter, BITS(16, 12));
AT(struct DLManagedTensorVersioned, flags, BITS(24, 16));
AT(struct DLManagedTensorVersioned, dl_tensor, BITS(32, 24));

SIZE(DLPackExchangeAPIHeader, BITS(16, 12));
AT(DLPackExchangeAPIHeader, version, 0);
AT(DLPackExchangeAPIHeader, prev_api, 8);

SIZE(DLPackExchangeAPI, BITS(56, 32));
AT(DLPackExchangeAPI, header, 0);
AT(DLPackExchangeAPI, managed_tensor_allocator, BITS(16, 12));
AT(DLPackExchangeAPI, managed_tensor_from_py_object_no_sync, BITS(24, 16));
AT(DLPackExchangeAPI, managed_tensor_to_py_object_no_sync, BITS(32, 20));
AT(DLPackExchangeAPI, dltensor_from_py_object_no_sync, BITS(40, 24));
AT(DLPackExchangeAPI, current_work_stream, BITS(48, 28));

/* What dlpack.h 1.3 has, number by number. */
struct code {
    const char *name;
    int value, wanted;
    const char *arrow; /* of a device: its name with Arrow; NULL: it has none */
};

static const struct code devices[] = {
    {"kDLCPU", kDLCPU, 1, "cpu"},
    {"kDLCUDA", kDLCUDA, 2, "cuda"},
    {"kDLCUDAHost", kDLCUDAHost, 3, "cuda_host"},
    {"kDLOpenCL", kDLOpenCL, 4, "opencl"},
    {"kDLVulkan", kDLVulkan, 7, "vulkan"},
    {"kDLMetal", kDLMetal, 8, "metal"},
    {"kDLVPI", kDLVPI, 9, "vpi"},
    {"kDLROCM", kDLROCM, 10, "rocm"},
    {"kDLROCMHost", kDLROCMHost, 11, "rocm_host"},
    {"kDLExtDev", kDLExtDev, 12, "ext_dev"},
    {"kDLCUDAManaged", kDLCUDAManaged, 13, "cuda_managed"},
    {"kDLOneAPI", kDLOneAPI, 14, "oneapi"},
    {"kDLWebGPU", kDLWebGPU, 15, "webgpu"},
    {"kDLHexagon", kDLHexagon, 16, "hexagon"},
    {"kDLMAIA", kDLMAIA, 17, NULL},
    {"kDLTrn", kDLTrn, 18, NULL},
};

static const struct code types[] = {
    {"kDLInt", kDLInt, 0, NULL},
    {"kDLUInt", kDLUInt, 1, NULL},
    {"kDLFloat", kDLFloat, 2, NULL},
    {"kDLOpaqueHandle", kDLOpaqueHandle, 3, NULL},
    {"kDLBfloat", kDLBfloat, 4, NULL},
    {"kDLComplex", kDLComplex, 5, NULL},
    {"kDLBool", kDLBool, 6, NULL},
    {"kDLFloat8_e3m4", kDLFloat8_e3m4, 7, NULL},
    {"kDLFloat8_e4m3", kDLFloat8_e4m3, 8, NULL},
    {"kDLFloat8_e4m3b11fnuz", kDLFloat8_e4m3b11fnuz, 9, NULL},
    {"kDLFloat8_e4m3fn", kDLFloat8_e4m3fn, 10, NULL},
    {"kDLFloat8_e4m3fnuz", kDLFloat8_e4m3fnuz, 11, NULL},
    {"kDLFloat8_e5m2", kDLFloat8_e5m2, 12, NULL},
    {"kDLFloat8_e5m2fnuz", kDLFloat8_e5m2fnuz, 13, NULL},
    {"kDLFloat8_e8m0fnu", kDLFloat8_e8m0fnu, 14, NULL},
    {"kDLFloat6_e2m3fn", kDLFloat6_e2m3fn, 15, NULL},
    {"kDLFloat6_e3m2fn", kDLFloat6_e3m2fn, 16, NULL},
    {"kDLFloat4_e2m1fn", kDLFloat4_e2m1fn, 17, NULL},
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

START_TEST(codes_are_those_of_the_newest_header)
{
    ck_assert_int_eq(DLPACK_MAJOR_VERSION, 1);
    ck_assert_int_eq(DLPACK_MINOR_VERSION, 3);
    for (size_t i = 0; i < COUNT(devices); i++)
        ck_assert_msg(devices[i].value == devices[i].wanted, "%s is %d", devices[i].name,
                      devices[i].value);
    for (size_t i = 0; i < COUNT(types); i++)
        ck_assert_msg(types[i].value == types[i].wanted, "%s is %d", types[i].name, types[i].value);
    ck_assert_uint_eq(DLPACK_FLAG_BITMASK_READ_ONLY, 1);
    ck_assert_uint_eq(DLPACK_FLAG_BITMASK_IS_COPIED, 2);
    ck_assert_uint_eq(DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED, 4);
}
END_TEST

/* When Arrow gets one of them, this fails, and the tables of ref/ want a row. */
START_TEST(arrow_has_all_device_types_but_17_and_18)
{
    size_t common = 0;
    for (size_t i = 0; i < COUNT(devices); i++) {
        const struct adi_device_type *arrow = adi_device_type_find(devices[i].value);
        const char *name = arrow == NULL ? NULL : arrow->name;
        ck_assert_msg(devices[i].arrow == NULL
                          ? name == NULL
                          : name != NULL && strcmp(name, devices[i].arrow) == 0,
                      "%s is %s with Arrow", devices[i].name, name == NULL ? "nothing" : name);
        common += arrow != NULL;
    }
    ck_assert_ptr_nonnull(adi_device_type_at(common - 1));
    ck_assert_ptr_null(adi_device_type_at(common)); /* and Arrow has none that DLPack lacks */
}
END_TEST

Suite *ref_dlpack_abi_suite(void) {
    Suite *suite = suite_create("ref_dlpack_abi");
    TCase *tests = tcase_create("codes");
    tcase_add_test(tests, codes_are_those_of_the_newest_header);
    tcase_add_test(tests, arrow_has_all_device_types_but_17_and_18);
    suite_add_tcase(suite, tests);
    return suite;
}
