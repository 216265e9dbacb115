/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's header for nanoarrow's CUDA device: what it needs of NVIDIA's is in the one that the
 * simulated driver is built with.
 */
#ifndef TESTS_PEERS_NANOARROW_CUDA_H
#define TESTS_PEERS_NANOARROW_CUDA_H

#include "../../../sim/cuda/cuda_abi.h"

#define CU_EVENT_WAIT_DEFAULT 0

/* As there, what a function has come to mean is its name. */
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuCtxPushCurrent          cuCtxPushCurrent_v2
#define cuCtxPopCurrent           cuCtxPopCurrent_v2
#define cuMemFree                 cuMemFree_v2
#define cuMemAllocHost            cuMemAllocHost_v2
#define cuMemcpyHtoDAsync         cuMemcpyHtoDAsync_v2
#define cuMemcpyDtoHAsync         cuMemcpyDtoHAsync_v2
#define cuMemcpyDtoDAsync         cuMemcpyDtoDAsync_v2
#define cuStreamDestroy           cuStreamDestroy_v2
#define cuEventDestroy            cuEventDestroy_v2

#endif /* TESTS_PEERS_NANOARROW_CUDA_H */
