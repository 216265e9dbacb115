# SPDX-License-Identifier: Apache-2.0
"""numba with the driver of its own, on the device that NUMBA_CUDA_DRIVER names."""

import numba
import numpy
from numba import cuda

VERSION = numba.__version__


def base(dtype="int32"):
    return cuda.to_device(numpy.arange(12, dtype=dtype).reshape(3, 4))


SAMPLES = {"rows": base, "floats": lambda: base("float64"), "columns": lambda: base().T,
           "steps": lambda: base()[::2, 1:], "complex": lambda: base("complex64")}
MAPPED = {"mapped": lambda: cuda.mapped_array(6, dtype="int32"),
          "pinned": lambda: cuda.pinned_array(6, dtype="int32")}


def use(obj):
    return cuda.as_cuda_array(obj)


PRODUCES = {
    "cuda": {"cuda_array_interface": SAMPLES},
    "cuda_host": {"cuda_array_interface": {"mapped": MAPPED["mapped"]},
                  "array_interface": MAPPED, "buffer": MAPPED},
    "cuda_managed": {"cuda_array_interface": {
        "managed": lambda: cuda.managed_array(6, dtype="int32")}},
}
CONSUMES = {"cuda": {"cuda_array_interface": use}, "cuda_managed": {"cuda_array_interface": use}}
