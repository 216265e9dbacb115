/* SPDX-License-Identifier: Apache-2.0 */
/* Closes every descriptor there is. */
#include "hostile.h"

#include <unistd.h>

static void misbehave(void) {
    for (int fd = 0; fd < 4096; fd++) close(fd);
}
