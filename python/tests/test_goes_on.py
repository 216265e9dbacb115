# SPDX-License-Identifier: Apache-2.0
"""Streams without an end, and readers that give their stream once."""

import ctypes
import itertools
import unittest
from ctypes import CFUNCTYPE, c_int, c_void_p

import adicheck
import support
from adicheck import check_consumer, check_producer
from support import ArrowArray, ArrowArrayStream, within

_feeds, _keys = {}, itertools.count(1)  # what streams are of, by private_data


def _move(capsule, to):
    """What is in a capsule, to that address."""
    structure = within(capsule)
    ctypes.memmove(to, ctypes.addressof(structure), ctypes.sizeof(structure))
    structure.release = None
    return 0


@CFUNCTYPE(c_int, c_void_p, c_void_p)
def _schema(_, out):
    return _move(adicheck.schema("int32").__arrow_c_schema__(), out)


@CFUNCTYPE(c_int, c_void_p, c_void_p)
def _next(at, out):
    chunk = next(_feeds[ArrowArrayStream.from_address(at).private_data], None)
    if chunk is not None:
        array = adicheck.array(chunk, "int32") if isinstance(chunk, list) else chunk
        return _move(array.__arrow_c_array__()[1], out)
    ctypes.memset(out, 0, ctypes.sizeof(ArrowArray))
    return 0


@CFUNCTYPE(c_void_p, c_void_p)
def _text(_):
    return None


@CFUNCTYPE(None, c_void_p)
def _release(at):
    stream = ArrowArrayStream.from_address(at)
    del _feeds[stream.private_data]
    stream.release = None


_MOST = 10000  # chunks


class Feed:
    """A stream of what an iterator gives, lists of integers or arrays; it ends where too much is
    asked for."""

    def __init__(self, chunks):
        self.chunks = chunks

    def __arrow_c_stream__(self, requested_schema=None):
        if requested_schema is not None and within(requested_schema).format != b"i":
            raise ValueError("it is int32")
        capsule = adicheck.stream([], "int32").__arrow_c_stream__()
        stream = within(capsule)
        support.call(stream.release, stream)
        for name, callback in (("get_schema", _schema), ("get_next", _next),
                               ("get_last_error", _text), ("release", _release)):
            setattr(stream, name, ctypes.cast(callback, c_void_p))
        stream.private_data = next(_keys)
        _feeds[stream.private_data] = itertools.islice(self.chunks(), _MOST)
        return capsule


def endless():
    return Feed(lambda: itertools.repeat([1, 2]))


def found(findings):
    return {finding.rule for finding in findings}


class AStreamWithoutAnEnd(unittest.TestCase):
    def test_is_judged_by_its_beginning(self):
        for isolate in False, True:
            seen = check_producer(endless, isolate=isolate)
            self.assertEqual(seen, [], seen)
            self.assertTrue(seen.conformant)
            self.assertGreater(seen.counts["pass"], 8)
            self.assertRegex(str(seen.skips), "the stream goes on behind 8 chunks")

    def test_is_judged_so_by_many_chunks_and_by_many_bytes(self):
        long, wide = [[number] for number in range(30)], adicheck.array([0] * (1 << 20), "int32")
        seen = check_producer(lambda: Feed(lambda: iter(long)), expected=list(range(30)))
        self.assertEqual(seen, [], seen)
        self.assertRegex(str(seen.skips), "the stream goes on behind 8 chunks")
        made, goes_on = adicheck._core.read_some(Feed(lambda: itertools.repeat(wide)), 100, 1 << 40)
        self.assertTrue(goes_on)
        self.assertEqual(len(made.chunks), 64)  # of 4 MiB

    def test_goes_on_behind_what_is_expected(self):
        seen = check_producer(endless, expected=[1, 2, 1])
        self.assertEqual(found(seen), {"array/data-differs"}, seen)

    def test_has_other_values_later(self):
        count = itertools.count()
        seen = check_producer(lambda: Feed(lambda: itertools.repeat([next(count) // 3])))
        self.assertEqual(found(seen), {"array/data-differs"}, seen)

    def test_of_nothing_is_not_compared(self):
        seen = check_producer(lambda: Feed(lambda: itertools.repeat([])), expected=[])
        self.assertEqual(seen, [], seen)
        self.assertRegex(str(seen.refusals), "a stream of more than 256 chunks")

    def test_of_a_consumer_is_misread(self):
        def use(obj):
            adicheck.from_arrow(obj)
            return endless()
        seen = check_consumer(use, protocols="arrow_c_stream", cases="int32/many/consume-stream")
        self.assertEqual(found(seen), {"array/misread"}, seen)


class Reader:
    """What can be read once: then it is empty, or not there."""

    def __init__(self, raises):
        self.stream, self.raises = adicheck.stream([[1, 2], [3]]), raises

    def _once(self, method):
        made = self.stream
        if made is None:
            raise RuntimeError("it has been read")
        self.stream = None if self.raises else adicheck.stream([], "int64")
        return getattr(made, method)()


class HostReader(Reader):
    def __arrow_c_stream__(self, requested_schema=None):
        return self._once("__arrow_c_stream__")


class DeviceReader(Reader):
    def __arrow_c_device_stream__(self, requested_schema=None, **keywords):
        if any(value is not None for value in keywords.values()):
            raise NotImplementedError(*keywords)
        return self._once("__arrow_c_device_stream__")


class AReader(unittest.TestCase):
    def test_is_asked_once(self):
        for kind, raises, isolate in itertools.product((HostReader, DeviceReader), (False, True),
                                                       (False, True)):
            with self.subTest(kind.__name__, raises=raises, isolate=isolate):
                seen = check_producer(lambda: kind(raises), expected=[1, 2, 3],
                                      isolate=isolate)
                self.assertLessEqual(found(seen), {"pycapsule/request-incompatible-accepted"})
                self.assertEqual((seen.conformant, seen.refusals), (True, {}), seen)


if __name__ == "__main__":
    unittest.main()
