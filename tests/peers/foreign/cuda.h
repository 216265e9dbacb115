/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's header for nanoarrow's own tests of its CUDA device, which are in C++.
 */
#ifndef TESTS_PEERS_FOREIGN_CUDA_H
#define TESTS_PEERS_FOREIGN_CUDA_H

extern "C" {
#include "../nanoarrow/cuda.h"
}

#define CU_STREAM_DEFAULT 0
#define CU_EVENT_DEFAULT  0

#define cuMemAlloc cuMemAlloc_v2

#endif /* TESTS_PEERS_FOREIGN_CUDA_H */
