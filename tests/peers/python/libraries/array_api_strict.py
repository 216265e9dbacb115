# SPDX-License-Identifier: Apache-2.0
"""The Array API's strict implementation: NumPy's arrays behind the standard's functions."""

import array_api_strict as xp

VERSION = xp.__version__


def base(dtype=xp.int32):
    return xp.reshape(xp.arange(12, dtype=dtype), (3, 4))


PRODUCES = {"cpu": {"dlpack": {
    "rows": base, "floats": lambda: base(xp.float64), "columns": lambda: base().T,
    "backwards": lambda: base()[::-1, ::2], "empty": lambda: base()[:0, :]}}}
CONSUMES = {"cpu": {"dlpack": xp.from_dlpack}}
