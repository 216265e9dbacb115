# SPDX-License-Identifier: Apache-2.0
"""JAX on the CPU."""

import jax
import jax.numpy

jax.config.update("jax_enable_x64", True)

VERSION = jax.__version__
ISOLATE = False  # its threads do not outlive a fork
ENDS = {"dlpack": "*/consume-dlpack-no-deleter"}


def base(dtype="int32"):
    return jax.numpy.arange(12, dtype=dtype).reshape(3, 4)


SAMPLES = {"rows": base, "floats": lambda: base("float64"), "empty": lambda: base()[:0]}
PRODUCES = {"cpu": {"dlpack": SAMPLES, "buffer": SAMPLES}}
CONSUMES = {"cpu": {"dlpack": jax.numpy.from_dlpack, "array_interface": jax.numpy.asarray,
                    "buffer": jax.numpy.asarray}}
