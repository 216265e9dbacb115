/* SPDX-License-Identifier: Apache-2.0 */
/* Writes 1 GB to standard error, then crashes. */
#include <signal.h>
#include <unistd.h>

#include "hostile.h"

static void say(const char *text) {
    (void)!write(STDERR_FILENO, text, strlen(text));
}

static void misbehave(void) {
    static char line[1 << 16];
    memset(line, 'x', sizeof line - 1);
    say("the first line\n");
    for (int i = 0; i < 1 << 14; i++) say(line);
    say("\nthe last line\n");
    signal(SIGSEGV, SIG_DFL); /* a sanitizer's report of the crash would push that out */
    fault();
}
