/* SPDX-License-Identifier: Apache-2.0 */
#include "misuse_observed.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

struct misuse_heard observed;

void on_misuse(void *context, enum adi_misuse misuse, bool is_event, const char *text) {
    ck_assert_ptr_eq(context, &observed);
    observed.misuse = misuse;
    observed.is_event = is_event;
    snprintf(observed.text, sizeof observed.text, "%s", text);
    observed.count++;
}

void expect_observed(enum adi_misuse misuse, bool is_event, const char *words) {
    ck_assert_msg(observed.count == 1, "%d times: %s", observed.count, observed.text);
    ck_assert_msg(observed.misuse == misuse && observed.is_event == is_event, "%d: %s",
                  observed.misuse, observed.text);
    ck_assert_msg(strstr(observed.text, words) != NULL, "%s", observed.text);
    observed.count = 0;
}
