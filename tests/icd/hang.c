/* SPDX-License-Identifier: Apache-2.0 */
#include <unistd.h>

/* An OpenCL platform whose library never finishes loading. */
__attribute__((constructor)) static void hang(void) {
    for (;;) pause();
}
