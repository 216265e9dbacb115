# SPDX-License-Identifier: Apache-2.0
"""nanoarrow's package for Python."""

import nanoarrow
from nanoarrow import c_array
from nanoarrow.device import c_device_array

VERSION = nanoarrow.__version__
ROWS = [1, None, 3]
ARRAYS = {
    "int32": lambda: c_array(ROWS, nanoarrow.int32()),
    "strings": lambda: c_array(["a", None, "bc"], nanoarrow.string()),
    "Array": lambda: nanoarrow.Array([1.5, None], nanoarrow.float64()),
}


def view(obj):
    return nanoarrow.c_buffer(obj).view()


def take(obj):
    """Not handed on: of string views that ends the process, which is seen on the CPU."""
    taken = c_device_array(obj)
    return None if taken.schema.format and len(taken.array) else None


def flat(obj):
    """Its buffers have no dimensions: what was given has these."""
    with memoryview(obj) as given:
        if not given.c_contiguous:
            raise BufferError("a buffer has no order of dimensions")
        return memoryview(view(obj)).cast("B").cast(given.format, given.shape)


PRODUCES = {"cpu": {
    "arrow_c_array": ARRAYS,
    "arrow_c_device_array": {name: lambda make=make: c_device_array(make())
                             for name, make in ARRAYS.items()},
    "arrow_c_stream": {"Array": (lambda: nanoarrow.Array(ROWS, nanoarrow.int32()), ROWS)},
    "dlpack": {"buffer": lambda: nanoarrow.c_buffer([1, 2, 3], nanoarrow.int32()).view()},
    "buffer": {"buffer": lambda: nanoarrow.c_buffer([1, 2, 3], nanoarrow.int32())},
}}
CONSUMES = {
    "cpu": {"arrow_c_array": c_array, "arrow_c_device_array": c_device_array,
            "arrow_c_stream": nanoarrow.ArrayStream, "dlpack": view, "buffer": flat},
    "cuda": {"arrow_c_device_array": take}, "cuda_host": {"arrow_c_device_array": take},
    "cuda_managed": {"arrow_c_device_array": take},
}
