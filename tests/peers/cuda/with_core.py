# SPDX-License-Identifier: Apache-2.0
"""What programs do with NVIDIA's cuda.core: pools, graphs, captures and kernels (which are opaque
commands to the simulation), each as it should be and with the waiting taken out. It loads the first
libcuda.so.1 that there is.

    with_core.py CASE right|wrong      with_core.py list
"""

import ctypes
import os
import sys

os.environ["ADI_SIM_KERNELS"] = "opaque"

import numpy
from cuda.core import Device, LaunchConfig, LegacyPinnedMemoryResource, ObjectCode, launch
from cuda.core.graph import GraphBuilder, GraphDefinition

BYTES = 4096
PTX = b""".version 8.0
.target sm_90
.address_size 64
.visible .entry scale(.param .u64 out, .param .u64 in, .param .f32 by, .param .u32 n) { ret; }
"""


class Scene:
    """A device, two streams, memory of its pool and pinned, a kernel."""

    def __init__(self):
        self.device = Device(0)
        self.device.set_current()
        self.s, self.t = self.device.create_stream(), self.device.create_stream()
        self.memory = self.device.allocate(BYTES, stream=self.s)
        self.other = self.device.allocate(BYTES, stream=self.s)
        self.pinned = LegacyPinnedMemoryResource().allocate(BYTES, stream=self.s)
        self.s.sync()
        self.kernel = ObjectCode.from_ptx(PTX).get_kernel("scale")

    def launch(self, stream):
        launch(stream, LaunchConfig(grid=8, block=128), self.kernel, self.memory, self.other,
               numpy.float32(2), numpy.uint32(BYTES))

    def close(self):
        self.s.sync()
        self.t.sync()
        for buffer in (self.memory, self.other, self.pinned):
            buffer.close(self.s)
        self.s.sync()


def value(buffer):
    return ctypes.string_at(int(buffer.handle), BYTES)[BYTES - 1]


def filled_and_copied(on, wait):
    on.memory.fill(7, stream=on.s)
    if wait:
        on.t.wait(on.s)
    on.pinned.copy_from(on.memory, stream=on.t)
    on.t.sync()
    return value(on.pinned)


def allocated_on_one_stream(on, wait):
    memory = on.device.allocate(BYTES, stream=on.s)
    if wait:
        on.t.wait(on.s)
    memory.fill(7, stream=on.t)
    memory.close(on.t)
    return 7


def launched_and_copied(on, wait):
    on.launch(on.s)
    if wait:
        on.t.wait(on.s)
    on.pinned.copy_from(on.memory, stream=on.t)
    on.t.sync()
    return 7


def launched_behind_a_fill(on, wait):
    on.other.fill(1, stream=on.t)
    if wait:
        on.s.wait(on.t.record())
    on.launch(on.s)
    return 7


def a_graph_of_two_copies(on, wait):
    graph = GraphDefinition()
    filled = graph.memset(on.memory, 7, BYTES)
    after = filled if wait else graph
    after.memcpy(on.pinned, on.memory, BYTES)
    instance = graph.instantiate()
    instance.launch(on.s)
    on.s.sync()
    return value(on.pinned)


def a_graph_with_a_kernel(on, wait):
    graph = GraphDefinition()
    kernel = graph.launch(LaunchConfig(grid=8, block=128), on.kernel, on.memory, on.other,
                          numpy.float32(2), numpy.uint32(BYTES))
    after = kernel if wait else graph
    after.memcpy(on.pinned, on.memory, BYTES)
    graph.instantiate().launch(on.s)
    on.s.sync()
    return 7


def captured_on_two_streams(on, wait):
    builder = on.device.create_graph_builder().begin_building()
    on.memory.fill(7, stream=builder)
    left, right = builder.split(2)
    on.pinned.copy_from(on.memory, stream=left)
    if not wait:
        on.memory.fill(1, stream=right)
    builder = GraphBuilder.join(left, right)
    instance = builder.end_building().complete()
    instance.launch(on.s)
    on.s.sync()
    return value(on.pinned)


def captured_with_a_kernel(on, wait):
    builder = on.device.create_graph_builder().begin_building()
    on.launch(builder)
    instance = builder.end_building().complete()
    instance.launch(on.s)
    if wait:
        on.t.wait(on.s)
    on.pinned.copy_from(on.memory, stream=on.t)
    on.t.sync()
    return 7


CASES = {
    captured_on_two_streams: "race",
    captured_with_a_kernel: "launch-unordered",
    a_graph_of_two_copies: "race",
    a_graph_with_a_kernel: "launch-unordered",
    filled_and_copied: "race",
    allocated_on_one_stream: "race",
    launched_and_copied: "launch-unordered",
    launched_behind_a_fill: "launch-unordered",
}


def main():
    if sys.argv[1] == "list":
        for case, violation in CASES.items():
            print(case.__name__, violation)
        return
    case = next(case for case in CASES if case.__name__ == sys.argv[1])
    right = sys.argv[2] == "right"
    scene = Scene()
    seen = case(scene, right)
    assert seen == 7 or not right, seen
    scene.close()


main()
