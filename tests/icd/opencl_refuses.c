/* SPDX-License-Identifier: Apache-2.0
 *
 * A layer of OpenCL (OPENCL_LAYERS) under which no program can be built; where $ADI_TEST_CRASHES is
 * set, whoever tries is ended.
 */
#include <stdlib.h>

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl_layer.h>

#define SHOWN __attribute__((visibility("default")))

static cl_int CL_API_CALL refuse(cl_program program, cl_uint n, const cl_device_id *devices,
                                 const char *options,
                                 void(CL_CALLBACK *notify)(cl_program program, void *context),
                                 void *context) {
    (void)program, (void)n, (void)devices, (void)options, (void)notify, (void)context;
    if (getenv("ADI_TEST_CRASHES") != NULL) abort();
    return CL_BUILD_PROGRAM_FAILURE;
}

SHOWN cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t room, void *value,
                                        size_t *bytes) {
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    if (name != CL_LAYER_API_VERSION) return CL_INVALID_VALUE;
    if (value != NULL && room >= sizeof version) *(cl_layer_api_version *)value = version;
    if (bytes != NULL) *bytes = sizeof version;
    return CL_SUCCESS;
}

SHOWN cl_int CL_API_CALL clInitLayer(cl_uint n, const cl_icd_dispatch *target, cl_uint *n_out,
                                     const cl_icd_dispatch **out) {
    static cl_icd_dispatch changed;
    (void)n;
    changed = *target;
    changed.clBuildProgram = refuse;
    *n_out = sizeof changed / sizeof(void *);
    *out = &changed;
    return CL_SUCCESS;
}
