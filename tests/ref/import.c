/* SPDX-License-Identifier: Apache-2.0 */
#include "import.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "counting.h"
#include "export.h"
#include "literal.h"
#include "move.h"

Suite *ref_import_suite(void);

/* A tree in reach of the test, so that one thing at a time can be wrong in it:
 * struct<dictionary<int32, utf8>, list<int32>, utf8_view, fixed_size_list<int32, 2>,
 * run_end_encoded>
 */
static const int32_t values[] = {1, 2, 3, 4};
static const int32_t offsets[] = {0, 2, 3};
static const int32_t views[8] = {3, 0x00636261, 0, 0, 13, 0x00636261, 0, 0};
static const int64_t lengths[] = {13};
static const uint8_t bits[] = {0x0f};

enum {
    CHILDREN = 5
};

static struct tree {
    struct ArrowSchema root, column[CHILDREN], words, item, run_ends, *columns[CHILDREN], *items[1],
        *runs[2];
    struct ArrowDeviceArray array;
    struct ArrowArray arrays[CHILDREN], words_array, item_array, run_ends_array, *of_root[CHILDREN],
        *of_list[1], *of_runs[2];
    const void *buffers[CHILDREN][4], *words_buffers[3], *item_buffers[2], *root_buffers[1];
} t;

static struct counting counting;
static struct adi_error error;

static void leaf(struct ArrowArray *array, int64_t length, int64_t n_buffers,
                 const void **buffers) {
    *array = (struct ArrowArray)ARRAY(.length = length, .null_count = -1, .n_buffers = n_buffers,
                                      .buffers = buffers);
}

static void set_up(void) {
    static const char *const formats[CHILDREN] = {"i", "+l", "vu", "+w:2", "+r"};
    static const int64_t n_buffers[CHILDREN] = {2, 2, 4, 1, 0};
    memset(&t, 0, sizeof t);
    counting_open(&counting);
    t.words = (struct ArrowSchema)SCHEMA("u");
    t.item = t.run_ends = (struct ArrowSchema)SCHEMA("i");
    t.items[0] = t.runs[1] = &t.item;
    t.runs[0] = &t.run_ends;
    leaf(&t.words_array, 2, 3, t.words_buffers);
    leaf(&t.item_array, 4, 2, t.item_buffers);
    leaf(&t.run_ends_array, 4, 2, t.item_buffers);
    t.words_buffers[1] = offsets;
    t.words_buffers[2] = "abc";
    t.item_buffers[1] = values;
    t.of_list[0] = t.of_runs[1] = &t.item_array;
    t.of_runs[0] = &t.run_ends_array;
    for (int i = 0; i < CHILDREN; i++) {
        t.column[i] = (struct ArrowSchema)SCHEMA(formats[i]);
        t.columns[i] = &t.column[i];
        leaf(&t.arrays[i], 2, n_buffers[i], t.buffers[i]);
        t.buffers[i][0] = bits;
        t.of_root[i] = &t.arrays[i];
    }
    t.buffers[0][1] = values;
    t.buffers[1][1] = offsets;
    t.buffers[2][1] = views;
    t.buffers[2][2] = "abc0123456789";
    t.buffers[2][3] = lengths;
    t.column[0].dictionary = &t.words;
    t.arrays[0].dictionary = &t.words_array;
    t.column[1].n_children = t.column[3].n_children = 1;
    t.column[1].children = t.column[3].children = t.items;
    t.arrays[1].n_children = t.arrays[3].n_children = 1;
    t.arrays[1].children = t.arrays[3].children = t.of_list;
    t.column[4].n_children = t.arrays[4].n_children = 2;
    t.column[4].children = t.runs;
    t.arrays[4].children = t.of_runs;
    t.root = (struct ArrowSchema)SCHEMA("+s", .n_children = CHILDREN, .children = t.columns);
    t.array.array = (struct ArrowArray)ARRAY(.length = 2, .n_buffers = 1, .buffers = t.root_buffers,
                                             .n_children = CHILDREN, .children = t.of_root);
    t.array.device_type = ARROW_DEVICE_EXT_DEV;
    t.array.device_id = 3;
}

