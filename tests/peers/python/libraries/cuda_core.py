# SPDX-License-Identifier: Apache-2.0
"""NVIDIA's cuda.core: buffers, which are tensors of bytes, and views of what others show."""

import cuda.core
from cuda.bindings import driver
from cuda.core import Buffer, Device, LegacyPinnedMemoryResource
from cuda.core.utils import StridedMemoryView

VERSION = cuda.core.__version__
BYTES = 64
DEVICE = Device(0)
DEVICE.set_current()
STREAM = DEVICE.create_stream()


def owned(code, *results):
    assert code == driver.CUresult.CUDA_SUCCESS, code
    return results


class Memory:
    """Of the driver, without a pool; freed with what holds it."""

    def __init__(self, allocate, *arguments):
        self.pointer, = owned(*allocate(BYTES, *arguments))

    def __del__(self):
        driver.cuMemFree(self.pointer)


def filled(buffer):
    """Its own work, on a stream of its own."""
    buffer.fill(7, stream=STREAM)
    return buffer


def device():
    memory = Memory(driver.cuMemAlloc)
    return filled(Buffer.from_handle(int(memory.pointer), BYTES, owner=memory))


def managed():
    memory = Memory(driver.cuMemAllocManaged, driver.CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL)
    return filled(Buffer.from_handle(int(memory.pointer), BYTES, owner=memory))


def pinned():
    return LegacyPinnedMemoryResource().allocate(BYTES)


def of_tensor(obj):
    return StridedMemoryView.from_dlpack(obj, stream_ptr=0)


def of_tensor_on_host(obj):
    return StridedMemoryView.from_dlpack(obj, stream_ptr=-1)


def of_dictionary(obj):
    return StridedMemoryView.from_cuda_array_interface(obj, stream_ptr=0)


def views(make):
    return {"buffer": make, "view": lambda: of_tensor(make())}


PRODUCES = {"cuda": {"dlpack": views(device)}, "cuda_host": {"dlpack": views(pinned)},
            "cuda_managed": {"dlpack": views(managed)}}
CONSUMES = {
    "cpu": {"dlpack": of_tensor_on_host, "array_interface": StridedMemoryView.from_array_interface},
    "cuda": {"dlpack": of_tensor, "cuda_array_interface": of_dictionary},
    "cuda_host": {"dlpack": of_tensor},
    "cuda_managed": {"dlpack": of_tensor, "cuda_array_interface": of_dictionary},
}
