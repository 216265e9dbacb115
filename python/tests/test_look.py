# SPDX-License-Identifier: Apache-2.0
"""Dictionaries of producers: each planted defect is found as its rule."""

import ctypes
import mmap
import unittest

import adicheck
from support import ArrayStruct, Shows

CUDA = "cuda:0" in adicheck.devices()
MEMORY = (ctypes.c_int32 * 6)(*range(6))
RIGHT = {"shape": (2, 3), "typestr": "<i4", "data": (ctypes.addressof(MEMORY), False), "version": 3}

# What is changed (Ellipsis: left out), and the rule of that, in both dictionaries.
BOTH = [
    ("entry-missing", {"shape": ...}), ("entry-missing", {"version": ...}),
    ("entry-missing", {"typestr": None}),
    ("shape-invalid", {"shape": [2, 3]}), ("shape-invalid", {"shape": (2, -3)}),
    ("shape-invalid", {"shape": (2.0, 3)}), ("shape-invalid", {"shape": (1 << 40, 1 << 40)}),
    ("typestr-invalid", {"typestr": "int32"}), ("typestr-invalid", {"typestr": 4}),
    ("data-invalid", {"data": (ctypes.addressof(MEMORY),)}),
    ("data-invalid", {"data": (ctypes.addressof(MEMORY), 0)}),
    ("strides-invalid", {"strides": (12,)}), ("strides-invalid", {"strides": [12, 4]}),
    ("strides-invalid", {"strides": (1 << 62, 1 << 62)}),
    ("version-invalid", {"version": "3"}), ("descr-invalid", {"descr": [("", "<i8")]}),
]
CAI = [
    ("entry-missing", {"data": ...}), ("stream-forbidden", {"stream": 0}),
    ("stream-invalid", {"stream": "1"}), ("stream-invalid", {"stream": -2}),
    ("empty-not-zero", {"shape": (0, 3)}),
    ("mask-invalid", {"mask": (True, False)}),
    ("mask-invalid", {"mask": Shows(cuda_array_interface={**RIGHT, "shape": (5,)})}),
]
ARRAY = [
    ("offset-ignored", {"offset": 4}), ("data-invalid", {"data": "x"}),
    ("data-invalid", {"data": bytes(23)}), ("data-invalid", {"data": bytes(24), "offset": 1}),
    ("data-invalid", {"data": bytes(24), "strides": (-12, 4)}),
    ("mask-invalid", {"mask": (True, False)}),
    ("mask-shape-differs", {"mask": Shows(array_interface={**RIGHT, "shape": (2, 2)})}),
    ("mask-shape-differs", {"mask": Shows(array_interface={**RIGHT, "shape": (1, 2, 3)})}),
]


def changed(change):
    made = {**RIGHT, **change}
    return {key: value for key, value in made.items() if value is not ...}


def rules(make, protocol, **options):
    return {finding.rule for finding in
            adicheck.check_producer(make, protocols=protocol, **options)}


