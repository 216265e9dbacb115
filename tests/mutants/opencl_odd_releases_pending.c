/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: what is not read is released on another thread, its event pending or not.
 */
#include "opencl/opencl.h"
/* needs the base */
#include "releases_pending.h"
