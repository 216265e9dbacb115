/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cuda_facade.h"

static const struct {
    CUresult number;
    const char *name, *string;
} errors[] = {
#define ERROR(name, number, string) {name, #name, string},
#include "errors.def"
#undef ERROR
};

#define ERRORS (sizeof errors / sizeof *errors)

static CUresult find(CUresult error, const char **out, bool name) {
    if (out == NULL) return CUDA_ERROR_INVALID_VALUE;
    *out = NULL;
    for (size_t i = 0; i < ERRORS && *out == NULL; i++)
        if (errors[i].number == error) *out = name ? errors[i].name : errors[i].string;
    return *out == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuda_error_name(CUresult error, const char **name) {
    return find(error, name, true);
}

CUresult cuda_error_string(CUresult error, const char **text) {
    return find(error, text, false);
}

CUresult cuda_unserved(const char *name) {
    bool kernel = strncmp(name, "cuLaunch", strlen("cuLaunch")) == 0;
    driver_remark(kernel ? driver_facade.kernels : driver_facade.unserved);
    return CUDA_ERROR_NOT_SUPPORTED;
}
