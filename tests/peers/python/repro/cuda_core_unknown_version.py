# SPDX-License-Identifier: Apache-2.0
"""A tensor of DLPack 2.0, whose layout nobody knows yet, is read as if it were one of 1.x."""

import ctypes

import numpy
from cuda.core.utils import StridedMemoryView

at = ctypes.pythonapi.PyCapsule_GetPointer
at.restype, at.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class Shows:
    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **keywords):
        capsule = numpy.arange(3).__dlpack__(max_version=(1, 0))
        ctypes.c_uint32.from_address(at(capsule, b"dltensor_versioned")).value = 2
        return capsule


view = StridedMemoryView.from_dlpack(Shows(), stream_ptr=-1)
print(view)
assert view.shape == (3,)
