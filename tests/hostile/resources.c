/* SPDX-License-Identifier: Apache-2.0 */
/* Takes every limit down to nothing. */
#include "hostile.h"

#include <sys/resource.h>
#include <sys/stat.h>

static void misbehave(void) {
    struct rlimit none = {0, 0};
    umask(0777);
    setrlimit(RLIMIT_NOFILE, &none);
    setrlimit(RLIMIT_FSIZE, &none);
    setrlimit(RLIMIT_NPROC, &none);
    setrlimit(RLIMIT_AS, &none);
}
