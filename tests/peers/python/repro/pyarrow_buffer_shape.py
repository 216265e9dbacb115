# SPDX-License-Identifier: Apache-2.0
"""Buffers of pyarrow and nanoarrow give a shape and strides to who asks for bytes alone."""

import ctypes

import nanoarrow
import pyarrow

SIMPLE = 0  # without PyBUF_ND


class Buffer(ctypes.Structure):
    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t),
                ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int),
                ("ndim", ctypes.c_int), ("format", ctypes.c_char_p), ("shape", ctypes.c_void_p),
                ("strides", ctypes.c_void_p), ("rest", ctypes.c_void_p * 2)]


for shown in pyarrow.py_buffer(b"abc"), nanoarrow.c_buffer([1, 2, 3], nanoarrow.int32()):
    view = Buffer()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(shown), ctypes.byref(view), SIMPLE)
    print(type(shown).__name__, view.shape, view.strides)
    assert view.shape is not None
