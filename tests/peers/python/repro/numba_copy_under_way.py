# SPDX-License-Identifier: Apache-2.0
"""An array is copied to the device from pageable memory, nobody waits for the copy, and there is no
stream to wait for. cuMemcpyHtoD may return before the device has the bytes (CUDA driver API, "API
synchronization behavior")."""

import numpy
from numba import cuda
from numba.cuda.cudadrv.driver import driver

calls = []


def record(name):
    real = getattr(driver, name)

    def recording(*arguments):
        calls.append(name)
        return real(*arguments)
    setattr(driver, name, recording)


cuda.current_context()
for name in "cuMemcpyHtoD", "cuMemcpyHtoDAsync", "cuCtxSynchronize", "cuStreamSynchronize":
    record(name)
array = cuda.to_device(numpy.arange(12).reshape(3, 4))
stream = array.__cuda_array_interface__["stream"]
print(calls, "stream:", stream)
assert calls == ["cuMemcpyHtoD"] and stream is None
