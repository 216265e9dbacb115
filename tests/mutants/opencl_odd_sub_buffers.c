/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the buffers are halves of larger ones, and are written by way of those.
 */
#include "opencl/sub_buffers.h"

void mutate(void) {
    make_sub_buffers();
}
