/* SPDX-License-Identifier: Apache-2.0 */
#include "run_need.h"

#include <stdio.h>
#include <string.h>

void *adi_need(void *memory) {
    if (memory != NULL) return memory;
    fputs("adicheck: out of memory\n", stderr);
    exit(2);
}

char *adi_need_text(const char *text) {
    return adi_need(strdup(text));
}
