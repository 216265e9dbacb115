/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's interface as far as it is served here: types and numbers that programs are compiled
 * with, and the functions of functions.def. What a function does is NVIDIA's to say (CUDA Driver
 * API); what the simulation does otherwise is in docs/simulation.md.
 */
#ifndef SIM_CUDA_ABI_H
#define SIM_CUDA_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "../driver/driver_abi.h"

#define CU_PUBLIC __attribute__((visibility("default")))

typedef enum {
#define ERROR(name, number, string) name = number,
#include "errors.def"
#undef ERROR
} CUresult;

typedef int CUdevice;
typedef driver_pointer CUdeviceptr;
typedef driver_context CUcontext;
typedef driver_stream CUstream;
typedef driver_event CUevent;
typedef driver_pool CUmemoryPool;
typedef driver_uuid CUuuid;
typedef driver_ipc_handle CUipcMemHandle;
typedef driver_location CUmemLocation;
typedef driver_allocation_kind CUmemAllocationProp;
typedef driver_pool_kind CUmemPoolProps;
typedef driver_access CUmemAccessDesc;
typedef driver_copy_kind CUmemcpyAttributes;
typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *data);
typedef driver_host_function CUhostFn;
typedef driver_module CUmodule;
typedef driver_module CUlibrary;
typedef driver_kernel CUfunction;
typedef driver_kernel CUkernel;
typedef driver_link CUlinkState;
typedef driver_launch_kind CUlaunchConfig;
typedef driver_graph CUgraph;
typedef driver_node CUgraphNode;
typedef driver_exec CUgraphExec;
typedef driver_user CUuserObject;
typedef driver_box_kind CUDA_MEMCPY3D;
typedef driver_rows_kind CUDA_MEMCPY2D;
typedef driver_fill_kind CUDA_MEMSET_NODE_PARAMS;
typedef driver_host_kind CUDA_HOST_NODE_PARAMS;
typedef driver_node_launch CUDA_KERNEL_NODE_PARAMS;
typedef driver_node_kind CUgraphNodeParams;
typedef driver_edge_kind CUgraphEdgeData;
typedef driver_instance_kind CUDA_GRAPH_INSTANTIATE_PARAMS;

#define CU_STREAM_LEGACY     DRIVER_STREAM_LEGACY
#define CU_STREAM_PER_THREAD DRIVER_STREAM_PER_THREAD

enum {
#define NUMBER(name, value) CU_##name = value,
#include "../driver/numbers.def"
#undef NUMBER

    CU_GET_PROC_ADDRESS_LEGACY_STREAM = 1,
    CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM = 2,
    CU_GET_PROC_ADDRESS_SUCCESS = 0,
    CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
    CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2,
};

#define CALL(base, since, name, begin, parameters, ...) CU_PUBLIC CUresult name parameters;
#define BY_NAME(base, since, name, begin, parameters, ...)
#define STREAM(base, since, name, suffix, begin, parameters, ...)                                  \
    CU_PUBLIC CUresult name parameters;                                                            \
    CU_PUBLIC CUresult name##suffix parameters;
#define PLAIN(base, since, name, parameters, ...) CU_PUBLIC CUresult name parameters;
#define ALIAS(older, name)                        CU_PUBLIC __typeof__(name) older;
#include "functions.def"

#endif /* SIM_CUDA_ABI_H */