START_TEST(a_good_array_is_taken_over)
{
    struct ArrowDeviceArray out;
    t.array.reserved[1] = 7;
    int code = adi_import(&counting.device, &t.root, &t.array, &out, &error);
    ck_assert_msg(code == 0, "%s", error.text);
    ck_assert(t.array.array.release == NULL && out.array.release != NULL);
    ck_assert_int_eq(counting.calls, 0);
}
END_TEST

static void refused(int code, const char *sentence) {
    struct ArrowDeviceArray out, before_out, before = t.array;
    memset(&out, 0x5a, sizeof out);
    before_out = out;
    strcpy(error.text, "");
    ck_assert_int_eq(adi_import(&counting.device, &t.root, &t.array, &out, &error), code);
    ck_assert_str_eq(error.text, sentence);
    ck_assert_mem_eq(&t.array, &before, sizeof before);
    ck_assert_mem_eq(&out, &before_out, sizeof out);
}

START_TEST(another_device_is_refused)
{
    t.array.device_type = ARROW_DEVICE_CUDA;
    refused(ENOTSUP, "device_type: 2 (cuda), wanted 12 (ext_dev)");
    t.array.device_type = 256 + ARROW_DEVICE_EXT_DEV;
    refused(ENOTSUP, "device_type: 268 (unknown), wanted 12 (ext_dev)");
    t.array.device_type = -1;
    refused(ENOTSUP, "device_type: -1 (unknown), wanted 12 (ext_dev)");
    t.array.device_type = ARROW_DEVICE_EXT_DEV;
    t.array.device_id = INT64_C(0x100000003);
    refused(ENOTSUP, "device_id: 4294967299, wanted 3");
}
END_TEST

START_TEST(ids_count_only_where_the_type_has_them)
{
    struct ArrowDeviceArray out;
    struct adi_device_ops ops = *counting.device.ops;
    struct adi_device device = {&ops, 0, NULL};
    ops.type = t.array.device_type = ARROW_DEVICE_CUDA_HOST;
    ck_assert_int_eq(adi_import(&device, &t.root, &t.array, &out, NULL), 0);
    ops.type = out.device_type = ARROW_DEVICE_CPU;
    out.device_id = -1;
    ck_assert_int_eq(adi_import(&device, &t.root, &out, &t.array, NULL), 0);
    t.array.device_id = 1;
    ck_assert_int_eq(adi_import(&device, &t.root, &t.array, &out, NULL), ENOTSUP);
}
END_TEST

START_TEST(released_structures_are_refused)
{
    t.arrays[0].dictionary->release = NULL;
    refused(EINVAL, "children[0].dictionary: the array is released");
    t.item_array.release = NULL;
    t.words_array.release = literal_array_release;
    refused(EINVAL, "children[1].children[0]: the array is released");
    t.item.release = NULL;
    refused(EINVAL, "children[1].children[0]: the schema is released");
    t.root.release = NULL;
    refused(EINVAL, "the schema is released");
    t.array.array.release = NULL;
    refused(EINVAL, "the array is released");
}
END_TEST

/* Sets `*field` for one refusal. */
static void refused_with(int64_t *field, int64_t value, const char *sentence) {
    int64_t before = *field;
    *field = value;
    refused(EINVAL, sentence);
    *field = before;
}