class ADictionary(unittest.TestCase):
    def judge(self, protocol, family, defects):
        for isolate in (False, True) if not adicheck._core.is_opened() else (False,):
            for rule, change in defects:
                with self.subTest(rule, change=change, isolate=isolate):
                    shown = Shows(**{protocol: changed(change)})
                    self.assertEqual(rules(lambda: shown, protocol, isolate=isolate),
                                     {f"{family}/{rule}"})

    def test_of_the_array_interface_is_judged(self):
        self.judge("array_interface", "array-interface", BOTH + ARRAY)

    def test_of_the_cuda_array_interface_is_judged(self):
        self.judge("cuda_array_interface", "cai", BOTH + CAI)

    def test_has_to_be_one(self):
        for protocol, family in (("array_interface", "array-interface"),
                                 ("cuda_array_interface", "cai")):
            shown = Shows(**{protocol: [1]})
            self.assertEqual(rules(lambda: shown, protocol), {f"{family}/not-a-dict"})

    def test_may_be_odd(self):
        for change in ({"strides": None}, {"strides": (12, 4)}, {"descr": [("", "<i4")]},
                       {"mask": None}, {"data": None}, {"data": bytearray(24), "offset": 0},
                       {"data": bytes(24), "strides": (-12, 4), "offset": 12},
                       {"data": bytes(25), "offset": 1}, {"data": b"", "shape": (0, 3)},
                       {"shape": ()}, {"version": 4},
                       {"mask": Shows(array_interface={**RIGHT, "shape": (1, 3)})},
                       {"mask": Shows(array_interface={**RIGHT, "shape": (3,)})}):
            with self.subTest(change):
                shown = Shows(array_interface=changed(change))
                self.assertEqual(rules(lambda: shown, "array_interface"), set())

    # As it does behind an array that was made for the dictionary alone.
    def test_leads_to_memory(self):
        size, page = 1 << 26, mmap.PAGESIZE
        libc = ctypes.CDLL(None)
        libc.mmap.restype = ctypes.c_void_p
        libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
        libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        at = libc.mmap(None, size, 1, 0x22, -1, 0)  # to be read, anonymous
        self.assertEqual(libc.munmap(at + size - page, page), 0)
        for bytes, first, strides, wanted in (
                (size - page, 0, 1, set()), (page, size // 2, 1, set()),
                (size - page + 1, 0, 1, {"array-interface/data-invalid"}),
                (8, size - page // 2, 1, {"array-interface/data-invalid"}),
                (size - page, size - page - 1, -1, set()), (0, size, 1, set())):
            with self.subTest(bytes=bytes, first=first, strides=strides):
                shown = Shows(array_interface=changed({
                    "shape": (bytes,), "typestr": "|u1", "data": (at + first, False),
                    "strides": (strides,)}))
                self.assertEqual(rules(lambda: shown, "array_interface"), wanted)
        libc.munmap(at, size - page)

    def test_of_the_reference_is_right(self):
        for data in ([1, 2], []):
            found = adicheck.check_producer(lambda: adicheck.array(data, "int32"),
                                            protocols=("array_interface", "buffer"))
            self.assertEqual(found, [])

    @unittest.skipUnless(CUDA, "there is no device of CUDA")
    def test_of_the_reference_is_right_on_devices(self):
        for device in ("cuda:0", "cuda:1", "cuda_host", "cuda_managed"):
            for version in (0, 1, 2, 3):
                with self.subTest(device, version=version):
                    found = adicheck.check_producer(
                        lambda: adicheck.array([1, 2], "int32", device=device,
                                               cai_version=version),
                        protocols="cuda_array_interface")
                    self.assertEqual(found, [])

    @unittest.skipUnless(CUDA, "there is no device of CUDA")
    def test_leads_to_memory_of_the_device(self):
        shown = Shows(cuda_array_interface=RIGHT)
        self.assertEqual(rules(lambda: shown, "cuda_array_interface"), {"cai/data-unreachable"})


class AStructure(unittest.TestCase):
    """`__array_struct__`, alone and beside the dictionary."""

    def shown(self, changes=None, has_dictionary=True, has_context=True, **entries):
        sizes = (ctypes.c_ssize_t * 4)(2, 3, 12, 4)
        numbers = ctypes.cast(sizes, ctypes.POINTER(ctypes.c_ssize_t))
        is_like = ArrayStruct(two=2, nd=2, typekind=b"i", itemsize=4, flags=0x701, shape=numbers,
                              data=ctypes.addressof(MEMORY))
        is_like.strides = ctypes.cast(ctypes.addressof(sizes) + 16,
                                      ctypes.POINTER(ctypes.c_ssize_t))
        for name, value in (changes or {}).items():
            setattr(is_like, name, value)
        made = Shows(array_interface=changed(entries)) if has_dictionary else Shows()
        made.__array_struct__ = unnamed(is_like)
        if has_context:
            set_context(made.__array_struct__, id(made))
        _kept.extend([sizes, is_like])
        return made

    def rules(self, *arguments, **options):
        made = self.shown(*arguments, **options)
        return rules(lambda: made, "array_interface")

    def test_may_be_alone(self):
        made = self.shown(has_dictionary=False)
        found = adicheck.check_producer(lambda: made)
        self.assertEqual((found, found.counts), ([], {"pass": 2}))

    def test_may_be_odd(self):
        self.assertEqual(self.rules(), set())
        self.assertEqual(self.rules({"descr": 4}), set())  # which nobody may look at
        self.assertEqual(self.rules({"flags": 0x301}, data=(ctypes.addressof(MEMORY), True)), set())
        descr = [("", "<i4")]
        self.assertEqual(self.rules({"flags": 0xF01, "descr": id(descr)}), set())

    def test_is_judged(self):
        for changes in ({"two": 3}, {"nd": -1}, {"nd": 65}, {"typekind": b"x"}, {"itemsize": -4},
                        {"shape": None}, {"strides": None}, {"flags": 0xF01},
                        {"flags": 0xF01, "descr": id(4)}):
            for has_dictionary in (True, False):
                with self.subTest(changes):
                    self.assertEqual(self.rules(changes, has_dictionary),
                                     {"array-interface/struct-invalid"})
        made = Shows(array_interface=RIGHT, array_struct=4)
        self.assertEqual(rules(lambda: made, "array_interface"), {"array-interface/struct-invalid"})

    def test_holds_the_object(self):
        self.assertEqual(self.rules(has_context=False), {"array-interface/struct-context-missing"})

    def test_says_what_the_dictionary_says(self):
        for entries in ({"shape": (3, 2)}, {"shape": (6,)}, {"typestr": "<u4"}, {"typestr": "<f8"},
                        {"strides": (4, 8)}, {"data": (ctypes.addressof(MEMORY) + 4, False)},
                        {"data": (ctypes.addressof(MEMORY), True)}):
            with self.subTest(entries):
                self.assertEqual(self.rules(**entries), {"array-interface/struct-differs"})


@unittest.skipUnless(CUDA, "there is no device of CUDA")
class ATensorBesideIt(unittest.TestCase):
    """An object that has `__dlpack__`, too."""

    def rules(self, made, entries, **shown):
        described = {**made.__cuda_array_interface__, **entries}
        return rules(lambda: Shows(cuda_array_interface=described, keeps=made,
                                   **{"dlpack": made.__dlpack__, **shown}),
                     "cuda_array_interface")

    def test_says_the_same(self):
        for type in ("bool", "int8", "uint16", "float64", "complex64"):
            made = adicheck.tensor([[1, 0], [1, 1]], type, device="cuda:0")
            with self.subTest(type):
                self.assertEqual(self.rules(made, {}), set())

    def test_says_otherwise(self):
        made = adicheck.tensor([[1, 2], [3, 4]], "float16", device="cuda:0")
        for entries in ({"typestr": "<i2"}, {"shape": (4,), "strides": None},
                        {"typestr": "<i4", "shape": (2,), "strides": None},
                        {"shape": (2, 1), "strides": None}):
            with self.subTest(entries):
                self.assertEqual(self.rules(made, entries), {"cai/tensor-differs"})
        shown = Shows(cuda_array_interface={**made.__cuda_array_interface__, "shape": (2, 1),
                                            "strides": None}, dlpack=made.__dlpack__)
        found = adicheck.check_producer(lambda: shown, protocols="cuda_array_interface")
        self.assertEqual([one.seen for one in found], ["(2, 1), and (2, 2)"])

    def test_may_have_a_type_that_no_text_says(self):
        made = adicheck.tensor([1, 2], "bfloat16", device="cuda:0")
        memory = adicheck.tensor([1, 2], "int16", device="cuda:0")
        for text, wanted in ("<f2", {"cai/tensor-differs"}), ("<i2", {"cai/tensor-differs"}), \
                ("|V2", set()):
            with self.subTest(text):
                self.assertEqual(self.rules(memory, {"typestr": text}, dlpack=made.__dlpack__),
                                 wanted)

    def test_may_be_a_byte_for_a_bool(self):
        flags = adicheck.tensor([True, False], device="cuda:0")
        made = adicheck.tensor([1, 0], "uint8", device="cuda:0")
        self.assertEqual(self.rules(flags, {}, dlpack=made.__dlpack__), set())

    def test_may_be_refused_or_unsound(self):
        def refuses(**arguments):
            raise BufferError("none here")

        def older(stream=None):
            return made.__dlpack__(stream=stream, max_version=(1, 3))

        made = adicheck.tensor([1, 2], "float32", device="cuda:0")
        for dlpack in refuses, lambda **arguments: 7, 7:
            self.assertEqual(self.rules(made, {"typestr": "<i4"}, dlpack=dlpack), set())
        self.assertEqual(self.rules(made, {"typestr": "<i4"}, dlpack=older),
                         {"cai/tensor-differs"})


@unittest.skipUnless(CUDA, "there is no device of CUDA")
class Order(unittest.TestCase):
    """What a producer of version 3 says of its work."""

    def made(self, *defects):
        driver = self.driver
        driver.enter()
        memory, named, other = driver.memory(24), driver.stream(), driver.stream()
        if "copied" in defects:
            driver.copy_in(memory, bytes(24))
        if "copied" not in defects or "elsewhere" in defects:
            of = ctypes.c_void_p(1) if "copied" in defects else other
            driver.fill(memory, 7, 6, of if "elsewhere" in defects else named)
        if "joined" in defects:
            driver.behind(named, other)
        if "waited" in defects:
            driver.wait(ctypes.c_void_p(1) if "copied" in defects else named)
        if "gone" in defects:
            driver.wait(named)
            driver("cuStreamDestroy_v2", named)
        made = Shows()
        stream = None if "none" in defects else 1 if "legacy" in defects else named.value
        described = {**RIGHT, "data": (memory.value, False), "stream": stream,
                     "version": 2 if "old" in defects else 3}
        if "old" in defects:
            del described["stream"]
        if "kept" in defects:
            described["owner"] = made
        if "kept" in defects:
            return Fresh(described)
        made.__cuda_array_interface__ = described
        return made

    def setUp(self):
        from cuda_driver import Driver
        self.driver = Driver()

    def rules(self, *defects):
        return rules(lambda: self.made(*defects), "cuda_array_interface")

    def test_may_be_any(self):
        for defects in ((), ("none", "waited"), ("elsewhere", "joined"), ("old", "none")):
            with self.subTest(defects):
                self.assertEqual(self.rules(*defects), set())

    def test_is_what_the_stream_stands_for(self):
        for defects in ("none",), ("elsewhere",):
            with self.subTest(defects):
                self.assertEqual(self.rules(*defects), {"cai/work-unordered"})

    def test_may_be_a_copy_that_a_call_did_not_wait_for(self):
        """Documents can be read in two ways there: docs/ambiguities.md."""
        for defects in ("copied",), ("copied", "none"):
            with self.subTest(defects):
                found = adicheck.check_producer(lambda: self.made(*defects),
                                                protocols="cuda_array_interface")
                self.assertEqual([(row.rule, row.verdict) for row in found],
                                 [("cai/copy-unordered", "note")])
                self.assertTrue(found.conformant)
        for defects in ("copied", "none", "waited"), ("copied", "legacy"):
            with self.subTest(defects):
                self.assertEqual(self.rules(*defects), set())
        self.assertEqual(self.rules("copied", "elsewhere", "none"), {"cai/work-unordered"})

    def test_needs_a_stream_that_lives(self):
        self.assertEqual(self.rules("gone"), {"cai/stream-gone"})

    def test_does_not_keep_the_object(self):
        self.assertEqual(self.rules("kept"), {"cai/owner-kept"})

    def test_is_of_version_3(self):
        shown = Shows(cuda_array_interface={**RIGHT, "shape": (0,), "data": (0, False),
                                            "version": 2, "stream": 0})
        self.assertEqual(rules(lambda: shown, "cuda_array_interface"), {"cai/stream-unversioned"})
        shown.__cuda_array_interface__["version"] = 3
        self.assertEqual(rules(lambda: shown, "cuda_array_interface"), {"cai/stream-forbidden"})
        shown.__cuda_array_interface__["stream"] = None
        for profile, data in (("cai-3", "empty-not-zero"), ("cai-2", "empty-not-zero"),
                              ("cai-1", None), ("cai-0", None)):
            shown.__cuda_array_interface__["data"] = (4096, False)
            with self.subTest(profile):
                self.assertEqual(rules(lambda: shown, "cuda_array_interface", profile=profile),
                                 {f"cai/{data}"} if data else set())


    def test_is_an_entry_of_the_version_that_the_dictionary_says(self):
        made = adicheck.array([1, 2], "int32", device="cuda:0")
        self.assertEqual(made.__cuda_array_interface__["stream"], 1)
        for profile in "cai-3", "cai-2", "cai-1", "cai-0":
            with self.subTest(profile):
                self.assertEqual(rules(lambda: made, "cuda_array_interface", profile=profile),
                                 set())
                shown = Shows(cuda_array_interface={**made.__cuda_array_interface__, "version": 2})
                self.assertEqual(rules(lambda: shown, "cuda_array_interface", profile=profile),
                                 {"cai/stream-unversioned"})


class Fresh:
    """Makes the dictionary anew each time, and puts itself into it."""

    def __init__(self, described):
        self._described = described

    @property
    def __cuda_array_interface__(self):
        return {**self._described, "owner": self}


@unittest.skipUnless(CUDA, "there is no device of CUDA")
class AConsumer(unittest.TestCase):
    def judge(self, use):
        return {(finding.rule, finding.party) for finding in
                adicheck.check_consumer(use, protocols="cuda_array_interface")}

    def test_that_refuses_masks_is_right(self):
        found = adicheck.check_consumer(adicheck.as_cuda_array, protocols="cuda_array_interface")
        self.assertEqual(found, [])
        self.assertEqual(found.counts, {"pass": 7})

    def test_that_ignores_a_mask_is_found(self):
        def use(obj):
            description = {**obj.__cuda_array_interface__, "mask": None}
            return adicheck.from_cuda_array_interface(description, obj)
        self.assertEqual(self.judge(use), {("cai/mask-ignored", "consumer")})

    def test_that_ignores_strides_is_found(self):
        def use(obj):
            description = {**obj.__cuda_array_interface__}
            if description.get("mask") is not None:
                raise NotImplementedError("a mask")
            return adicheck.from_cuda_array_interface({**description, "strides": None}, obj)
        self.assertEqual(self.judge(use), {("cai/misread", "consumer")})

    def test_that_refuses_all_is_not_judged(self):
        def use(obj):
            raise TypeError("not mine")
        with self.assertRaisesRegex(ValueError, "nothing could be judged"):
            adicheck.check_consumer(use, protocols="cuda_array_interface")


_kept = []
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p,
                                 ctypes.c_void_p)(("PyCapsule_New", ctypes.pythonapi))
set_context = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)(
    ("PyCapsule_SetContext", ctypes.pythonapi))


def unnamed(structure):
    return _new_capsule(ctypes.addressof(structure), None, None)


if __name__ == "__main__":
    unittest.main()
