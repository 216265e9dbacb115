/* SPDX-License-Identifier: Apache-2.0
 *
 * The texts of a finding: all that a predicate needs to say what it has seen.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "finding.h"

/* What is too long ends with a whole word. */
static void cut(char text[ADI_FINDING_SIZE], int length) {
    if (length < ADI_FINDING_SIZE) return;
    size_t end = ADI_FINDING_SIZE - sizeof " ...";
    while (end > ADI_FINDING_SIZE / 2 && text[end] != ' ') end--;
    memcpy(&text[end], " ...", sizeof " ...");
}

static void say(char text[ADI_FINDING_SIZE], const char *what) {
    cut(text, snprintf(text, ADI_FINDING_SIZE, "%s", what == NULL ? "" : what));
}

bool adi_see(struct adi_found *finding, const char *seen, const char *wanted, const char *format,
             ...) {
    va_list arguments;
    say(finding->seen, seen);
    say(finding->wanted, wanted);
    va_start(arguments, format);
    cut(finding->message, vsnprintf(finding->message, sizeof finding->message, format, arguments));
    va_end(arguments);
    return false;
}
