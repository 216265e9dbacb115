/* SPDX-License-Identifier: Apache-2.0 */
/* Is smaller than an adapter of version 1 is. */
#include "hostile.h"

static void misbehave(void) {}

__attribute__((constructor)) static void change(void) {
    hostile.size = offsetof(struct adi_adapter, produce);
}
