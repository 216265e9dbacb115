# SPDX-License-Identifier: Apache-2.0
"""A tensor of a device that NumPy, and array-api-strict with it, does not have is not refused by
BufferError, as the standard asks."""

import ctypes

import array_api_strict
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


for take in numpy.from_dlpack, array_api_strict.from_dlpack:
    try:
        take(Elsewhere())
    except Exception as error:
        print(repr(error))
        assert not isinstance(error, BufferError)
    else:
        raise AssertionError
