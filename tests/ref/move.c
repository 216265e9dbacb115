/* SPDX-License-Identifier: Apache-2.0 */
#include "move.h"

#include <check.h>
#include <string.h>

#include "literal.h"

Suite *ref_move_suite(void);

START_TEST(a_move_copies_every_bit_and_marks_the_source)
{
    struct ArrowDeviceArray from, to, before;
    memset(&from, 0x5a, sizeof from);
    from.array.release = literal_array_release;
    before = from;
    adi_device_array_move(&from, &to);
    ck_assert_mem_eq(&to, &before, sizeof to);
    ck_assert(from.array.release == NULL);

    struct ArrowSchema schema = SCHEMA("i", .name = "a"), schema_to;
    adi_schema_move(&schema, &schema_to);
    ck_assert(schema.release == NULL);
    ck_assert_str_eq(schema_to.name, "a");
    adi_schema_release(&schema_to);
    ck_assert(schema_to.release == NULL);
}
END_TEST

static void end_stream(struct ArrowArrayStream *stream) {
    stream->release = NULL;
}

static void end_device_stream(struct ArrowDeviceArrayStream *stream) {
    stream->release = NULL;
}

START_TEST(streams_move_alike)
{
    struct ArrowArrayStream stream, stream_to;
    struct ArrowDeviceArrayStream device, device_to;
    memset(&stream, 0x5a, sizeof stream);
    memset(&device, 0x5a, sizeof device);
    stream.release = end_stream;
    device.release = end_device_stream;
    struct ArrowArrayStream stream_before = stream;
    struct ArrowDeviceArrayStream device_before = device;
    adi_array_stream_move(&stream, &stream_to);
    adi_device_array_stream_move(&device, &device_to);
    ck_assert_mem_eq(&stream_to, &stream_before, sizeof stream);
    ck_assert_mem_eq(&device_to, &device_before, sizeof device);
    ck_assert(stream.release == NULL && device.release == NULL);
    adi_array_stream_release(&stream);
    adi_device_array_stream_release(&device);
    adi_array_stream_release(&stream_to);
    adi_device_array_stream_release(&device_to);
    ck_assert(stream_to.release == NULL && device_to.release == NULL);
}
END_TEST

START_TEST(children_and_dictionaries_move_out)
{
    struct ArrowArray child = ARRAY(.length = 1), dictionary = ARRAY(.length = 2), out;
    struct ArrowArray parent = ARRAY(.length = 3, ARRAYS(&child), .dictionary = &dictionary);
    adi_array_move_child(&parent, 0, &out);
    ck_assert_int_eq(out.length, 1);
    ck_assert(child.release == NULL);
    adi_array_move_dictionary(&parent, &out);
    ck_assert_int_eq(out.length, 2);
    ck_assert(dictionary.release == NULL);
}
END_TEST

START_TEST(what_is_released_is_not_released_again)
{
    struct ArrowDeviceArray array = {.array = {.length = 1}};
    struct ArrowSchema schema = {.format = "i"};
    adi_device_array_release(&array);
    adi_array_release(&array.array);
    adi_schema_release(&schema);
    array.array.release = literal_array_release;
    adi_device_array_release(&array);
    ck_assert(array.array.release == NULL);
}
END_TEST

Suite *ref_move_suite(void) {
    Suite *suite = suite_create("ref_move");
    TCase *tests = tcase_create("move");
    tcase_add_test(tests, a_move_copies_every_bit_and_marks_the_source);
    tcase_add_test(tests, streams_move_alike);
    tcase_add_test(tests, children_and_dictionaries_move_out);
    tcase_add_test(tests, what_is_released_is_not_released_again);
    suite_add_tcase(suite, tests);
    return suite;
}
