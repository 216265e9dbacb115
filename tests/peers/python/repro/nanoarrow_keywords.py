# SPDX-License-Identifier: Apache-2.0
"""Keywords of later versions are refused, though they say nothing."""

import nanoarrow.device

array = nanoarrow.c_array([1, 2, 3], nanoarrow.int32())
for method, keywords in (
        (nanoarrow.device.c_device_array(array).__arrow_c_device_array__, {"later": None}),
        (nanoarrow.c_buffer([1], nanoarrow.int32()).view().__dlpack__, {"max_version": (1, 0)})):
    try:
        method(**keywords)
    except TypeError as error:
        print(error)
    else:
        raise AssertionError