START_TEST(impossible_counts_are_refused)
{
    struct ArrowArray *list = &t.arrays[1];
    refused_with(&list->length, -1, "children[1].length: -1");
    refused_with(&list->offset, -1, "children[1].offset: -1");
    refused_with(&list->offset, INT64_MAX,
                 "children[1].length: 2 and offset 9223372036854775807 overflow");
    refused_with(&list->null_count, -2, "children[1].null_count: -2, wanted -1 to the length 2");
    refused_with(&list->null_count, 3, "children[1].null_count: 3, wanted -1 to the length 2");
    refused_with(&list->length, 1, "children[1].length: 1, its parent wants 2");
    refused_with(&t.item_array.length, 3, "children[3].children[0].length: 3, its parent wants 4");
    refused_with(&t.run_ends_array.length, 3,
                 "children[4].children[0].length: 3, children[1] has 4");
    refused_with(&t.array.array.offset, INT64_MAX - 2,
                 "children[0].length: 2, its parent wants 9223372036854775807");
    refused_with(&t.arrays[0].length, INT64_MAX,
                 "children[0].buffers[0]: the size of the buffer does not fit into 64 bits");
}
END_TEST

START_TEST(wrong_numbers_of_buffers_and_children_are_refused)
{
    refused_with(&t.array.array.n_children, 4, "n_children: 4, wanted 5");
    refused_with(&t.array.array.n_children, 6, "n_children: 6, wanted 5");
    refused_with(&t.arrays[0].n_children, -1, "children[0].n_children: -1, wanted 0");
    refused_with(&t.arrays[0].n_buffers, 3, "children[0].n_buffers: 3, wanted 2 (int32)");
    refused_with(&t.words_array.n_buffers, 2,
                 "children[0].dictionary.n_buffers: 2, wanted 3 (utf8)");
    refused_with(&t.arrays[2].n_buffers, 2,
                 "children[2].n_buffers: 2, wanted at least 3 (utf8_view)");
    refused_with(&t.arrays[2].n_buffers, INT64_MAX,
                 "children[2].n_buffers: 9223372036854775807, wanted at least 3 (utf8_view)");
    refused_with(&t.column[1].n_children, 2,
                 "children[1].n_children: the schema has 2, the type list wants 1");
}
END_TEST

/* Sets `*field` to NULL for one refusal. */
#define REFUSED_WITHOUT(field, sentence)                                                           \
    do {                                                                                           \
        void *before = (void *)(field);                                                            \
        (field) = NULL;                                                                            \
        refused(EINVAL, sentence);                                                                 \
        (field) = before;                                                                          \
    } while (0)

START_TEST(missing_pointers_are_refused)
{
    REFUSED_WITHOUT(t.array.array.children, "children: NULL");
    REFUSED_WITHOUT(t.of_root[2], "children[2]: NULL");
    REFUSED_WITHOUT(t.columns[2], "children[2]: the schema is NULL");
    REFUSED_WITHOUT(t.root.children, "children: NULL in the schema");
    REFUSED_WITHOUT(t.arrays[1].buffers, "children[1].buffers: NULL");
    REFUSED_WITHOUT(t.buffers[0][1], "children[0].buffers[1]: NULL, wanted 8 bytes of values");
    REFUSED_WITHOUT(t.buffers[1][1], "children[1].buffers[1]: NULL, wanted 12 bytes of offsets");
    REFUSED_WITHOUT(t.buffers[2][3],
                    "children[2].buffers[3]: NULL, wanted 8 bytes of variadic lengths");
    REFUSED_WITHOUT(t.arrays[0].dictionary, "children[0].dictionary: missing");
    REFUSED_WITHOUT(t.column[0].dictionary, "children[0].dictionary: there is none in the schema");
    t.arrays[0].null_count = 1;
    REFUSED_WITHOUT(t.buffers[0][0], "children[0].buffers[0]: NULL, but null_count is 1");
    REFUSED_WITHOUT(t.column[0].format, "children[0]: format is NULL");
}
END_TEST

START_TEST(impossible_schemas_are_refused)
{
    t.words.format = "u7";
    refused(EINVAL, "children[0].dictionary: format \"u7\": expected the end at byte 1");
    t.words.format = "u";
    t.run_ends.format = "I";
    refused(EINVAL,
            "children[4].children[0]: run ends of type \"I\", wanted int16, int32 or int64");
    t.column[0].format = "f";
    refused(EINVAL, "children[0].dictionary: its indices are of type float32, wanted integers");
}
END_TEST

