/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>

/* An OpenCL platform whose library crashes when it is loaded. */
__attribute__((constructor)) static void crash(void) {
    raise(SIGSEGV);
}
