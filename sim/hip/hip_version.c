/* SPDX-License-Identifier: Apache-2.0
 *
 * The major version of the library that this is in; compiled for each.
 */
#include "hip_facade.h"

const int hip_major = HIP_MAJOR;
