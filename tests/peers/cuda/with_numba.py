# SPDX-License-Identifier: Apache-2.0
"""What programs do with numba's arrays on a device, each as it should be and with the waiting taken
out. numba loads the driver that NUMBA_CUDA_DRIVER names.

    with_numba.py CASE right|wrong      with_numba.py list
"""

import ctypes
import sys

import numpy
from numba import cuda
from numba.cuda.cudadrv import driver

LENGTH = 1024


def filled(value):
    """Pinned memory of the host."""
    array = cuda.pinned_array(LENGTH, dtype=numpy.int32)
    array[:] = value
    return array


def pending(value, stream):
    """An array on the device that a stream still writes, and what must stay until it has."""
    source = filled(value)
    return cuda.to_device(source, stream=stream), source


class Exporter:
    """An array of somebody else's, who shows it by the CUDA array interface."""

    def __init__(self, array, version, stream=None):
        self.array = array
        interface = dict(array.__cuda_array_interface__, version=version)
        interface.pop("stream", None)
        if stream is not None:
            interface["stream"] = stream.handle.value
        self.__cuda_array_interface__ = interface


def read(array, stream):
    """The values, by a copy on the stream."""
    out = cuda.pinned_array(LENGTH, dtype=numpy.int32)
    array.copy_to_host(out, stream=stream)
    stream.synchronize()
    return out


def not_blocking():
    """A stream that has no order with the default one; those of cuda.stream() have."""
    handle = driver.drvapi.cu_stream()
    cuda.current_context()
    driver.driver.cuStreamCreate(ctypes.byref(handle), 1)
    return cuda.external_stream(handle.value)


def read_at_once(array):
    """The values, before the stream that copies them has been waited for."""
    stream = cuda.stream()
    out = array.copy_to_host(cuda.pinned_array(LENGTH, dtype=numpy.int32), stream=stream)
    values = out.copy()
    stream.synchronize()
    return values


def to_device_and_back(wait):
    stream, source = cuda.stream(), filled(1)
    array = cuda.to_device(source, stream=stream)
    out = array.copy_to_host(cuda.pinned_array(LENGTH, dtype=numpy.int32), stream=stream)
    if wait:
        stream.synchronize()
    return out


def interface_with_stream(wait):
    stream, other = cuda.stream(), cuda.stream()
    array, source = pending(2, stream)
    taken = cuda.as_cuda_array(Exporter(array, 3, stream), sync=wait)
    out = read(taken, other)
    return out


def interface_by_description(wait):
    stream, other = cuda.stream(), cuda.stream()
    array, source = pending(3, stream)
    description = Exporter(array, 3, stream).__cuda_array_interface__
    out = read(cuda.from_cuda_array_interface(description, owner=array, sync=wait), other)
    return out


def description_without_stream(wait):
    stream, other = cuda.stream(), cuda.stream()
    array, source = pending(10, stream)
    if wait:
        stream.synchronize()
    description = Exporter(array, 2).__cuda_array_interface__
    return read(cuda.from_cuda_array_interface(description, owner=array), other)


def interface_without_stream(wait):
    """Version 2 names no stream: its producer has waited."""
    stream, other = cuda.stream(), cuda.stream()
    array, source = pending(4, stream)
    if wait:
        stream.synchronize()
    return read(cuda.as_cuda_array(Exporter(array, 2)), other)


def ordered_by_event(wait):
    stream, other, event = cuda.stream(), cuda.stream(), cuda.event()
    array, source = pending(5, stream)
    event.record(stream)
    if wait:
        event.wait(other)
    return read(array, other)


def polled_by_event(wait):
    stream, event = cuda.stream(), cuda.event()
    array, source = pending(6, stream)
    out = array.copy_to_host(cuda.pinned_array(LENGTH, dtype=numpy.int32), stream=stream)
    event.record(stream)
    while wait and not event.query():
        pass
    return out


def managed(wait):
    stream = cuda.stream()
    array = cuda.managed_array(LENGTH, dtype=numpy.int32)
    driver.device_memset(array, 7, array.nbytes, stream=stream)
    if wait:
        stream.synchronize()
    return array


def registered(wait):
    """Memory of the program that is pinned for a while."""
    stream, other = cuda.stream(), cuda.stream()
    source = numpy.full(LENGTH, 8, dtype=numpy.int32)
    with cuda.pinned(source):
        array = cuda.to_device(source, stream=stream)
        if wait:
            stream.synchronize()
        return read(array, other)


def read_while_registered(wait):
    """Many pages, of which all but the first and the last are the array's alone."""
    stream, out = cuda.stream(), numpy.zeros(64 * LENGTH, dtype=numpy.int32)
    array = cuda.to_device(numpy.full(64 * LENGTH, 15, dtype=numpy.int32))
    with cuda.pinned(out):
        array.copy_to_host(out, stream=stream)
        if wait:
            stream.synchronize()
        values = out.copy()
        stream.synchronize()
    return values


def device_to_device(wait):
    stream, other = cuda.stream(), cuda.stream()
    array, source = pending(9, stream)
    copy = cuda.device_array(LENGTH, dtype=numpy.int32)
    copy.copy_to_device(array, stream=stream)
    if wait:
        stream.synchronize()
    return read(copy, other)


def to_device_on_no_stream(wait):
    """A copy from memory that is not pinned: nobody has waited for it when the call returns."""
    other = not_blocking()
    array = cuda.to_device(numpy.full(LENGTH, 11, dtype=numpy.int32))
    if wait:
        cuda.synchronize()
    return read(array, other)


def copy_to_host_on_no_stream(wait):
    """The array knows no stream: numba waits for the default one only."""
    stream, source = not_blocking(), filled(12)
    array = cuda.device_array(LENGTH, dtype=numpy.int32)
    array.copy_to_device(source, stream=stream)
    if wait:
        stream.synchronize()
    return array.copy_to_host()


def no_stream_at_all(wait):
    """There is nothing to wait for but the copy of a stream."""
    array = cuda.to_device(numpy.full(LENGTH, 13, dtype=numpy.int32))
    return array.copy_to_host() if wait else read_at_once(array)


def closed_at_the_end(wait):
    """numba frees what it made without a context that is current."""
    array = cuda.to_device(numpy.full(LENGTH, 14, dtype=numpy.int32))
    values = array.copy_to_host() if wait else read_at_once(array)
    del array
    cuda.close()
    return values


# The violation that is reported without the waiting.
CASES = {
    to_device_and_back: ("touched-before-wait", 1),
    interface_with_stream: ("race", 2),
    interface_by_description: ("race", 3),
    description_without_stream: ("race", 10),
    interface_without_stream: ("race", 4),
    ordered_by_event: ("race", 5),
    polled_by_event: ("touched-before-wait", 6),
    managed: ("touched-before-wait", 0x07070707),
    registered: ("race", 8),
    read_while_registered: ("touched-before-wait", 15),
    device_to_device: ("race", 9),
    to_device_on_no_stream: ("race", 11),
    copy_to_host_on_no_stream: ("race", 12),
    no_stream_at_all: ("touched-before-wait", 13),
    closed_at_the_end: ("touched-before-wait", 14),
}


def main():
    if sys.argv[1] == "list":
        for case, (violation, _) in CASES.items():
            print(case.__name__, violation)
        return
    case = next(case for case in CASES if case.__name__ == sys.argv[1])
    right = sys.argv[2] == "right"
    values = numpy.array(case(right))
    if right:
        assert (values == CASES[case][1]).all(), values
    cuda.synchronize()


main()
