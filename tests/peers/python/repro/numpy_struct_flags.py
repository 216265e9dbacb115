# SPDX-License-Identifier: Apache-2.0
"""__array_struct__ of an array with fields has no flag at all: not that of its descr, and not those
of what it has."""

import ctypes

import numpy

ALIGNED, NOT_SWAPPED, WRITABLE, HAS_DESCR = 0x100, 0x200, 0x400, 0x800


class ArrayStruct(ctypes.Structure):
    """A PyArrayInterface."""
    _fields_ = [("two", ctypes.c_int), ("nd", ctypes.c_int), ("typekind", ctypes.c_char),
                ("itemsize", ctypes.c_int), ("flags", ctypes.c_int), ("shape", ctypes.c_void_p),
                ("strides", ctypes.c_void_p), ("data", ctypes.c_void_p),
                ("descr", ctypes.py_object)]


pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]

plain, fields = numpy.zeros(2, "i4"), numpy.zeros(2, [("a", "i4")])
for array in plain, fields:
    capsule = array.__array_struct__
    struct = ArrayStruct.from_address(pointer_of(capsule, None))
    print(array.dtype, hex(struct.flags))
    if array is plain:
        assert struct.flags & (ALIGNED | NOT_SWAPPED | WRITABLE) == 0x700
    else:
        assert struct.flags == 0 and struct.descr == [("a", "<i4")]
        assert fields.flags.aligned and fields.flags.writeable and fields.flags.c_contiguous
