/* SPDX-License-Identifier: Apache-2.0
 *
 * A text that is lent: one that is gone is known, and one that is there is not taken for it.
 */
#include "lent_text.h"

#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

Suite *harness_lent_text_suite(void);

#define PAGE 65536

/* Where a text was, of so many bytes, the compiler does not know. */
static const char *make_freed(size_t bytes) {
    char *text = malloc(bytes);
    volatile uintptr_t at = (uintptr_t)text;
    memset(text, 'x', bytes - 1);
    text[bytes - 1] = '\0';
    free(text);
    return (const char *)at;
}

START_TEST(what_was_freed_is_known_and_what_is_held_is_not_taken_for_it)
{
    static const char literal[] = "gone";
    char here[] = "gone";
    for (size_t bytes = 1; bytes < 900; bytes += 97) {
        char *text = calloc(bytes, 1);
        ck_assert(!adi_lent_text_is_freed(text));
        free(text);
        ck_assert_msg(adi_lent_text_is_freed(make_freed(bytes)), "%zu bytes", bytes);
    }
    ck_assert(!adi_lent_text_is_freed(literal));
    ck_assert(!adi_lent_text_is_freed(here));
}
END_TEST

static __attribute__((noinline)) uintptr_t describe(size_t at) {
    char text[8192];
    memset(text, 'x', sizeof text);
    volatile uintptr_t given = (uintptr_t)(text + at);
    return given;
}

static __attribute__((noinline)) bool is_below(const char *text) {
    return adi_lent_text_is_below(text, __builtin_frame_address(0));
}

/* A sanitizer may have frames elsewhere, and knows when they are over. */
static bool is_gone(const char *text) {
    return is_below(text) || adi_lent_text_is_freed(text);
}

START_TEST(a_text_below_the_frame_of_a_callback_is_known)
{
    char here[] = "gone", *there = strdup(here);
    ck_assert(is_gone((const char *)describe(0)));
    ck_assert(is_gone((const char *)describe(8000)));
    ck_assert(!is_below(here));
    ck_assert(!is_below(there));
    ck_assert(!is_below("gone"));
    free(there);
}
END_TEST

START_TEST(a_text_that_changes_or_goes_is_known)
{
    char *held = malloc(1000),
         *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    strcpy(held, "gone");
    strcpy(page, "gone");
    ck_assert_ptr_null(adi_lent_text_changed(held, "gone", PAGE));
    ck_assert_ptr_null(adi_lent_text_changed(page, "gone", PAGE));
    ck_assert_str_eq(adi_lent_text_changed(held, "go on", PAGE), "another text");
    mprotect(page, PAGE, PROT_NONE);
    ck_assert_str_eq(adi_lent_text_changed(page, "gone", PAGE), "memory that cannot be read");
    munmap(page, PAGE);
    free(held);
}
END_TEST

Suite *harness_lent_text_suite(void) {
    Suite *suite = suite_create("harness_lent_text");
    TCase *tests = tcase_create("texts");
    tcase_add_test(tests, what_was_freed_is_known_and_what_is_held_is_not_taken_for_it);
    tcase_add_test(tests, a_text_below_the_frame_of_a_callback_is_known);
    tcase_add_test(tests, a_text_that_changes_or_goes_is_known);
    suite_add_tcase(suite, tests);
    return suite;
}
