# SPDX-License-Identifier: Apache-2.0
"""What programs do with wgpu-py, each as it should be and with a mistake in it, which the simulated
wgpu-native refuses with an error. It loads the wgpu-native that comes with it, or the one that
WGPU_LIB_PATH names.

    with_wgpu.py CASE right|wrong      with_wgpu.py list
"""

import sys

import wgpu

BYTES = 256
DATA = bytes(range(BYTES))
IN, OUT, READ, WRITE = (wgpu.BufferUsage.COPY_DST, wgpu.BufferUsage.COPY_SRC,
                        wgpu.BufferUsage.MAP_READ, wgpu.BufferUsage.MAP_WRITE)


class Scene:
    """A device, another one, a buffer."""

    def __init__(self):
        adapters = wgpu.gpu.enumerate_adapters_sync()
        self.device = adapters[0].request_device_sync()
        self.other = adapters[-1].request_device_sync()
        self.buffer = self.make(IN | OUT)

    def make(self, usage, device=None):
        return (device or self.device).create_buffer(size=BYTES, usage=usage)

    def write(self, buffer=None, device=None):
        (device or self.device).queue.write_buffer(buffer or self.buffer, 0, DATA)

    def copy(self, source, target):
        encoder = self.device.create_command_encoder()
        encoder.copy_buffer_to_buffer(source, 0, target, 0, BYTES)
        self.device.queue.submit([encoder.finish()])

    def read(self, buffer=None):
        return bytes(self.device.queue.read_buffer(buffer or self.buffer))


def written_and_read(on, right):
    on.write()
    if not right:
        on.buffer.destroy()
    return on.read()


def copied_and_mapped(on, right):
    on.write()
    target = on.make(IN | READ)
    if not right:
        on.buffer.destroy()
    on.copy(on.buffer, target)
    target.map_sync(wgpu.MapMode.READ)
    value = bytes(target.read_mapped())
    target.unmap()
    return value


def mapped_and_written(on, right):
    source = on.make(OUT | WRITE)
    source.map_sync(wgpu.MapMode.WRITE)
    source.write_mapped(DATA)
    source.unmap()
    if not right:
        source.destroy()
    on.copy(source, on.buffer)
    return on.read()


def made_with_data(on, right):
    made = on.device.create_buffer_with_data(data=DATA, usage=OUT)
    if not right:
        made.destroy()
    return on.read(made)


def written_by_its_own_device(on, right):
    on.write()
    on.write(on.buffer, on.device if right else on.other)
    return on.read()


# The violation that is reported of the mistake.
CASES = {
    written_and_read: "use-after-free",
    copied_and_mapped: "use-after-free",
    mapped_and_written: "use-after-free",
    made_with_data: "use-after-free",
    written_by_its_own_device: "foreign-device",
}


def main(name, way="right"):
    if name == "list":
        for case, violation in CASES.items():
            print(case.__name__, violation)
        return
    case = next(case for case in CASES if case.__name__ == name)
    on = Scene()
    try:
        value = case(on, way == "right")
    except (wgpu.GPUError, RuntimeError) as error:
        assert way == "wrong", error
        return
    assert way == "wrong" or value == DATA, (name, value)


main(*sys.argv[1:])
