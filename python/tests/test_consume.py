# SPDX-License-Identifier: Apache-2.0
"""Consumers of dictionaries, structures and buffers: each planted defect is found as its rule, and
nothing is said of those that are right in another way."""

import ctypes
import hashlib
import mmap
import struct
import unittest
from ctypes import POINTER, byref, c_int32, c_ssize_t, c_void_p

import adicheck
from adicheck import check_consumer
from support import ArrayStruct, Buffer

CUDA = "cuda:0" in adicheck.devices()
SIX = [[1, 2, 3], [4, 5, 6]]


def found(use, protocol, **options):
    return {(finding.rule, finding.party) for finding in
            check_consumer(use, protocols=protocol, **options)}


def nested(at, shape, strides, read=c_int32):
    """The items as lists."""
    if not shape:
        return read.from_address(at).value
    return [nested(at + i * strides[0], shape[1:], strides[1:], read) for i in range(shape[0])]


class View:
    """What a consumer makes: memory of whoever it was given, which it hands on."""

    def __init__(self, values, pointer, read_only, owner):
        self._values, self._owner = values, owner
        self.__array_interface__ = {"shape": (len(values),), "typestr": "<i4", "version": 3,
                                    "data": (pointer, read_only)}

    def __arrow_c_array__(self, requested_schema=None):
        return adicheck.array(self._values).__arrow_c_array__(requested_schema)


class Reader:
    """A consumer of the array interface that is right but for one defect."""

    def __init__(self, *defects):
        self.defects = defects

    def has(self, defect):
        return defect in self.defects

    def numbers(self, numbers):
        if self.has("overflow"):
            return [(n + 2**63) % 2**64 - 2**63 for n in numbers]
        return list(struct.unpack(f"{len(numbers)}q", struct.pack(f"{len(numbers)}q", *numbers)))

    def structure(self, obj):
        at = ctypes.pythonapi.PyCapsule_GetPointer(obj.__array_struct__, None)
        seen = ctypes.cast(at, POINTER(ArrayStruct)).contents
        shape, strides = seen.shape[:seen.nd], seen.strides[:seen.nd]
        if self.has("descr") and seen.descr:
            return [[seen.itemsize]]
        return nested(seen.data, shape, strides)

    def __call__(self, obj):
        if not hasattr(obj, "__array_interface__"):
            return self.structure(obj)
        said = obj.__array_interface__
        if said.get("mask") is not None and not self.has("mask"):
            raise NotImplementedError("a mask")
        if said["version"] > 3 and self.has("version"):
            raise ValueError("a version from the future")
        shape = self.numbers(said["shape"])
        strides = said.get("strides")
        if strides is None or self.has("strides"):
            strides = [4 * shape[1], 4]
        strides = self.numbers(strides)
        data, read_only, keeps = said["data"], True, None
        if not isinstance(data, tuple):
            memory = keeps = ctypes.create_string_buffer(bytes(data))
            data = ctypes.addressof(memory) + (0 if self.has("offset") else said["offset"]), True
        pointer, read_only = data
        values = nested(pointer, shape, strides)
        if self.has("write"):
            c_int32.from_address(pointer).value = 0
        if self.has("copy"):
            return values
        return View(values, pointer, read_only and not self.has("read-only"),
                    None if self.has("owner") else (obj, keeps))


class WithoutEnd(Reader):
    """All that it does with numbers Python does."""

    def numbers(self, numbers):
        return list(numbers)

    def structure(self, obj):
        raise NotImplementedError


class CutShape(Reader):
    """It cuts shapes off, and looks at strides; where there are no items it has the shape."""

    def numbers(self, numbers):
        return super().numbers([n % 2**32 for n in numbers] if numbers[-1] > 2**64 else numbers)

    def __call__(self, obj):
        made = super().__call__(obj)
        said = getattr(obj, "__array_interface__", {"shape": (2, 3)})
        if isinstance(made, View) and said["shape"][0] == 0:
            made.__array_interface__["shape"] = tuple(self.numbers(said["shape"]))
        return made


def packed(values):
    """The items, one after the other."""
    flat = [item for row in values for item in row]
    return struct.pack(f"{len(flat)}i", *flat)


def digest(values):
    return hashlib.md5(packed(values)).digest()


