/* SPDX-License-Identifier: Apache-2.0
 *
 * The call that a thread is in, and what it answers.
 */
#include "driver_internal.h"

static _Thread_local const char *call;

/* EIO is the fault that was asked for; a device that was lost stays so. */
static const struct {
    int code;
    driver_code answer;
} meanings[] = {
    {0, DRIVER_SUCCESS},
    {EINVAL, DRIVER_INVALID_VALUE},
    {EFAULT, DRIVER_INVALID_VALUE},
    {EXDEV, DRIVER_INVALID_VALUE},
    {EBADF, DRIVER_INVALID_HANDLE},
    {ENOMEM, DRIVER_OUT_OF_MEMORY},
    {EAGAIN, DRIVER_NOT_READY},
    {EPERM, DRIVER_NOT_PERMITTED},
    {ENODEV, DRIVER_INVALID_DEVICE},
    {EOWNERDEAD, DRIVER_LAUNCH_FAILED},
    {ENOTCONN, DRIVER_NOT_INITIALIZED},
};

driver_code driver_error(int code) {
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (meanings[i].code == code) return meanings[i].answer;
    return DRIVER_UNKNOWN;
}

driver_code driver_begin(const char *name, bool surely) {
    driver_code code = driver_error(adi_sim_begin_alone(name, surely));
    if (code == DRIVER_SUCCESS) call = name;
    return code;
}

void driver_remark(const char *why) {
    adi_sim_remark(call, why);
}

driver_code driver_unserved(void) {
    driver_remark(driver_facade.unserved);
    return DRIVER_NOT_SUPPORTED;
}
