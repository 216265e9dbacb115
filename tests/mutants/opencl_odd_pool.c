/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the buffers are parts of one block of shared virtual memory, and the next batch is queued
 * into another part of it behind the event.
 */
#include "opencl_pool.h"

void mutate(void) {
    make_shared_pool();
    (void)be_early;
}
