# SPDX-License-Identifier: Apache-2.0
"""The tensor of an array without elements has a pointer, and not NULL."""

import ctypes

import jax.numpy

at = ctypes.pythonapi.PyCapsule_GetPointer
at.restype, at.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]

capsule = jax.numpy.zeros(0).__dlpack__()
data = ctypes.c_void_p.from_address(at(capsule, b"dltensor")).value
print(f"data is {data:#x}")
assert data
