/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the OpenCL layer: the calls of cl_intel_unified_shared_memory, which a SYCL runtime
 * makes. Such memory is known as shared virtual memory is.
 */
#ifndef ADI_CL_USM_H
#define ADI_CL_USM_H

#include "../opencl_layer.h"

/* Has who asks for one of these calls by its name get one that is seen. */
void usm_put(cl_icd_dispatch *seen);

#endif /* ADI_CL_USM_H */
