# SPDX-License-Identifier: Apache-2.0
"""The driver of CUDA as a library in Python calls it: by ctypes, on the simulation."""

import ctypes
import pathlib
from ctypes import byref, c_int, c_size_t, c_uint, c_uint64, c_void_p

import adicheck

NON_BLOCKING = 1


class Driver:
    def __init__(self):
        adicheck.devices()
        at = pathlib.Path(adicheck.__file__).parent / "sim" / "libcuda.so.1"
        self._lib = ctypes.CDLL(str(at))
        self("cuInit", c_uint(0))
        self.context = c_void_p()
        self("cuDevicePrimaryCtxRetain", byref(self.context), c_int(0))

    def __call__(self, name, *arguments):
        code = getattr(self._lib, name)(*arguments)
        if code != 0:
            raise OSError(f"{name}: {code}")

    def enter(self):
        self("cuCtxSetCurrent", self.context)

    def stream(self):
        made = c_void_p()
        self("cuStreamCreate", byref(made), c_uint(NON_BLOCKING))
        return made

    def memory(self, size):
        made = c_uint64()
        self("cuMemAlloc_v2", byref(made), c_size_t(size))
        return made

    def wait(self, stream):
        self("cuStreamSynchronize", stream)

    def behind(self, later, earlier):
        """What comes into the one stream comes behind what is in the other."""
        event = c_void_p()
        self("cuEventCreate", byref(event), c_uint(2))
        self("cuEventRecord", event, earlier)
        self("cuStreamWaitEvent", later, event, c_uint(0))
        self("cuEventDestroy_v2", event)

    def copy(self, to, source, size, stream):
        self("cuMemcpyDtoDAsync_v2", to, c_uint64(source), c_size_t(size), stream)

    def copy_in(self, to, source):
        """From pageable memory, in the default stream: nobody waits for it."""
        self("cuMemcpyHtoD_v2", to, source, c_size_t(len(source)))

    def fill(self, at, value, count, stream):
        self("cuMemsetD32Async", at, c_uint(value), c_size_t(count), stream)

    def read(self, source, size, stream):
        """The bytes, once they are there."""
        host = (ctypes.c_char * size)()
        self("cuMemcpyDtoHAsync_v2", host, c_uint64(source), c_size_t(size), stream)
        self.wait(stream)
        return bytes(host)
