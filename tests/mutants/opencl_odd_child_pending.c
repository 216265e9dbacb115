/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: a parent is released while its event may be pending, its child later.
 */
#include "opencl/opencl.h"
/* needs the base */
#include "child_pending.h"