class TheArrayInterface(unittest.TestCase):
    def test_is_read_as_it_is_meant(self):
        for reader in Reader(), Reader("copy"), Reader("copy", "owner"):
            findings = check_consumer(reader, protocols="array_interface")
            self.assertEqual(findings, [])
            self.assertEqual(findings.counts, {"pass": 7})
        self.assertNotEqual(findings.refusals, {})

    def test_is_misread(self):
        for defect, rule in (("strides", "misread"), ("offset", "misread"),
                             ("overflow", "overflow-ignored"), ("mask", "mask-ignored"),
                             ("version", "version-refused"), ("owner", "owner-dropped"),
                             ("read-only", "read-only-ignored"), ("write", "read-only-ignored"),
                             ("descr", "unflagged-descr-used")):
            for isolate in (False, True) if not adicheck._core.is_opened() else (False,):
                with self.subTest(defect, isolate=isolate):
                    self.assertEqual(found(Reader(defect), "array_interface", isolate=isolate),
                                     {(f"array-interface/{rule}", "consumer")})

    def test_is_not_judged_where_all_is_refused(self):
        def use(obj):
            raise TypeError("not mine")
        with self.assertRaisesRegex(ValueError, "nothing could be judged"):
            check_consumer(use, protocols="array_interface")

    def test_is_read_as_bytes(self):
        for defects, made, rules in (((), packed, set()), (("strides",), packed, {"misread"}),
                                     ((), digest, set()),
                                     (("mask",), packed, {"mask-ignored"})):
            reader = Reader("copy", *defects)
            with self.subTest(defects, made=made):
                self.assertEqual(found(lambda obj: made(reader(obj)), "array_interface"),
                                 {(f"array-interface/{rule}", "consumer") for rule in rules})

    def test_is_read_by_numbers_of_python(self):
        """Which have no end: nothing that the reader is given leads it out of the memory."""
        for reader in WithoutEnd(), WithoutEnd("copy"):
            found = check_consumer(reader, protocols="array_interface")
            self.assertEqual(found, [])
            self.assertIn("OverflowError", str(found.refusals))

    def test_whose_shape_is_cut_off_is_found(self):
        found = check_consumer(CutShape(), protocols="array_interface")
        self.assertEqual([(one.rule, one.seen) for one in found],
                         [("array-interface/overflow-ignored", "(0, 3)")])


# ---- buffers ----

_get = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, POINTER(Buffer), ctypes.c_int)(
    ("PyObject_GetBuffer", ctypes.pythonapi))
_release = ctypes.PYFUNCTYPE(None, POINTER(Buffer))(("PyBuffer_Release", ctypes.pythonapi))
ND, FULL_RO = 8, 0x11C


def items(view):
    n = view.ndim
    shape = ctypes.cast(view.shape, POINTER(c_ssize_t))[:n]
    strides = ctypes.cast(view.strides, POINTER(c_ssize_t))[:n]
    return nested(view.buf, shape, strides, {1: ctypes.c_uint8, 4: c_int32}[view.itemsize])


def taken(obj, way=FULL_RO):
    view = Buffer()
    _get(obj, byref(view), way)
    return view


def copies(obj):
    view = taken(obj)
    values = items(view)
    _release(byref(view))
    return values


def asks_for_no_strides(obj):
    view = taken(obj, ND | 4)
    values = bytes((ctypes.c_char * view.len).from_address(view.buf))
    shape = ctypes.cast(view.shape, POINTER(c_ssize_t))[:view.ndim]
    flat = list(struct.unpack(f"{view.len // view.itemsize}{view.format.decode()}", values))
    _release(byref(view))
    return flat if len(shape) == 1 else [flat[:shape[1]], flat[shape[1]:]]


def asks_for_bytes(obj):
    view = taken(obj, 0)
    values = list((ctypes.c_uint8 * view.len).from_address(view.buf))
    _release(byref(view))
    return values


def asks_for_items(obj):
    """One after the other, whatever the shape is."""
    values = copies(obj)
    return [item for row in values for item in row] if values and isinstance(values[0], list) \
        else values


