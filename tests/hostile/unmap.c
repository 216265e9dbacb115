/* SPDX-License-Identifier: Apache-2.0 */
/* Unmaps the memory that it shares with others. */
#include "hostile.h"

#include <stdio.h>
#include <sys/mman.h>

static void misbehave(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    unsigned long start, end;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        if (strstr(line, "adicheck-log") != NULL && sscanf(line, "%lx-%lx", &start, &end) == 2)
            munmap((void *)start, end - start);
    if (maps != NULL) fclose(maps);
}
