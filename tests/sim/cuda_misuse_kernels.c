/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cuda_misuse_internal.h"

static const char text[] = ".version 6.0\n.target sm_50\n.address_size 64\n"
                           ".visible .entry idle()\n{\n    ret;\n}\n"
                           ".visible .entry one(.param .u64 p)\n{\n    ret;\n}\n";

static CUfunction begin_with(const char *name) {
    CUmodule module;
    CUfunction function = NULL;
    cuda_misuse_begin();
    MUST(cu.cuModuleLoadData(&module, text));
    if (name != NULL) MUST(cu.cuModuleGetFunction(&function, module, name));
    return function;
}

CUresult module_of_no_image(void) {
    CUmodule module;
    cuda_misuse_begin();
    return cu.cuModuleLoadData(&module, "no module");
}

CUresult module_of_broken_ptx(void) {
    CUmodule module;
    cuda_misuse_begin();
    return cu.cuModuleLoadData(&module, ".version 6.0\n.target sm_50\n.entry a(.param .u64");
}

CUresult function_that_no_module_has(void) {
    CUmodule module;
    CUfunction function;
    cuda_misuse_begin();
    MUST(cu.cuModuleLoadData(&module, text));
    return cu.cuModuleGetFunction(&function, module, "none");
}

CUresult attribute_that_no_function_has(void) {
    int value;
    return cu.cuFuncGetAttribute(&value, 100000, begin_with("idle"));
}

CUresult launch_of_no_threads(void) {
    CUfunction function = begin_with("idle");
    return cu.cuLaunchKernel(function, 1, 1, 1, 0, 1, 1, 0, on.stream, NULL, NULL);
}

CUresult launch_of_too_many_threads(void) {
    CUfunction function = begin_with("idle");
    return cu.cuLaunchKernel(function, 1, 1, 1, 1024, 2, 1, 0, on.stream, NULL, NULL);
}

CUresult launch_with_parameters_in_two_ways(void) {
    CUdeviceptr memory;
    void *parameters[] = {&memory}, *extra[] = {NULL};
    CUfunction function = begin_with("one");
    memory = on.memory;
    return cu.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, on.stream, parameters, extra);
}

CUresult launch_without_parameters(void) {
    CUfunction function = begin_with("one");
    return cu.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, on.stream, NULL, NULL);
}
