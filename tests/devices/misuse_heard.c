/* SPDX-License-Identifier: Apache-2.0 */
#include "misuse_heard.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

struct misuse_heard heard;

void hear(void *context, enum adi_misuse misuse, bool is_event, const char *text) {
    ck_assert_ptr_eq(context, &heard);
    heard.misuse = misuse;
    heard.is_event = is_event;
    snprintf(heard.text, sizeof heard.text, "%s", text);
    heard.count++;
}

void expect_heard(enum adi_misuse misuse, bool is_event, const char *words) {
    ck_assert_msg(heard.count == 1, "%d times: %s", heard.count, heard.text);
    ck_assert_msg(heard.misuse == misuse && heard.is_event == is_event, "%d: %s", heard.misuse,
                  heard.text);
    ck_assert_msg(strstr(heard.text, words) != NULL, "%s", heard.text);
    heard.count = 0;
}
