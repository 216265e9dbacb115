/* SPDX-License-Identifier: Apache-2.0
 *
 * The texts of a finding: all that a predicate needs to say what it has seen.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "finding.h"

/* What is too long ends with a whole word. */
static void cut(char text[ADI_SIGHT_SIZE], int length) {
    if (length < ADI_SIGHT_SIZE) return;
    size_t end = ADI_SIGHT_SIZE - sizeof " ...";
    while (end > ADI_SIGHT_SIZE / 2 && text[end] != ' ') end--;
    memcpy(&text[end], " ...", sizeof " ...");
}

static void say(char text[ADI_SIGHT_SIZE], const char *what) {
    cut(text, snprintf(text, ADI_SIGHT_SIZE, "%s", what == NULL ? "" : what));
}

bool adi_see(struct adi_sight *sight, const char *seen, const char *wanted, const char *format,
             ...) {
    va_list arguments;
    say(sight->seen, seen);
    say(sight->wanted, wanted);
    va_start(arguments, format);
    cut(sight->message, vsnprintf(sight->message, sizeof sight->message, format, arguments));
    va_end(arguments);
    return false;
}
