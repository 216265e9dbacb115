# SPDX-License-Identifier: Apache-2.0
"""Pinned memory: what __dlpack_device__ says, and what the tensor says."""

import ctypes

import torch

within = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi))

pinned = torch.arange(3).pin_memory()
said = tuple(map(int, pinned.__dlpack_device__()))
capsule = pinned.__dlpack__(max_version=(1, 0))
device = ctypes.c_int32.from_address(within(capsule, b"dltensor_versioned") + 40).value
print(f"__dlpack_device__ says {said}, the tensor {device}")
assert said[0] != device
