# SPDX-License-Identifier: Apache-2.0
"""CuPy, on a machine that has a GPU: it is linked with NVIDIA's runtime statically."""

import cupy

VERSION = cupy.__version__
cupy.cuda.Device(0).use()


def base(dtype="int32"):
    return cupy.arange(12, dtype=dtype).reshape(3, 4)


def managed():
    memory = cupy.cuda.malloc_managed(48)
    array = cupy.ndarray((3, 4), "int32", memory)
    array.fill(7)
    return array


SAMPLES = {"rows": base, "floats": lambda: base("float64"), "columns": lambda: base().T,
           "steps": lambda: base()[::2, 1:], "empty": lambda: base()[:0]}
MANAGED = {"managed": managed}
PRODUCES = {"cuda": {"dlpack": SAMPLES, "cuda_array_interface": SAMPLES},
            "cuda_managed": {"dlpack": MANAGED, "cuda_array_interface": MANAGED}}
CONSUMES = {"cuda": {"dlpack": cupy.from_dlpack, "cuda_array_interface": cupy.asarray},
            "cuda_host": {"dlpack": cupy.from_dlpack},
            "cuda_managed": {"dlpack": cupy.from_dlpack, "cuda_array_interface": cupy.asarray}}
