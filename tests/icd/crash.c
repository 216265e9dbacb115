/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

/* A driver whose library ends the process when it is loaded, OpenCL's or Vulkan's. Not by SIGSEGV:
 * POCL brings a handler that swallows one that was merely raised. */
__attribute__((constructor)) static void crash(void) {
    abort();
}
