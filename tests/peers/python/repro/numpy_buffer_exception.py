# SPDX-License-Identifier: Apache-2.0
"""A buffer that cannot be given is refused by ValueError; the protocol asks for BufferError."""

import ctypes

import numpy

CONTIGUOUS, WRITABLE = 0, 1  # PyBUF_SIMPLE, PyBUF_WRITABLE
columns = numpy.ones((2, 3)).T
read_only = numpy.ones(3)
read_only.flags.writeable = False
buffer = ctypes.create_string_buffer(80)  # a Py_buffer

for array, flags in (columns, CONTIGUOUS), (read_only, WRITABLE):
    try:
        ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(array), buffer, flags)
    except Exception as error:
        print(repr(error))
        assert type(error) is ValueError
    else:
        raise AssertionError
