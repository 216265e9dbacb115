# SPDX-License-Identifier: Apache-2.0
"""The tensor of an array without elements has a pointer; and the standard's own prefers NULL."""

import ctypes

import cupy

within = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi))
capsule = cupy.arange(12).reshape(3, 4)[:0].__dlpack__(max_version=(1, 0))
data = ctypes.c_void_p.from_address(within(capsule, b"dltensor_versioned") + 32).value
print(data)
assert data is not None
