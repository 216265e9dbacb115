# SPDX-License-Identifier: Apache-2.0
"""pyarrow: Arrow C++ from Python."""

import numpy
import pyarrow
from pyarrow import Tensor, array

VERSION = pyarrow.__version__
ROWS = [{"a": 1, "b": "x"}, {"a": None, "b": "y"}]
ARRAYS = {
    "int32": lambda: array([1, None, 3], pyarrow.int32()),
    "no nulls": lambda: array([1, 2, 3]),
    "strings": lambda: array(["a", None, "bc"]),
    "views": lambda: array(["a", "more than twelve bytes", None], pyarrow.string_view()),
    "slice": lambda: array([1, None, 3])[1:],
    "struct": lambda: array([*ROWS, None]),
    "lists": lambda: array([["a"], None, []]),
    "dictionary": lambda: array(["a", "b", "a"]).dictionary_encode(),
    "batch": lambda: pyarrow.record_batch({"a": [1, 2], "b": ["x", None]}),
}


def tensor():
    return Tensor.from_numpy(numpy.arange(12, dtype="int32").reshape(3, 4))


STREAMS = {
    "table": (lambda: pyarrow.Table.from_pylist(ROWS), ROWS),
    "chunks": (lambda: pyarrow.chunked_array([[1, 2], [], [None]]), [1, 2, None]),
}
PRODUCES = {"cpu": {
    "arrow_c_array": ARRAYS, "arrow_c_device_array": ARRAYS, "arrow_c_stream": STREAMS,
    "dlpack": {"int64": lambda: array([1, 2, 3]), "floats": lambda: array([0.5, 1.5])[1:],
               "tensor": tensor},
    "buffer": {"buffer": lambda: pyarrow.py_buffer(b"abc"), "tensor": tensor},
}}
CONSUMES = {
    "cpu": {"arrow_c_array": array, "arrow_c_device_array": array,
            "arrow_c_stream": pyarrow.chunked_array, "dlpack": Tensor.from_dlpack},
    "cuda": {"arrow_c_device_array": array},
    "cuda_host": {"arrow_c_device_array": array},
    "cuda_managed": {"arrow_c_device_array": array},
}
