# SPDX-License-Identifier: Apache-2.0
"""A device array that is marked released is taken, and handed on as one that is not."""

import ctypes

import nanoarrow
from nanoarrow.device import c_device_array

at = ctypes.pythonapi.PyCapsule_GetPointer
at.restype, at.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
RELEASE = 64  # where it lies in an ArrowArray


def release_of(capsule):
    return ctypes.c_void_p.from_address(at(capsule, b"arrow_device_array") + RELEASE)


class Shows:
    def __arrow_c_device_array__(self, requested_schema=None, **keywords):
        array = c_device_array(nanoarrow.c_array([1, 2, 3], nanoarrow.int32()))
        schema, capsule = array.__arrow_c_device_array__()
        release_of(capsule).value = None
        return schema, capsule


_, capsule = c_device_array(Shows()).__arrow_c_device_array__()
print(release_of(capsule))
assert release_of(capsule).value
