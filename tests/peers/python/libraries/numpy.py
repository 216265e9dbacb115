# SPDX-License-Identifier: Apache-2.0
"""NumPy: tensors of the CPU."""

import numpy

VERSION = numpy.__version__


def base(dtype="int32"):
    return numpy.arange(12, dtype=dtype).reshape(3, 4)


def read_only():
    array = base()
    array.flags.writeable = False
    return array


SAMPLES = {
    "rows": base, "floats": lambda: base("float64"), "columns": lambda: base().T,
    "backwards": lambda: base()[::-1, ::2], "empty": lambda: base()[:0],
    "one": lambda: numpy.array(5, "int16"), "read-only": read_only,
    "bool": lambda: base() > 5, "complex": lambda: base("complex64"),
}
PROTOCOLS = "dlpack", "array_interface", "buffer"

PRODUCES = {"cpu": {protocol: SAMPLES for protocol in PROTOCOLS}}
CONSUMES = {"cpu": {"dlpack": numpy.from_dlpack, "array_interface": numpy.asarray,
                    "buffer": numpy.asarray}}
