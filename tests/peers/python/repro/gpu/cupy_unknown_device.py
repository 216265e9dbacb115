# SPDX-License-Identifier: Apache-2.0
"""A tensor of a device that CuPy does not have is refused by another exception than BufferError,
which the standard asks for."""

import ctypes

import cupy
import numpy

within = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi))


class Elsewhere:
    def __dlpack_device__(self):
        return 18, 0  # kDLTrn

    def __dlpack__(self, **arguments):
        capsule = numpy.zeros(3).__dlpack__()
        ctypes.c_int32.from_address(within(capsule, b"dltensor") + 8).value = 18
        return capsule


try:
    cupy.from_dlpack(Elsewhere())
except Exception as error:
    print(repr(error)[:200])
    assert not isinstance(error, BufferError)
else:
    raise AssertionError
