/* SPDX-License-Identifier: Apache-2.0
 *
 * All in which the runtimes of two major versions differ: each has this file of its own.
 */
#include "runtime.h"

const int runtime_major = CUDART_MAJOR;
