# SPDX-License-Identifier: Apache-2.0
"""pyarrow: Arrow C++ from Python."""

import pyarrow
from pyarrow import array

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
STREAMS = {
    "table": (lambda: pyarrow.Table.from_pylist(ROWS), ROWS),
    "chunks": (lambda: pyarrow.chunked_array([[1, 2], [], [None]]), [1, 2, None]),
}
PRODUCES = {"cpu": {
    "arrow_c_array": ARRAYS, "arrow_c_device_array": ARRAYS, "arrow_c_stream": STREAMS,
    "dlpack": {"int64": lambda: array([1, 2, 3]), "floats": lambda: array([0.5, 1.5])[1:]},
    "buffer": {"buffer": lambda: pyarrow.py_buffer(b"abc"),
               "tensor": lambda: pyarrow.Tensor.from_numpy(__import__("numpy").ones((2, 3)))},
}}
CONSUMES = {
    "cpu": {"arrow_c_array": array, "arrow_c_device_array": array,
            "arrow_c_stream": pyarrow.chunked_array},
    "cuda": {"arrow_c_device_array": array},
    "cuda_host": {"arrow_c_device_array": array},
    "cuda_managed": {"arrow_c_device_array": array},
}
