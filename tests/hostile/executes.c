/* SPDX-License-Identifier: Apache-2.0 */
/* Becomes another program. */
#include "hostile.h"

#include <unistd.h>

static void misbehave(void) {
    char *words[] = {(char[]){"sh"}, (char[]){"-c"}, (char[]){"exit 0"}, NULL};
    execv("/bin/sh", words);
}
