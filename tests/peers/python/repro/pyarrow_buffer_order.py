# SPDX-License-Identifier: Apache-2.0
"""A tensor gives the order of C to who asks for that of Fortran, and the other way round."""

import ctypes

import numpy
import pyarrow

C, FORTRAN = 0x38, 0x58  # PyBUF_C_CONTIGUOUS, PyBUF_F_CONTIGUOUS
rows = numpy.ones((2, 3))
view = ctypes.create_string_buffer(80)  # a Py_buffer
is_contiguous = ctypes.pythonapi.PyBuffer_IsContiguous
is_contiguous.argtypes = ctypes.c_void_p, ctypes.c_char

for array, flags, order in (rows, FORTRAN, b"F"), (numpy.asfortranarray(rows), C, b"C"):
    tensor = pyarrow.Tensor.from_numpy(array)
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(tensor), view, flags)
    print(tensor.strides, order, is_contiguous(view, order))
    assert not is_contiguous(view, order)
