/* SPDX-License-Identifier: Apache-2.0
 *
 * none: the base as it is.
 */
#include "base/implementation.h"

void mutate(void) {}
