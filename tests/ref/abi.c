/* SPDX-License-Identifier: Apache-2.0
 *
 * The layouts of the structures, on LP64 and on 32 bits. They are asserted here and not in abi.h,
 * because another copy of the structures may have been included first.
 */
#include "abi.h"

#include <check.h>
#include <stddef.h>
#include <stdint.h>

#include "abi_layout.h"

Suite *ref_abi_suite(void);

#define AT(structure, member, offset)                                                              \
    _Static_assert(offsetof(struct structure, member) == (offset), #structure "." #member)
#define SIZE(structure, bytes) _Static_assert(sizeof(struct structure) == (bytes), #structure)

_Static_assert(sizeof(ArrowDeviceType) == 4 && (ArrowDeviceType)-1 < 0, "int32_t");

SIZE(ArrowSchema, ALIGNED(72, 48, 44));
AT(ArrowSchema, format, 0);
AT(ArrowSchema, name, BITS(8, 4));
AT(ArrowSchema, metadata, BITS(16, 8));
AT(ArrowSchema, flags, ALIGNED(24, 16, 12));
AT(ArrowSchema, n_children, ALIGNED(32, 24, 20));
AT(ArrowSchema, children, ALIGNED(40, 32, 28));
AT(ArrowSchema, dictionary, ALIGNED(48, 36, 32));
AT(ArrowSchema, release, ALIGNED(56, 40, 36));
AT(ArrowSchema, private_data, ALIGNED(64, 44, 40));

SIZE(ArrowArray, ALIGNED(80, 64, 60));
AT(ArrowArray, length, 0);
AT(ArrowArray, null_count, 8);
AT(ArrowArray, offset, 16);
AT(ArrowArray, n_buffers, 24);
AT(ArrowArray, n_children, 32);
AT(ArrowArray, buffers, 40);
AT(ArrowArray, children, BITS(48, 44));
AT(ArrowArray, dictionary, BITS(56, 48));
AT(ArrowArray, release, BITS(64, 52));
AT(ArrowArray, private_data, BITS(72, 56));

SIZE(ArrowArrayStream, BITS(40, 20));
AT(ArrowArrayStream, get_schema, 0);
AT(ArrowArrayStream, get_next, BITS(8, 4));
AT(ArrowArrayStream, get_last_error, BITS(16, 8));
AT(ArrowArrayStream, release, BITS(24, 12));
AT(ArrowArrayStream, private_data, BITS(32, 16));

SIZE(ArrowDeviceArray, ALIGNED(128, 104, 100));
AT(ArrowDeviceArray, array, 0);
AT(ArrowDeviceArray, device_id, ALIGNED(80, 64, 60));
AT(ArrowDeviceArray, device_type, ALIGNED(88, 72, 68));
AT(ArrowDeviceArray, sync_event, ALIGNED(96, 76, 72));
AT(ArrowDeviceArray, reserved, ALIGNED(104, 80, 76));

SIZE(ArrowDeviceArrayStream, BITS(48, 24));
AT(ArrowDeviceArrayStream, device_type, 0);
AT(ArrowDeviceArrayStream, get_schema, BITS(8, 4));
AT(ArrowDeviceArrayStream, get_next, BITS(16, 8));
AT(ArrowDeviceArrayStream, get_last_error, BITS(24, 12));
AT(ArrowDeviceArrayStream, release, BITS(32, 16));
AT(ArrowDeviceArrayStream, private_data, BITS(40, 20));

SIZE(ArrowAsyncTask, BITS(16, 8));
AT(ArrowAsyncTask, extract_data, 0);
AT(ArrowAsyncTask, private_data, BITS(8, 4));

AT(ArrowAsyncProducer, device_type, 0);
AT(ArrowAsyncProducer, request, BITS(8, 4));
AT(ArrowAsyncProducer, cancel, BITS(16, 8));
#ifdef ADI_ASYNC_PUBLISHED
SIZE(ArrowAsyncProducer, BITS(48, 24));
AT(ArrowAsyncProducer, release, BITS(24, 12));
AT(ArrowAsyncProducer, additional_metadata, BITS(32, 16));
AT(ArrowAsyncProducer, private_data, BITS(40, 20));
#else
SIZE(ArrowAsyncProducer, BITS(40, 20));
AT(ArrowAsyncProducer, additional_metadata, BITS(24, 12));
AT(ArrowAsyncProducer, private_data, BITS(32, 16));
#endif

SIZE(ArrowAsyncDeviceStreamHandler, BITS(48, 24));
AT(ArrowAsyncDeviceStreamHandler, on_schema, 0);
AT(ArrowAsyncDeviceStreamHandler, on_next_task, BITS(8, 4));
AT(ArrowAsyncDeviceStreamHandler, on_error, BITS(16, 8));
AT(ArrowAsyncDeviceStreamHandler, release, BITS(24, 12));
AT(ArrowAsyncDeviceStreamHandler, producer, BITS(32, 16));
AT(ArrowAsyncDeviceStreamHandler, private_data, BITS(40, 20));

START_TEST(device_types_have_the_values_of_the_document)
{
    const int values[] = {ARROW_DEVICE_CPU,     ARROW_DEVICE_CUDA,         ARROW_DEVICE_CUDA_HOST,
                          ARROW_DEVICE_OPENCL,  ARROW_DEVICE_VULKAN,       ARROW_DEVICE_METAL,
                          ARROW_DEVICE_VPI,     ARROW_DEVICE_ROCM,         ARROW_DEVICE_ROCM_HOST,
                          ARROW_DEVICE_EXT_DEV, ARROW_DEVICE_CUDA_MANAGED, ARROW_DEVICE_ONEAPI,
                          ARROW_DEVICE_WEBGPU,  ARROW_DEVICE_HEXAGON};
    const int wanted[] = {1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        ck_assert_int_eq(values[i], wanted[i]);
}
END_TEST

START_TEST(flags_have_the_values_of_the_document)
{
    ck_assert_int_eq(ARROW_FLAG_DICTIONARY_ORDERED, 1);
    ck_assert_int_eq(ARROW_FLAG_NULLABLE, 2);
    ck_assert_int_eq(ARROW_FLAG_MAP_KEYS_SORTED, 4);
}
END_TEST

Suite *ref_abi_suite(void) {
    Suite *suite = suite_create("ref_abi");
    TCase *values = tcase_create("values");
    tcase_add_test(values, device_types_have_the_values_of_the_document);
    tcase_add_test(values, flags_have_the_values_of_the_document);
    suite_add_tcase(suite, values);
    return suite;
}
