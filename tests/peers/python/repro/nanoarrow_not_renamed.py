# SPDX-License-Identifier: Apache-2.0
"""c_buffer takes a tensor out of its capsule, and leaves the name as it was."""

import nanoarrow
import numpy


class Shows:
    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **keywords):
        self.capsule = self.array.__dlpack__(**keywords)
        return self.capsule


shown = Shows(numpy.arange(3))
print(nanoarrow.c_buffer(shown), shown.capsule)
assert '"dltensor"' in repr(shown.capsule)
