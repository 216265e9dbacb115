/* SPDX-License-Identifier: Apache-2.0 */
/* Changes into a directory that it then removes. */
#include "hostile.h"

#include <stdlib.h>
#include <unistd.h>

static void misbehave(void) {
    char name[] = "/tmp/hostile-XXXXXX";
    if (mkdtemp(name) == NULL || chdir(name) != 0) return;
    rmdir(name);
}
