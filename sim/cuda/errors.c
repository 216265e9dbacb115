/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "driver.h"

static const struct {
    CUresult number;
    const char *name, *string;
} errors[] = {
#define ERROR(name, number, string) {name, #name, string},
#include "errors.def"
#undef ERROR
};

#define ERRORS (sizeof errors / sizeof *errors)

/* EIO is the fault that was asked for; a device that was lost stays so. */
static const struct {
    int code;
    CUresult error;
} meanings[] = {
    {0, CUDA_SUCCESS},
    {EINVAL, CUDA_ERROR_INVALID_VALUE},
    {EFAULT, CUDA_ERROR_INVALID_VALUE},
    {EXDEV, CUDA_ERROR_INVALID_VALUE},
    {EBADF, CUDA_ERROR_INVALID_HANDLE},
    {ENOMEM, CUDA_ERROR_OUT_OF_MEMORY},
    {EAGAIN, CUDA_ERROR_NOT_READY},
    {EPERM, CUDA_ERROR_NOT_PERMITTED},
    {ENODEV, CUDA_ERROR_INVALID_DEVICE},
    {EOWNERDEAD, CUDA_ERROR_LAUNCH_FAILED},
    {ENOTCONN, CUDA_ERROR_NOT_INITIALIZED},
};

CUresult cuda_error(int code) {
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (meanings[i].code == code) return meanings[i].error;
    return CUDA_ERROR_UNKNOWN;
}

static CUresult find(CUresult error, const char **out, bool name) {
    if (out == NULL) return CUDA_ERROR_INVALID_VALUE;
    *out = NULL;
    for (size_t i = 0; i < ERRORS && *out == NULL; i++)
        if (errors[i].number == error) *out = name ? errors[i].name : errors[i].string;
    return *out == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuda_cuGetErrorName(CUresult error, const char **name) {
    return find(error, name, true);
}

CUresult cuda_cuGetErrorString(CUresult error, const char **text) {
    return find(error, text, false);
}

CUresult cuda_unserved(const char *name) {
    bool kernel = strncmp(name, "cuLaunch", strlen("cuLaunch")) == 0;
    adi_sim_remark(name, kernel ? "kernels do not run on the simulation: CUDA_ERROR_NOT_SUPPORTED"
                                : "not simulated: CUDA_ERROR_NOT_SUPPORTED");
    return CUDA_ERROR_NOT_SUPPORTED;
}
