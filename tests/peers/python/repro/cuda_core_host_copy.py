# SPDX-License-Identifier: Apache-2.0
"""A buffer of a device is asked for as a tensor on the CPU, and refuses."""

from cuda.bindings import driver
from cuda.core import Buffer, Device

device = Device(0)
device.set_current()
_, pointer = driver.cuMemAlloc(64)
buffer = Buffer.from_handle(int(pointer), 64, owner=device)
for copy in None, True:
    try:
        buffer.__dlpack__(dl_device=(1, 0), copy=copy)
    except Exception as error:
        print(repr(error))
    else:
        raise AssertionError