def ignores_strides(obj):
    view = taken(obj)
    flat = list((c_int32 * (view.len // 4)).from_address(view.buf))
    _release(byref(view))
    return [flat[:3], flat[3:]] if view.ndim == 2 else flat


def refuses_strides(obj):
    view = taken(obj)
    strides = ctypes.cast(view.strides, POINTER(c_ssize_t))[:view.ndim]
    values = items(view)
    _release(byref(view))
    if any(stride < 0 for stride in strides):
        raise ValueError("negative strides")
    return values


def refuses_dimensions(obj):
    values = copies(obj)
    if isinstance(values, list) and str(values).count("[") > 32:
        raise ValueError("more than 32 dimensions")
    return values


def never_releases(obj):
    return items(taken(obj))


def releases_twice(obj):
    view = taken(obj)
    values, other = items(view), Buffer.from_buffer_copy(view)
    _release(byref(view))
    _release(byref(other))
    return values


def alters(obj):
    view = taken(obj)
    values = items(view)
    if view.ndim > 0:
        ctypes.cast(view.strides, POINTER(c_ssize_t))[0] = 1
    _release(byref(view))
    return values


def uses_it_later(obj):
    view = taken(obj)
    made = View(items(view), view.buf, bool(view.readonly), None)
    _release(byref(view))
    return made


def writes(obj):
    view = taken(obj)
    values = items(view)
    if view.readonly:
        c_int32.from_address(view.buf).value = 0
    _release(byref(view))
    return values


class ABuffer(unittest.TestCase):
    def test_is_read_as_it_is_meant(self):
        for use in (memoryview, copies, asks_for_no_strides, asks_for_bytes, asks_for_items,
                    lambda obj: memoryview(obj).tolist()):
            findings = check_consumer(use, protocols="buffer")
            self.assertEqual(findings, [], str(findings))
            self.assertGreater(findings.counts["pass"], 4)

    def test_is_read_as_bytes(self):
        def in_memory(obj):
            return memoryview(obj).tobytes("A")

        def turned(obj):
            return bytearray(obj)[::-1]

        for use in bytes, bytearray, lambda obj: memoryview(obj).tobytes():
            findings = check_consumer(use, protocols="buffer")
            self.assertEqual(findings, [], str(findings))
            self.assertEqual(findings.counts, {"pass": 8})
        for use in in_memory, turned:
            with self.subTest(use.__name__):
                self.assertEqual(found(use, "buffer"), {("buffer/misread", "consumer")})

    def test_of_which_other_bytes_are_made(self):
        for use in (lambda obj: hashlib.md5(memoryview(obj).tobytes()).digest(),
                    lambda obj: bytes(obj) + b"end"):
            findings = check_consumer(use, protocols="buffer")
            self.assertEqual(findings, [], str(findings))
            self.assertEqual(findings.counts, {"pass": 7})

    def test_is_misread(self):
        for rule, use in (("misread", ignores_strides), ("strides-refused", refuses_strides),
                          ("dimensions-refused", refuses_dimensions),
                          ("not-released", never_releases), ("released-twice", releases_twice),
                          ("members-altered", alters), ("used-after-release", uses_it_later),
                          ("read-only-ignored", writes)):
            with self.subTest(use.__name__):
                self.assertEqual(found(use, "buffer"), {(f"buffer/{rule}", "consumer")})


# ---- the CUDA Array Interface ----

class Lazy:
    """What a consumer has put into a queue, and reads when it is asked."""

    def __init__(self, read):
        self._read = read

    def __arrow_c_array__(self, requested_schema=None):
        return adicheck.array(self._read()).__arrow_c_array__(requested_schema)


class Kernel:
    """A consumer that copies on the device, on a stream of its own or the producer's."""

    def __init__(self, *defects):
        from cuda_driver import Driver
        self.defects, self.driver = defects, Driver()
        self.driver.enter()
        self.own = self.driver.stream()

    def has(self, defect):
        return defect in self.defects

    def read(self, copy, n, stream):
        flat = list(struct.unpack(f"{n}i", self.driver.read(copy.value, 4 * n, stream)))
        return [flat[:3], flat[3:]]

    def entries(self, obj):
        said = obj.__cuda_array_interface__
        if said.get("mask") is not None:
            raise NotImplementedError("a mask")
        for name in "mask", "strides", "stream":
            if self.has(f"no {name}") and said.get(name, 0) is None:
                raise TypeError(f"{name} is None")
            if self.has(f"needs {name}") and name not in said:
                raise KeyError(name)
        if said.get("strides") not in (None, (12, 4)):
            raise NotImplementedError("strides")
        stream = said.get("stream") if said["version"] > 2 else None
        return said["data"][0], None if stream is None else c_void_p(stream)

    def __call__(self, obj):
        pointer, theirs = self.entries(obj)
        copy, driver = self.driver.memory(24), self.driver
        if self.has("theirs") and theirs is not None:
            driver.copy(copy, pointer, 24, theirs)
            return Lazy(lambda: self.read(copy, 6, theirs))
        if theirs is not None and not self.has("ignores"):
            if self.has("events"):
                driver.behind(self.own, theirs)
            else:
                driver.wait(theirs)
        driver.copy(copy, pointer, 24, self.own)
        if self.has("writes") or (self.has("writes what it may") and
                                  not obj.__cuda_array_interface__["data"][1]):
            driver.fill(ctypes.c_uint64(pointer), 0, 6, self.own)
            if not self.has("later"):
                driver.wait(self.own)
        if self.has("unordered"):
            return Lazy(lambda: self.read(copy, 6, self.own))
        if theirs is not None and self.has("events"):
            driver.behind(theirs, self.own)
            return Lazy(lambda: self.read(copy, 6, self.own))
        return self.read(copy, 6, self.own)


@unittest.skipUnless(CUDA, "there is no device of CUDA")
class TheCudaArrayInterface(unittest.TestCase):
    def judge(self, use, **options):
        return found(use, "cuda_array_interface", **options)

    def test_is_read_on_whatever_stream(self):
        for use in (Kernel(), Kernel("events"), Kernel("theirs"), Kernel("writes what it may"),
                    adicheck.as_cuda_array):
            with self.subTest(getattr(use, "defects", use)):
                findings = check_consumer(use, protocols="cuda_array_interface")
                self.assertEqual(findings, [], str(findings))
                self.assertEqual(findings.counts, {"pass": 7})

    def test_is_read_too_early(self):
        for use in Kernel("ignores"), lambda obj: adicheck.as_cuda_array(obj, sync=False):
            self.assertEqual(self.judge(use), {("cai/stream-ignored", "consumer")})

    def test_is_read_as_bytes(self):
        for made, judged in (packed, 7), (digest, 3):
            def use(obj):
                return made(adicheck.as_cuda_array(obj).to_pylist())
            findings = check_consumer(use, protocols="cuda_array_interface")
            self.assertEqual(findings, [], str(findings))
            self.assertEqual(findings.counts, {"pass": judged})

    def test_is_written_though_it_is_read_only(self):
        for use in Kernel("writes"), Kernel("writes", "later"):
            self.assertEqual(self.judge(use), {("cai/read-only-written", "consumer")})

    def test_is_read_too_late(self):
        self.assertEqual(self.judge(Kernel("unordered")), {("cai/reads-unordered", "consumer")})

    def test_is_refused_where_nothing_is_said(self):
        for defect in "no mask", "no stream", "needs stream", "no strides", "needs strides":
            with self.subTest(defect):
                self.assertEqual(self.judge(Kernel(defect)), {("cai/none-refused", "consumer")})

    def test_is_kept_up_to_version_2(self):
        def use(obj):
            described = obj.__cuda_array_interface__
            if described.get("mask") is not None:
                raise NotImplementedError("a mask")
            return adicheck.from_cuda_array_interface(described)
        self.assertEqual(self.judge(use), {("cai/owner-dropped", "consumer")})
        self.assertEqual(self.judge(use, profile="cai-3"), set())
        self.assertEqual(self.judge(use, profile="cai-2"), {("cai/owner-dropped", "consumer")})

    def test_gives_what_its_buffer_refuses_and_another_protocol_has(self):
        class OnDevice(mmap.mmap):
            def __dlpack__(self, **asked):
                return self.read_from.__dlpack__(**asked)

            def __dlpack_device__(self):
                return self.read_from.__dlpack_device__()

        def use(obj):
            made = OnDevice(-1, 1)
            made.close()
            made.read_from = adicheck.as_cuda_array(obj)
            return made
        findings = check_consumer(use, protocols="cuda_array_interface")
        self.assertEqual(findings, [], str(findings))
        self.assertEqual(findings.counts, {"pass": 7})

    def test_gives_what_nobody_can_read(self):
        class Opaque:
            def __dlpack__(self, **asked):
                raise BufferError("never")

            def __dlpack_device__(self):
                return 2, 0

        def use(obj):
            adicheck.as_cuda_array(obj)
            return Opaque()
        self.assertEqual(self.judge(use), set())

    def test_of_an_older_version_says_nothing_of_order(self):
        for version in range(3):
            with self.subTest(version):
                self.assertEqual(self.judge(Kernel("ignores", "unordered"),
                                            profile=f"cai-{version}"), set())


if __name__ == "__main__":
    unittest.main()
