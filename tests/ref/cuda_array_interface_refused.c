/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrow's arrays that no description is made of.
 */
#include <errno.h>
#include <string.h>

#include "described.h"
#include "literal.h"

Suite *ref_cuda_array_interface_refused_suite(void);

START_TEST(what_no_description_says_is_refused)
{
    static const struct {
        const char *format;
        int code;
        const char *says;
    } rows[] = {{"b", ENOTSUP, "typestr: a bool of Arrow is a bit"},
                {"tdD", ENOTSUP, "format \"tdD\": no type string says that"},
                {"d:9,2", ENOTSUP, "no type string says that"},
                {"tss:UTC", ENOTSUP, "a time zone has no place in one"},
                {"x", EINVAL, "format \"x\""}};
    struct ArrowSchema schema = SCHEMA(rows[_i].format);
    struct adi_cuda_array as;
    open_both();
    void *data = put(numbers, sizeof numbers);
    struct ArrowArray values = {.length = 3, BUFFERS(NULL, data)};
    ck_assert_int_eq(describe(&schema, &values, ADI_COPY_NEVER, 3, &as), rows[_i].code);
    ck_assert_msg(strstr(error.text, rows[_i].says) != NULL, "%s", error.text);
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

START_TEST(what_is_nested_otherwise_is_refused)
{
    struct ArrowSchema words = SCHEMA("u"), item = SCHEMA("i"), *items[] = {&item};
    struct ArrowSchema schemas[] = {SCHEMA("i", .dictionary = &words),
                                    SCHEMA("+s", .n_children = 1, .children = items)};
    struct adi_cuda_array as;
    open_both();
    void *data = put(numbers, sizeof numbers);
    struct ArrowArray strings = {BUFFERS(NULL, data, data)};
    struct ArrowArray values = {.length = 3, BUFFERS(NULL, data)};
    struct ArrowArray trees[] = {{.length = 3, BUFFERS(NULL, data), .dictionary = &strings},
                                 {.length = 3, BUFFERS(NULL), ARRAYS(&values)}};
    ck_assert_int_eq(describe(&schemas[_i], &trees[_i], ADI_COPY_ALWAYS, 3, &as), ENOTSUP);
    ck_assert_ptr_nonnull(strstr(error.text, _i == 0 ? "dictionary" : "format \"+s\""));
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

START_TEST(options_that_no_version_has_are_refused)
{
    static const struct {
        struct adi_cuda_array_options options;
        const char *says;
    } rows[] = {
        {{.version = 4}, "version: 4, and there are 0 to 3"},
        {{.version = -1}, "version: -1"},
        {{.version = 2, .has_stream = G, .stream = 1}, "stream: version 2 has no such entry"},
        {{.version = 2, .has_stream = ADI_ENTRY_NONE}, "stream: version 2 has no such entry"},
        {{.version = 3, .has_stream = G, .stream = 0}, "stream: 0 could be None"},
        {{.version = 3, .has_stream = G, .stream = -1}, "stream: -1 is the handle of none"}};
    struct ArrowSchema schema = SCHEMA("i");
    struct ArrowDeviceArray array;
    struct adi_cuda_array as;
    open_both();
    void *data = put(numbers, sizeof numbers);
    struct ArrowArray values = {.length = 3, BUFFERS(NULL, data)};
    give(&values, &array);
    int code =
        adi_cuda_array_from_arrow(&producer, &schema, &array, &rows[_i].options, &as, &error);
    ck_assert_int_eq(code, EINVAL);
    ck_assert_msg(strstr(error.text, rows[_i].says) != NULL, "%s", error.text);
    ck_assert_int_eq(released, 0);
    adi_device_array_release(&array);
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

START_TEST(memory_that_is_not_there_is_refused)
{
    struct ArrowSchema schema = SCHEMA("i");
    struct ArrowDeviceArray array;
    struct adi_device other;
    struct adi_cuda_array as;
    const struct adi_cuda_array_options options = {.version = 3};
    open_both();
    ck_assert_int_eq(adi_device_cuda.open(1, &other, &error), 0);
    void *data = put(numbers, sizeof numbers);
    struct ArrowArray values = {.length = 13, BUFFERS(NULL, data)};
    ck_assert_int_eq(describe(&schema, &values, ADI_COPY_NEVER, 3, &as), EFAULT);
    ck_assert_ptr_nonnull(strstr(error.text, "data: 52 bytes at byte 0 of"));
    released = 0;
    values = (struct ArrowArray){.length = 3, .offset = 10, BUFFERS(NULL, data)};
    ck_assert_int_eq(describe(&schema, &values, ADI_COPY_NEVER, 3, &as), EFAULT);
    released = 0;
    values = (struct ArrowArray){.length = 3, .offset = 100, BUFFERS(NULL, data)};
    ck_assert_int_eq(describe(&schema, &values, ADI_COPY_NEVER, 3, &as), EFAULT);
    released = 0;
    values = (struct ArrowArray){.length = 3, BUFFERS(NULL, numbers)};
    ck_assert_int_eq(describe(&schema, &values, ADI_COPY_NEVER, 3, &as), EFAULT);
    released = 0;
    values = (struct ArrowArray){.length = 3, BUFFERS(NULL, data)};
    give(&values, &array);
    ck_assert_int_eq(adi_cuda_array_from_arrow(&other, &schema, &array, &options, &as, &error),
                     ENOTSUP); /* it says cuda:0 */
    array.device_id = 1;
    ck_assert_int_eq(adi_cuda_array_from_arrow(&other, &schema, &array, &options, &as, &error),
                     EFAULT);
    ck_assert_ptr_nonnull(strstr(error.text, "is memory of cuda:0, not of cuda:1"));
    adi_device_array_release(&array);
    other.ops->close(&other);
    producer.ops->free(&producer, data);
    close_both();
}
END_TEST

Suite *ref_cuda_array_interface_refused_suite(void) {
    Suite *suite = suite_create("ref_cuda_array_interface_refused");
    TCase *tests = tcase_create("refused");
    tcase_add_loop_test(tests, what_no_description_says_is_refused, 0, 5);
    tcase_add_loop_test(tests, what_is_nested_otherwise_is_refused, 0, 2);
    tcase_add_loop_test(tests, options_that_no_version_has_are_refused, 0, 6);
    tcase_add_test(tests, memory_that_is_not_there_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
