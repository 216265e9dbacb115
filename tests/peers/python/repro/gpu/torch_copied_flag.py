# SPDX-License-Identifier: Apache-2.0
"""PyTorch copies where copy is True, and does not set DLPACK_FLAG_BITMASK_IS_COPIED."""

import ctypes

import torch

IS_COPIED = 2
within = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi))

mine = torch.arange(12, dtype=torch.int32)
capsule = mine.__dlpack__(max_version=(1, 0), copy=True)
tensor = within(capsule, b"dltensor_versioned")
# struct DLManagedTensorVersioned: version, manager_ctx, deleter, flags, dl_tensor, data in front
flags = ctypes.c_uint64.from_address(tensor + 24).value
data = ctypes.c_void_p.from_address(tensor + 32).value
print(f"flags is {flags:#x}; is data the same: {data == mine.data_ptr()}")
assert data != mine.data_ptr() and not flags & IS_COPIED
