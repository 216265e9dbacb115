# SPDX-License-Identifier: Apache-2.0
"""A tensor of managed memory is asked for on the CPU: what comes says that it is managed memory."""

import ctypes

import cupy

within = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi))

array = cupy.ndarray((3, 4), "int32", cupy.cuda.malloc_managed(48))
print(array.__dlpack_device__())
capsule = array.__dlpack__(max_version=(1, 0), dl_device=(1, 0))
device = ctypes.c_int32.from_address(within(capsule, b"dltensor_versioned") + 40).value
print(f"asked for device type 1, got {device}")
assert device != 1
