/* SPDX-License-Identifier: Apache-2.0
 *
 * What the layer reads in a shader: which buffers it may write.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../devices/vulkan_layer/spirv.h"
#include "mutants/vulkan/copy.inc"
#include "vulkan_checksum.inc"

Suite *devices_vulkan_spirv_suite(void);

#define COUNT(words)    (sizeof(words) / sizeof *(words))
#define BINDING_1       2u
#define NON_WRITABLE    24u
#define MEMBER_DECORATE 72u

START_TEST(what_is_read_only_is_not_written)
{
    uint32_t writes[MOST_SETS];
    spirv_look(adi_copy_spirv, COUNT(adi_copy_spirv), writes);
    ck_assert_uint_eq(writes[0], BINDING_1);
    spirv_look(adi_vulkan_checksum_spirv, COUNT(adi_vulkan_checksum_spirv), writes);
    ck_assert_uint_eq(writes[0], BINDING_1);
    for (int i = 1; i < MOST_SETS; i++) ck_assert_uint_eq(writes[i], 0);
}
END_TEST

/* The same shader without a word on what is read-only: NonWritable becomes Coherent. */
START_TEST(what_is_not_said_to_be_read_only_may_be_written)
{
    uint32_t words[COUNT(adi_copy_spirv)], writes[MOST_SETS];
    memcpy(words, adi_copy_spirv, sizeof words);
    for (size_t at = 5; at < COUNT(words); at += words[at] >> 16) {
        uint32_t code = words[at] & 0xffff;
        size_t decoration = at + (code == MEMBER_DECORATE ? 3 : 2);
        if (code == MEMBER_DECORATE || code == MEMBER_DECORATE - 1)
            if (words[decoration] == NON_WRITABLE) words[decoration]--;
    }
    spirv_look(words, COUNT(words), writes);
    ck_assert_uint_eq(writes[0], BINDING_1 | 1);
}
END_TEST

START_TEST(what_cannot_be_read_may_write_all)
{
    uint32_t writes[MOST_SETS], words[COUNT(adi_copy_spirv)];
    spirv_look(NULL, 0, writes);
    ck_assert_uint_eq(writes[0], UINT32_MAX);
    memcpy(words, adi_copy_spirv, sizeof words);
    words[0]++;
    spirv_look(words, COUNT(words), writes);
    ck_assert_uint_eq(writes[0], UINT32_MAX);
    words[0]--;
    words[5] = 0; /* an instruction without a word */
    spirv_look(words, COUNT(words), writes);
    ck_assert_uint_eq(writes[MOST_SETS - 1], UINT32_MAX);
}
END_TEST

START_TEST(garbage_is_read_to_its_end_only)
{
    uint32_t writes[MOST_SETS];
    srand(1);
    for (size_t n = 0; n < COUNT(adi_copy_spirv); n++) {
        uint32_t *words = malloc(n * sizeof *words + 1);
        ck_assert_ptr_nonnull(words);
        memcpy(words, adi_copy_spirv, n * sizeof *words);
        spirv_look(words, n, writes);
        for (int i = 0; i < 20 && n > 5; i++) {
            words[5 + (size_t)rand() % (n - 5)] = (uint32_t)rand() * 2654435761u;
            spirv_look(words, n, writes);
        }
        free(words);
    }
}
END_TEST

Suite *devices_vulkan_spirv_suite(void) {
    Suite *suite = suite_create("devices_vulkan_spirv");
    TCase *tests = tcase_create("spirv");
    tcase_add_test(tests, what_is_read_only_is_not_written);
    tcase_add_test(tests, what_is_not_said_to_be_read_only_may_be_written);
    tcase_add_test(tests, what_cannot_be_read_may_write_all);
    tcase_add_test(tests, garbage_is_read_to_its_end_only);
    suite_add_tcase(suite, tests);
    return suite;
}
