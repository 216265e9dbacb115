# SPDX-License-Identifier: Apache-2.0
"""The mask of an array interface is not looked at: values that are not valid are read as others."""

import numpy

values, mask = numpy.array([1, 2, 3]), numpy.array([True, False, True])


class Masked:
    __array_interface__ = {**values.__array_interface__, "mask": mask}


print(numpy.asarray(Masked()))
assert numpy.asarray(Masked()).tolist() == [1, 2, 3]