START_TEST(a_copy_has_the_values_and_waits_first)
{
    struct ArrowArray out;
    int code = adi_copy_to_host(&counting.device, &t.root, &t.array, &out, &error);
    ck_assert_msg(code == 0, "%s", error.text);
    ck_assert_int_eq(counting.waits, 1);
    ck_assert(t.array.array.release != NULL);
    ck_assert_ptr_null(out.buffers[0]);
    ck_assert_ptr_ne(out.children[0]->buffers[1], values);
    ck_assert_mem_eq(out.children[0]->buffers[1], values, 8);
    ck_assert_uint_eq((uintptr_t)out.children[0]->buffers[1] % 64, 0);
    ck_assert_mem_eq(out.children[0]->dictionary->buffers[2], "abc", 3);
    ck_assert_mem_eq(out.children[2]->buffers[2], "abc0123456789", 13);
    ck_assert_mem_eq(out.children[2]->buffers[3], lengths, 8);
    ck_assert_ptr_null(out.children[1]->children[0]->buffers[0]);
    adi_array_release(&out);
}
END_TEST

START_TEST(a_copy_that_fails_leaves_nothing_behind)
{
    struct ArrowArray out, before;
    memset(&out, 0x5a, sizeof out);
    before = out;
    int code = EIO;
    for (int fail_at = 1; code != 0; fail_at++) {
        counting_open(&counting);
        counting.fail_at = fail_at;
        code = adi_copy_to_host(&counting.device, &t.root, &t.array, &out, &error);
        if (code == 0) break;
        ck_assert_int_eq(code, EIO);
        ck_assert_mem_eq(&out, &before, sizeof out);
        if (fail_at == 2)
            ck_assert_str_eq(error.text, "children[0].dictionary.buffers[2]: call 2 fails");
    }
    ck_assert_int_gt(counting.calls, 10);
    adi_array_release(&out);
}
END_TEST

START_TEST(offsets_that_cannot_be_are_refused_by_a_copy)
{
    const int32_t below[] = {0, 2, -1};
    struct ArrowArray out;
    t.words_buffers[1] = below;
    ck_assert_int_eq(adi_copy_to_host(&counting.device, &t.root, &t.array, &out, &error), EINVAL);
    ck_assert_str_eq(error.text, "children[0].dictionary.buffers[2]: offsets[2] is -1");
}
END_TEST

static int deny_host(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                     int64_t bytes, struct adi_error *said) {
    if (buffer == (const void *)lengths) return adi_error_set(said, EFAULT, "not of this device");
    return counting.device.ops->read(device, buffer, offset, to, bytes, said);
}

START_TEST(variadic_lengths_may_lie_on_the_host)
{
    struct ArrowArray out;
    struct adi_device_ops ops = *counting.device.ops;
    struct adi_device device = {&ops, 3, &counting};
    ops.read = deny_host;
    int code = adi_copy_to_host(&device, &t.root, &t.array, &out, &error);
    ck_assert_msg(code == 0, "%s", error.text);
    ck_assert_str_eq(error.text, "");
    ck_assert_mem_eq(out.children[2]->buffers[2], "abc0123456789", 13);
    ck_assert_mem_eq(out.children[2]->buffers[3], lengths, 8);
    adi_array_release(&out);
}
END_TEST

START_TEST(a_consumer_releases_what_it_imported)
{
    struct ArrowSchema of = SCHEMA("i");
    struct ArrowArray from = ARRAY(.length = 2, BUFFERS(NULL, values)), host, out;
    struct ArrowDeviceArray array;
    ck_assert_int_eq(adi_export(&from, (struct adi_owner){NULL, NULL}, &host, NULL), 0);
    ck_assert_int_eq(adi_produce(&counting.device, &of, &host, &array, NULL), 0);
    struct ArrowSchema other = SCHEMA("u");
    ck_assert_int_eq(adi_consume(&counting.device, &other, &array, &out, NULL), EINVAL);
    ck_assert(array.array.release != NULL);
    ck_assert_int_eq(adi_consume(&counting.device, &of, &array, &out, NULL), 0);
    ck_assert(array.array.release == NULL);
    ck_assert_int_eq(counting.buffers + counting.events, 0);
    ck_assert_mem_eq(out.buffers[1], values, 8);

    ck_assert_int_eq(adi_produce(&counting.device, &of, &out, &array, NULL), 0);
    counting.fail_at = counting.calls + 1;
    ck_assert_int_eq(adi_consume(&counting.device, &of, &array, &out, NULL), EIO);
    ck_assert(array.array.release == NULL);
    ck_assert_int_eq(counting.buffers + counting.events, 0);
}
END_TEST

