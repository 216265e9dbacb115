# SPDX-License-Identifier: Apache-2.0
"""JAX on the CPU, and on a machine that has a GPU on that, with the wheels for it."""

import jax
import jax.numpy

jax.config.update("jax_enable_x64", True)

VERSION = jax.__version__
CPU = jax.devices("cpu")[0]
HAS_GPU = jax.default_backend() == "gpu"
ISOLATE = False  # its threads do not outlive a fork
ENDS = {"dlpack": "*/consume-dlpack-no-deleter"}


def base(dtype="int32"):
    return jax.numpy.arange(12, dtype=dtype, device=CPU).reshape(3, 4)


def on_gpu(dtype="int32"):
    return jax.numpy.arange(12, dtype=dtype).reshape(3, 4)


SAMPLES = {"rows": base, "floats": lambda: base("float64"), "empty": lambda: base()[:0]}
PRODUCES = {"cpu": {"dlpack": SAMPLES, "buffer": SAMPLES}}
CONSUMES = {"cpu": {"dlpack": jax.numpy.from_dlpack, "array_interface": jax.numpy.asarray,
                    "buffer": jax.numpy.asarray}}
if HAS_GPU:
    ON_GPU = {"rows": on_gpu, "floats": lambda: on_gpu("float64"), "empty": lambda: on_gpu()[:0]}
    PRODUCES["cuda"] = {"dlpack": ON_GPU, "cuda_array_interface": ON_GPU}
    CONSUMES["cuda"] = {"dlpack": jax.numpy.from_dlpack,
                        "cuda_array_interface": jax.numpy.asarray}
