# SPDX-License-Identifier: Apache-2.0
"""The schema that an array has is requested, and refused; that of a stream, too."""

import nanoarrow
from nanoarrow.device import c_device_array

array, other = (nanoarrow.c_array([1, 2, 3], nanoarrow.int32()) for _ in range(2))
for shows in (array.__arrow_c_array__, c_device_array(other).__arrow_c_device_array__,
              nanoarrow.Array(array).__arrow_c_stream__):
    try:
        shows(array.schema.__arrow_c_schema__())
    except Exception as error:
        print(repr(error))
    else:
        raise AssertionError
