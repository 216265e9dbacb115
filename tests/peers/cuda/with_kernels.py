# SPDX-License-Identifier: Apache-2.0
"""Kernels of numba's driver, from PTX, launched as the opaque commands that the simulation has for
them, each as it should be and with the waiting taken out. numba loads the driver that
NUMBA_CUDA_DRIVER names.

    with_kernels.py CASE right|wrong      with_kernels.py list
"""

import ctypes
import os
import sys

os.environ["ADI_SIM_KERNELS"] = "opaque"

import numpy
from numba import cuda
from numba.cuda.cudadrv import driver

LENGTH = 1024
PTX = b""".version 8.0
.target sm_90
.address_size 64
.visible .entry scale(.param .u64 out, .param .u64 in, .param .f32 by, .param .u32 n) { ret; }
"""


class Scene:
    """A kernel, two streams, two arrays on the device."""

    def __init__(self):
        self.module = cuda.current_context().create_module_ptx(PTX)
        self.kernel = self.module.get_function("scale")
        self.s, self.t = cuda.stream(), cuda.stream()
        self.out = cuda.device_array(LENGTH, dtype=numpy.int32)
        self.source = cuda.device_array(LENGTH, dtype=numpy.int32)

    def launch(self, out, stream):
        pointer = ctypes.c_void_p
        arguments = [pointer(out.device_ctypes_pointer.value),
                     pointer(self.source.device_ctypes_pointer.value),
                     ctypes.c_float(2), ctypes.c_uint(LENGTH)]
        driver.launch_kernel(self.kernel.handle, 8, 1, 1, 128, 1, 1, 0, stream.handle, arguments)


def copied_behind_it(on, wait):
    on.launch(on.out, on.s)
    if wait:
        on.s.synchronize()
    on.out.copy_to_host(cuda.pinned_array(LENGTH, dtype=numpy.int32), stream=on.t)


def copied_before_it(on, wait):
    event, values = cuda.event(), cuda.pinned_array(LENGTH, dtype=numpy.int32)
    values[:] = 1
    on.source.copy_to_device(values, stream=on.t)
    event.record(on.t)
    if wait:
        event.wait(on.s)
    on.launch(on.out, on.s)
    on.values = values


def read_by_the_host(on, wait):
    managed = cuda.managed_array(LENGTH, dtype=numpy.int32)
    on.launch(managed, on.s)
    if wait:
        on.s.synchronize()
    on.values = managed
    return int(managed[3])


CASES = {
    copied_behind_it: "launch-unordered",
    copied_before_it: "launch-unordered",
    read_by_the_host: "launch-unordered",
}


def main():
    if sys.argv[1] == "list":
        for case, violation in CASES.items():
            print(case.__name__, violation)
        return
    case = next(case for case in CASES if case.__name__ == sys.argv[1])
    scene = Scene()
    case(scene, sys.argv[2] == "right")
    cuda.synchronize()


main()
