/* SPDX-License-Identifier: Apache-2.0
 *
 * Nulls are counted where they are asked for, in bitmaps of any length.
 */
#include "nulls.h"

#include <check.h>
#include <errno.h>
#include <string.h>

#include "counting.h"
#include "literal.h"
#include "move.h"

Suite *ref_nulls_suite(void);

#define VALUES 70000

static struct adi_error error;
static unsigned char bitmap[(VALUES + 7) / 8];

/* Around the borders of bytes, and of what is read at once. */
static const int64_t holes[] = {0, 7, 8, 32764, 32767, 32768, 32771, 65535, 65536, VALUES - 1};
#define HOLES ((int)(sizeof holes / sizeof *holes))

static void punch(void) {
    memset(bitmap, 0xff, sizeof bitmap);
    for (int i = 0; i < HOLES; i++) bitmap[holes[i] / 8] &= (unsigned char)~(1U << holes[i] % 8);
}

static int64_t between(int64_t first, int64_t count) {
    int64_t nulls = 0;
    for (int i = 0; i < HOLES; i++) nulls += holes[i] >= first && holes[i] < first + count;
    return nulls;
}

START_TEST(each_null_is_counted_once)
{
    static const int64_t firsts[] = {0, 1, 3, 8, 32760, 32768, 40000, VALUES - 1};
    struct ArrowArray array = ARRAY(.length = VALUES, .null_count = -1, BUFFERS(bitmap, NULL));
    struct ArrowDeviceArray in = adi_device_array_of_cpu(&array);
    punch();
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++)
        for (int64_t count = 0; firsts[i] + count <= VALUES; count = count * 5 / 4 + 1) {
            int64_t nulls = -1;
            ck_assert_int_eq(adi_nulls_count(NULL, &in, &array, firsts[i], count, &nulls, &error),
                             0);
            ck_assert_int_eq(nulls, between(firsts[i], count));
        }
}
END_TEST

START_TEST(a_bitmap_is_read_only_where_there_may_be_nulls)
{
    static const struct {
        int64_t null_count, count;
        bool has_bitmap;
        int code, waits;
    } cases[] = {{0, 8, true, 0, 0},
                 {-1, 0, true, 0, 0},
                 {-1, 8, false, 0, 0},
                 {1, 8, false, EINVAL, 0},
                 {-1, 8, true, 0, 1}};
    struct counting counting;
    int64_t nulls = -1;
    punch();
    counting_open(&counting);
    struct ArrowArray array = ARRAY(.length = 8, .null_count = cases[_i].null_count,
                                    BUFFERS(cases[_i].has_bitmap ? bitmap : NULL, NULL));
    struct ArrowDeviceArray in = {.array = array, .device_type = ARROW_DEVICE_EXT_DEV};
    int code = adi_nulls_count(&counting.device, &in, &array, 0, cases[_i].count, &nulls, &error);
    ck_assert_int_eq(code, cases[_i].code);
    ck_assert_int_eq(counting.waits, cases[_i].waits);
    ck_assert_int_eq(nulls, cases[_i].waits == 0 ? 0 : 2);
    bool must_look = cases[_i].waits != 0;
    code = adi_nulls_count(NULL, &in, &array, 0, cases[_i].count, &nulls, &error);
    ck_assert_int_eq(code, must_look ? ENOTSUP : cases[_i].code);
}
END_TEST

Suite *ref_nulls_suite(void) {
    Suite *suite = suite_create("ref_nulls");
    TCase *tests = tcase_create("nulls");
    tcase_add_test(tests, each_null_is_counted_once);
    tcase_add_loop_test(tests, a_bitmap_is_read_only_where_there_may_be_nulls, 0, 5);
    suite_add_tcase(suite, tests);
    return suite;
}
