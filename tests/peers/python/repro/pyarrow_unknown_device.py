# SPDX-License-Identifier: Apache-2.0
"""A tensor of a device that pyarrow does not have is not refused by BufferError, as the standard
asks."""

import ctypes

import numpy
import pyarrow

within = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi))


class Elsewhere:
    def __dlpack_device__(self):
        return 18, 0  # kDLTrn

    def __dlpack__(self, **arguments):
        capsule = numpy.zeros(3).__dlpack__(max_version=(1, 0))
        device = within(capsule, b"dltensor_versioned") + 40
        ctypes.c_int32.from_address(device).value = 18
        return capsule


try:
    pyarrow.Tensor.from_dlpack(Elsewhere())
except Exception as error:
    print(repr(error))
    assert not isinstance(error, BufferError)
else:
    raise AssertionError
