# SPDX-License-Identifier: Apache-2.0
"""The same with NVIDIA's cuda-bindings, whose driver module asks cuGetProcAddress for everything.
It loads the first libcuda.so.1 that there is.

    with_bindings.py CASE right|wrong      with_bindings.py list
"""

import ctypes
import sys

from cuda.bindings import driver

BYTES = 4096


def call(function, *arguments):
    """Its results without the code, which has to be that of success."""
    code, *results = function(*arguments)
    assert code == driver.CUresult.CUDA_SUCCESS, (function.__name__, code)
    return results[0] if len(results) == 1 else results


class Scene:
    """A current context, two streams that do not block, an event, memory of each kind."""

    def __init__(self):
        call(driver.cuInit, 0)
        self.device = call(driver.cuDeviceGet, 0)
        self.context = call(driver.cuDevicePrimaryCtxRetain, self.device)
        call(driver.cuCtxPushCurrent, self.context)
        flags = driver.CUstream_flags.CU_STREAM_NON_BLOCKING
        self.s, self.t = call(driver.cuStreamCreate, flags), call(driver.cuStreamCreate, flags)
        self.event = call(driver.cuEventCreate, 0)
        self.memory, self.other = call(driver.cuMemAlloc, BYTES), call(driver.cuMemAlloc, BYTES)
        self.pinned = call(driver.cuMemAllocHost, BYTES)
        self.out = call(driver.cuMemAllocHost, BYTES)
        ctypes.memset(self.pinned, 7, BYTES)

    def close(self):
        call(driver.cuCtxSynchronize)
        call(driver.cuMemFree, self.memory)
        call(driver.cuMemFree, self.other)
        call(driver.cuMemFreeHost, self.pinned)
        call(driver.cuMemFreeHost, self.out)
        call(driver.cuEventDestroy, self.event)
        call(driver.cuStreamDestroy, self.s)
        call(driver.cuStreamDestroy, self.t)
        call(driver.cuCtxPopCurrent)
        call(driver.cuDevicePrimaryCtxRelease, self.device)


def value(pointer):
    return ctypes.string_at(pointer, BYTES)[BYTES - 1]


def ordered_by_event(on, wait):
    call(driver.cuMemcpyHtoDAsync, on.memory, on.pinned, BYTES, on.s)
    call(driver.cuEventRecord, on.event, on.s)
    if wait:
        call(driver.cuStreamWaitEvent, on.t, on.event, 0)
    call(driver.cuMemcpyDtoHAsync, on.out, on.memory, BYTES, on.t)
    call(driver.cuStreamSynchronize, on.t)
    return value(on.out)


def waited_by_host(on, wait):
    call(driver.cuMemcpyHtoDAsync, on.memory, on.pinned, BYTES, on.s)
    call(driver.cuMemcpyDtoHAsync, on.out, on.memory, BYTES, on.s)
    if wait:
        call(driver.cuStreamSynchronize, on.s)
    return value(on.out)


def behind_the_default_stream(on, wait):
    call(driver.cuMemsetD8, on.memory, 7, BYTES)
    if wait:
        call(driver.cuCtxSynchronize)
    call(driver.cuMemcpyDtoHAsync, on.out, on.memory, BYTES, on.s)
    call(driver.cuStreamSynchronize, on.s)
    return value(on.out)


def freed_in_order(on, wait):
    memory = call(driver.cuMemAllocAsync, BYTES, on.s)
    call(driver.cuMemsetD8Async, memory, 7, BYTES, on.s)
    call(driver.cuMemcpyDtoHAsync, on.out, memory, BYTES, on.s)
    call(driver.cuMemFreeAsync, memory, on.s if wait else on.t)
    call(driver.cuStreamSynchronize, on.s)
    return value(on.out)


def destroyed_event(on, wait):
    event = call(driver.cuEventCreate, 0)
    call(driver.cuEventRecord, event, on.s)
    if not wait:
        call(driver.cuEventDestroy, event)
    driver.cuStreamWaitEvent(on.t, event, 0)
    if wait:
        call(driver.cuEventDestroy, event)
    return 7


def memory_of_the_device(on, wait):
    call(driver.cuMemcpyHtoD, on.memory, on.pinned, BYTES)
    call(driver.cuMemcpyDtoH, on.out, on.memory, BYTES)
    return value(on.out if wait else int(on.memory))


CASES = {
    ordered_by_event: "race",
    waited_by_host: "touched-before-wait",
    behind_the_default_stream: "race",
    freed_in_order: "freed-in-use",
    destroyed_event: "use-after-destroy",
    memory_of_the_device: "device-memory-touched",
}


def main():
    if sys.argv[1] == "list":
        for case, violation in CASES.items():
            print(case.__name__, violation)
        return
    case = next(case for case in CASES if case.__name__ == sys.argv[1])
    right = sys.argv[2] == "right"
    scene = Scene()
    seen = case(scene, right)
    assert seen == 7 or not right, seen
    scene.close()


main()
