/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the memory that it shares with others and empties it. */
#include "hostile.h"

#include <stdio.h>

static void misbehave(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], write;
    unsigned long start, end;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        if (strstr(line, "adicheck-log") != NULL &&
            sscanf(line, "%lx-%lx %*c%c", &start, &end, &write) == 3 && write == 'w')
            memset((void *)start, 0, 1 << 16);
    if (maps != NULL) fclose(maps);
}
