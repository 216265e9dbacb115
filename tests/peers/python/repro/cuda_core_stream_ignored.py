# SPDX-License-Identifier: Apache-2.0
"""A buffer of a device hands out its tensor whatever the consumer's stream is: none waits."""

from cuda.bindings import driver
from cuda.core import Buffer, Device

device = Device(0)
device.set_current()
_, pointer = driver.cuMemAlloc(64)
buffer = Buffer.from_handle(int(pointer), 64, owner=device)
buffer.fill(7, stream=device.create_stream())

assert buffer.__dlpack_device__() == (2, 0)
for stream in 1, 0xDEAD, -7:  # two of them are none
    print(repr(stream), buffer.__dlpack__(stream=stream))
