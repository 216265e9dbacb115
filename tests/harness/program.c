/* SPDX-License-Identifier: Apache-2.0
 *
 * The language of programs: text, bytes, and what is said of a text that is none.
 */
#include "program.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

Suite *harness_program_suite(void);

static const struct {
    const char *text, *wrong; /* a part of the sentence */
} wrong[] = {
    {"", "character 1 is its end, wanted an operation, such as e0"},
    {"   ", "character 4 is its end, wanted an operation"},
    {"e", "character 2 is its end, wanted a slot from 0 to 3"},
    {"e4", "character 2 is '4', wanted a slot"},
    {"e0m01", "character 3 is 'm', wanted a blank"},
    {"e0 q", "character 4 is 'q', wanted an operation: one of m x t z e p c"},
    {"e0 c0,1>2", "character 6 is ',', wanted '.'"},
    {"c0.7>1", "character 4 is '7', wanted a child from 0 to 3"},
    {"d0-1", "character 3 is '-', wanted '>'"},
    {"s", "character 1 is 's', wanted an operation"},
    {"sn0", "character 4 is its end, wanted '>'"},
    {"sn0>4", "character 5 is '4', wanted a slot"},
    {"sl0>1", "character 4 is '>', wanted a blank"},
    {"hr", "character 3 is its end, wanted a slot"},
    {"t*", "character 2 is '*', wanted + or -"},
    {"e0\xff", "character 3 is '\\xff', wanted a blank"},
    {"e0\nx0", "character 3 is '\\x0a', wanted a blank"},
};

START_TEST(what_is_wrong_is_said_with_its_place)
{
    struct adi_program program;
    struct adi_error error;
    ck_assert_int_ne(adi_program_parse(wrong[_i].text, &program, &error), 0);
    ck_assert_msg(strstr(error.text, wrong[_i].wrong) != NULL, "%s", error.text);
}
END_TEST

START_TEST(a_text_comes_back_as_it_was)
{
    static const char *const text = "e0 p1 m01 c0.1>2 d3>2 w1 r1 y01 u2 x2 t+ X0.1 t- z3 se0 "
                                    "sp1 sf2 sn0>1 sh3>2 sl1 sy13 su3 hr0";
    struct adi_program program;
    char again[160];
    ck_assert_int_eq(adi_program_parse(text, &program, NULL), 0);
    ck_assert_str_eq(adi_program_text(&program, again, sizeof again), text);
    ck_assert_int_eq(adi_program_parse("  e0   x0 ", &program, NULL), 0);
    ck_assert_str_eq(adi_program_text(&program, again, sizeof again), "e0 x0");
}
END_TEST

START_TEST(every_two_bytes_are_a_word_and_every_word_has_its_own)
{
    for (unsigned value = 0; value < adi_step_count() + 300; value++) {
        struct adi_program program, again;
        char text[ADI_STEP_TEXT], packed[ADI_PROGRAM_PACKED];
        uint8_t bytes[] = {(uint8_t)(value & 0xff), (uint8_t)(value >> 8), 0};
        uint8_t back[ADI_PROGRAM_BYTES];
        adi_program_of_bytes(bytes, 3, &program);
        ck_assert_uint_eq(program.n, 1);
        ck_assert_uint_eq(adi_program_bytes(&program, back), ADI_WORD_BYTES);
        ck_assert_uint_eq(back[0] | (unsigned)back[1] << 8, value % adi_step_count());
        adi_program_pack(&program, packed);
        adi_program_unpack(packed, &again);
        ck_assert_uint_eq(again.n, 1);
        ck_assert_mem_eq(&program.steps[0], &again.steps[0], sizeof again.steps[0]);
        ck_assert_int_eq(adi_program_parse(adi_step_text(&program.steps[0], text), &again, NULL),
                         0);
        ck_assert_mem_eq(&program.steps[0], &again.steps[0], sizeof again.steps[0]);
    }
}
END_TEST

START_TEST(what_is_too_long_is_cut_or_refused)
{
    struct adi_program program;
    struct adi_error error;
    uint8_t bytes[ADI_PROGRAM_BYTES + 50] = {0};
    char text[3 * ADI_PROGRAM_STEPS + 4] = "", little[8];
    adi_program_of_bytes(bytes, sizeof bytes, &program);
    ck_assert_uint_eq(program.n, ADI_PROGRAM_STEPS);
    ck_assert_str_eq(adi_program_text(&program, little, sizeof little), "e0 e0 e");
    for (int i = 0; i <= ADI_PROGRAM_STEPS; i++) strcat(text, "e0 ");
    ck_assert_int_ne(adi_program_parse(text, &program, &error), 0);
    ck_assert_str_eq(error.text, "character 769 begins word 257, and 256 are the most");
}
END_TEST

Suite *harness_program_suite(void) {
    Suite *suite = suite_create("harness_program");
    TCase *tests = tcase_create("language");
    tcase_add_loop_test(tests, what_is_wrong_is_said_with_its_place, 0,
                        sizeof wrong / sizeof wrong[0]);
    tcase_add_test(tests, a_text_comes_back_as_it_was);
    tcase_add_test(tests, every_two_bytes_are_a_word_and_every_word_has_its_own);
    tcase_add_test(tests, what_is_too_long_is_cut_or_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
