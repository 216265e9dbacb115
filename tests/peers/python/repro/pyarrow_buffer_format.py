# SPDX-License-Identifier: Apache-2.0
"""Buffers and tensors give a format to who did not ask for it."""

import ctypes

import numpy
import pyarrow

SIMPLE = 0  # without PyBUF_FORMAT


class Buffer(ctypes.Structure):
    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t),
                ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int),
                ("ndim", ctypes.c_int), ("format", ctypes.c_char_p), ("rest", ctypes.c_void_p * 5)]


for shown in pyarrow.py_buffer(b"abc"), pyarrow.Tensor.from_numpy(numpy.ones(3)):
    view = Buffer()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(shown), ctypes.byref(view), SIMPLE)
    print(type(shown).__name__, view.format)
    assert view.format is not None
