/* SPDX-License-Identifier: Apache-2.0 */
/* Writes 1 GB of lines for the report. */
#include "hostile.h"

static void misbehave(void) {
    static char line[1000];
    memset(line, 'x', sizeof line - 1);
    for (int i = 0; i < 1 << 20; i++) harness->log(harness, line);
}
