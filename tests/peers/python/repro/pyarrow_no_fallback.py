# SPDX-License-Identifier: Apache-2.0
"""Tensor.from_dlpack asks with max_version, and not again without it where that is not known."""

import numpy
import pyarrow


class Shows:
    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, *, stream=None):
        return self.array.__dlpack__(stream=stream)


try:
    pyarrow.Tensor.from_dlpack(Shows(numpy.arange(3)))
    raise SystemExit("it was taken")
except TypeError as error:
    print(error)
