# SPDX-License-Identifier: Apache-2.0
"""The tensor of a message is taken out of its capsule, which keeps the name that it had."""

import numpy
from mpi4py import MPI


class Shows:
    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **keywords):
        self.capsule = self.array.__dlpack__(**keywords)
        return self.capsule


shown = Shows(numpy.arange(3))
print(MPI.Get_address(shown), shown.capsule)
assert '"dltensor' in repr(shown.capsule)