/* Nothing is anywhere, so that it does not matter which device it says that it is on. */
START_TEST(what_has_no_buffers_is_taken_wherever_it_says_that_it_is)
{
    static const struct {
        ArrowDeviceType type;
        int64_t id;
        int code;
        const char *sentence; /* of one that has buffers */
    } rows[] = {
        {ARROW_DEVICE_EXT_DEV, 3, 0, ""},
        {ARROW_DEVICE_EXT_DEV, 5, ENOTSUP, "device_id: 5, wanted 3"},
        {ARROW_DEVICE_CUDA, 3, ENOTSUP, "the array is of device_type 2 (cuda)"},
        {ARROW_DEVICE_CUDA, 5, ENOTSUP, "the array is of device_type 2 (cuda)"},
    };
    struct adi_device *const devices[] = {&counting.device};
    struct ArrowSchema of = SCHEMA("i");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ArrowDeviceArray empty = {.array = ARRAY(BUFFERS(NULL, NULL)),
                                         .device_type = rows[i].type,
                                         .device_id = rows[i].id};
        struct ArrowDeviceArray full = empty;
        struct ArrowArray host = {.release = NULL};
        int code = adi_consume_on(devices, 1, &of, &empty, &host, &error);
        ck_assert_msg(code == 0, "row %zu: %s", i, error.text);
        ck_assert(empty.array.release == NULL && host.release != NULL);
        host.release(&host);
        full.array = (struct ArrowArray)ARRAY(.length = 2, BUFFERS(NULL, values));
        strcpy(error.text, "");
        ck_assert_int_eq(adi_consume_on(devices, 1, &of, &full, &host, &error), rows[i].code);
        ck_assert_str_eq(error.text, rows[i].sentence);
        ck_assert((full.array.release == NULL) == (rows[i].code == 0));
        if (rows[i].code == 0) host.release(&host);
    }
}
END_TEST

Suite *ref_import_suite(void) {
    Suite *suite = suite_create("ref_import");
    TCase *import = tcase_create("import"), *copy = tcase_create("copy");
    tcase_add_checked_fixture(import, set_up, NULL);
    tcase_add_test(import, a_good_array_is_taken_over);
    tcase_add_test(import, another_device_is_refused);
    tcase_add_test(import, ids_count_only_where_the_type_has_them);
    tcase_add_test(import, released_structures_are_refused);
    tcase_add_test(import, impossible_counts_are_refused);
    tcase_add_test(import, wrong_numbers_of_buffers_and_children_are_refused);
    tcase_add_test(import, missing_pointers_are_refused);
    tcase_add_test(import, impossible_schemas_are_refused);
    suite_add_tcase(suite, import);
    tcase_add_checked_fixture(copy, set_up, NULL);
    tcase_add_test(copy, a_copy_has_the_values_and_waits_first);
    tcase_add_test(copy, a_copy_that_fails_leaves_nothing_behind);
    tcase_add_test(copy, offsets_that_cannot_be_are_refused_by_a_copy);
    tcase_add_test(copy, variadic_lengths_may_lie_on_the_host);
    tcase_add_test(copy, a_consumer_releases_what_it_imported);
    tcase_add_test(copy, what_has_no_buffers_is_taken_wherever_it_says_that_it_is);
    suite_add_tcase(suite, copy);
    return suite;
}
