# SPDX-License-Identifier: Apache-2.0
"""What has other values than the first export had is told as that, and not as what could have
changed them; and what was changed behind the first is told as that."""

import ctypes
import unittest
from ctypes import CFUNCTYPE, c_int, c_void_p

import adicheck
import defects
from adicheck import check_producer
from support import DELETER, SANITIZED, ArrowArray, ArrowArrayStream, within

CUDA = "cuda:0" in adicheck.devices()
DATA, HOST, DEPENDS = ("dlpack/data-differs", "dlpack/host-copy-not-finished",
                       "dlpack/tensor-depends-on-array")
_at = {}


class Columns(defects.Tensors):
    """A tensor of columns, a copy of which has them as rows and is said to have them as columns."""

    def __init__(self):
        self.array = adicheck.tensor([[1, 2, 3], [4, 5, 6]], "int32", strides=(1, 2))

    def __dlpack__(self, *, copy=None, **arguments):
        if not copy:
            return self.array.__dlpack__(**arguments)
        rows = adicheck.tensor([[1, 2, 3], [4, 5, 6]], "int32")
        made = rows.__dlpack__(copy=True, **arguments)
        tensor = within(made).tensor
        tensor.strides[0], tensor.strides[1] = 1, 2
        return made


class Other(defects.Tensors):
    """Other values at each call."""

    calls = 0

    def __dlpack__(self, **arguments):
        Other.calls += 1
        return adicheck.tensor([Other.calls] * 4, "int32").__dlpack__(**arguments)


class OnTheHost(defects.Tensors):
    """Other values where the CPU is asked for."""

    def __dlpack__(self, *, dl_device=None, **arguments):
        values = [1, 2, 3, 4] if dl_device is None else [4, 3, 2, 1]
        return adicheck.tensor(values, "int32").__dlpack__(dl_device=dl_device, **arguments)


@DELETER
def spoils(at):
    deleter, memory = _at.pop(at)
    memory[0] += 1
    DELETER(deleter)(at)


class Copies(defects.Tensors):
    """The deleter of a tensor writes into what has been copied from it."""

    def __init__(self):
        self.array = adicheck.tensor([1, 2, 3, 4], "int32")
        self.memory = (ctypes.c_int32 * 4)()

    def __dlpack__(self, *, copy=None, **arguments):
        made = self.array.__dlpack__(copy=copy, **arguments)
        managed = within(made)
        copied = (ctypes.c_int32 * 4).from_address(managed.tensor.data)
        if copy:
            self.memory = copied
        elif not self.memory[0]:
            _at[ctypes.addressof(managed)] = managed.deleter, Later(self)
            managed.deleter = ctypes.cast(spoils, c_void_p).value
        return made


class Later:
    def __init__(self, obj):
        self.obj = obj

    def __getitem__(self, at):
        return self.obj.memory[at]

    def __setitem__(self, at, value):
        self.obj.memory[at] = value


_chunks = {}  # memory, by the stream that has given it


@CFUNCTYPE(c_int, c_void_p, c_void_p)
def _next(at, out):
    stream = ArrowArrayStream.from_address(at)
    code = CFUNCTYPE(c_int, c_void_p, c_void_p)(_chunks[stream.private_data][0])(at, out)
    array = ArrowArray.from_address(out)
    if code == 0 and array.release:
        _chunks[stream.private_data].append((array.buffers[1], 4 * array.length))
    return code


@DELETER
def _release(at):
    stream = ArrowArrayStream.from_address(at)
    _, release, *memory = _chunks.pop(stream.private_data)
    for data, size in memory:
        ctypes.memset(data, 0x5a, size)
    DELETER(release)(at)


class OfAStream:
    """Chunks whose memory is used again when their stream is released."""

    def __arrow_c_stream__(self, requested_schema=None):
        chunks = [adicheck.array(values, "int32") for values in ([1, 2], [3])]
        made = adicheck.stream(chunks).__arrow_c_stream__()
        stream = within(made)
        _chunks[stream.private_data] = [stream.get_next, stream.release]
        stream.get_next = ctypes.cast(_next, c_void_p).value
        stream.release = ctypes.cast(_release, c_void_p).value
        return made


def rules(make, protocol="dlpack", **options):
    found = check_producer(make, protocols=protocol, **options)
    return {finding.rule for finding in found if finding.verdict == "fail"}


class First(unittest.TestCase):
    def test_a_wrong_copy_is_no_dependence(self):
        for isolate in False, *(() if adicheck._core.is_opened() else (True,)):
            found = check_producer(Columns, protocols="dlpack", devices="cpu", isolate=isolate)
            self.assertEqual({(one.rule, one.case) for one in found if one.verdict == "fail"},
                             {(DATA, "own/own/dlpack-copy")})
            self.assertRegex(str(found), "a copy, while the tensor is there as well: element 1")

    def test_other_values_at_each_call_are_that(self):
        self.assertEqual(rules(Other), {DATA})
        self.assertEqual(rules(OnTheHost), {DATA})

    def test_a_copy_that_another_changes_depends_on_it(self):
        self.assertEqual(rules(Copies), {DEPENDS})

    def test_what_goes_with_its_stream_depends_on_it(self):
        self.assertEqual(rules(OfAStream, "arrow_c_stream"), {"stream/chunk-depends-on-stream"})

    @unittest.skipUnless(CUDA, "there is no device of CUDA")
    def test_what_is_read_too_early_is_not_compared(self):
        found = check_producer(Unordered, protocols="dlpack")
        told = {one.rule for one in found if one.verdict == "fail"}
        if adicheck._core.weighs() or SANITIZED:  # to the byte, beside a race that is reported
            told -= {"dlpack/memory-leaked"}
        self.assertEqual(told, {"dlpack/stream-ignored"})


class Unordered:
    """Asks for no order, whatever stream it is given, of what is written on another one."""

    def __init__(self):
        import cuda_driver
        self.driver = cuda_driver.Driver()
        self.driver.enter()
        self.stream = self.driver.stream()
        self.array = adicheck.tensor([0, 0, 0, 0], "int32", device="cuda:0")
        data = self.array.__cuda_array_interface__["data"][0]
        self.driver("cuStreamSynchronize", c_void_p(1))
        self.driver.fill(ctypes.c_uint64(data), 7, 4, self.stream)

    def __del__(self):
        self.driver.wait(self.stream)
        self.driver("cuStreamDestroy_v2", self.stream)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, *, copy=None, stream=None, dl_device=None, **arguments):
        if copy or dl_device:
            self.driver.wait(self.stream)
            return self.array.__dlpack__(copy=copy, stream=stream, dl_device=dl_device, **arguments)
        return self.array.__dlpack__(stream=-1, copy=copy, **arguments)


if __name__ == "__main__":
    unittest.main()
