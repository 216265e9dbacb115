/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls what the simulation does not serve, whatever the arguments would be.
 */
#include "hip_abi.h"

hipError_t hipModuleLoad(void), hipLaunchKernel(void);
void **__hipRegisterFatBinary(void);

int main(void) {
    __hipRegisterFatBinary();
    return hipModuleLoad() != hipErrorNotSupported || hipLaunchKernel() != hipErrorNotSupported ||
           hipGetLastError() != hipErrorNotSupported;
}
