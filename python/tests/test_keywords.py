# SPDX-License-Identifier: Apache-2.0
"""What the Array API asks of __dlpack__ and from_dlpack beside tensors: each planted defect is
found as its rule; and profiles, by which less is asked."""

import ctypes
import os
import unittest

import adicheck
import defects
import support

CUDA = "cuda:0" in adicheck.devices()


def found(findings):
    return {(finding.rule, finding.party) for finding in findings
            if finding.rule != "dlpack/data-misaligned"}


# ---- producers ----

class OnPinned(defects.Tensors):
    """Memory of a device that is said to be the host's, or managed."""

    device = "cuda:0"
    kind = 3

    def __dlpack_device__(self):
        return (self.kind, 0)

    def __dlpack__(self, **arguments):
        capsule = self.array.__dlpack__(**arguments)
        support.within(capsule).tensor.device_type = self.kind
        return capsule


class OnManaged(OnPinned):
    kind = 13


class AsList(defects.Tensors):
    def __dlpack_device__(self):
        return [1, 0]


class OfNoType(defects.Tensors):
    def __dlpack_device__(self):
        return (5, 0)


class NowhereSaid:
    """There is no __dlpack_device__."""

    def __init__(self):
        self._made = adicheck.tensor([1, 2], "int32")

    def __dlpack__(self, **arguments):
        return self._made.__dlpack__(**arguments)


class Apart(NowhereSaid):
    """On several devices at once, for instance."""

    def __dlpack_device__(self):
        raise BufferError("it is in several places")


class Named(int):
    """A member of an enumeration."""


class AsMembers(defects.Tensors):
    def __dlpack_device__(self):
        return Named(1), Named(0)


class OnHeap(defects.Tensors):
    def __dlpack__(self, **arguments):
        capsule = self.array.__dlpack__(**arguments)
        defects._kept.append(ctypes.create_string_buffer(support.name(capsule).encode()))
        set_name = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)(
            ("PyCapsule_SetName", ctypes.pythonapi))
        set_name(capsule, ctypes.addressof(defects._kept[-1]))
        return capsule


class NotOnHost(defects.Tensors):
    device = "cuda:0"

    def __dlpack__(self, *, dl_device=None, **arguments):
        if dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("it stays where it is")
        return self.array.__dlpack__(**arguments)


class CopiesByForce(defects.Tensors):
    """Another exception where a copy would be needed."""

    device = "cuda:0"

    def __dlpack__(self, *, copy=None, **arguments):
        try:
            return self.array.__dlpack__(copy=copy, **arguments)
        except BufferError as error:
            raise (RuntimeError if copy is False else BufferError)(str(error)) from None


class CopyRefused(defects.Tensors):
    """What this is asked for with copy as that is refused so."""

    copy, error = False, ValueError

    def __dlpack__(self, *, copy=None, **arguments):
        if copy is self.copy:
            raise self.error(f"no tensor with copy {copy}")
        return self.array.__dlpack__(copy=copy, **arguments)


class NeverCopies(CopyRefused):
    copy, error = True, NotImplementedError


class NoTensor(defects.Tensors):
    def __dlpack__(self, **arguments):
        raise TypeError("this type has no tensor")


class Keeps(defects.Tensors):
    """Its deleter needs the interpreter."""

    def __dlpack__(self, **arguments):
        made = support.Numbers()
        defects._kept.append(made)
        return made.__dlpack__(**arguments)


class Adrift(support.Numbers):
    """Its deleter is C's alone."""

    def __init__(self):
        nothing = ctypes.cast(ctypes.CDLL(None).getpid, ctypes.c_void_p).value
        super().__init__(deleter=nothing)


# ---- consumers ----

def read(tensor):
    at, n = tensor.data + tensor.byte_offset, [tensor.shape[i] for i in range(tensor.ndim)]
    strides = [tensor.strides[i] for i in range(tensor.ndim)]

    def values(first, depth):
        if depth == len(n):
            return ctypes.c_int32.from_address(at + 4 * first).value
        return [values(first + i * strides[depth], depth + 1) for i in range(n[depth])]
    return values(0, 0)


def capsule_of(obj):
    """As who knows old producers, too."""
    try:
        return obj.__dlpack__(max_version=(1, 3))
    except TypeError:
        return obj.__dlpack__()


def array_of(capsule, obj):
    return adicheck.from_dlpack(support.Shows(dlpack=lambda **_: capsule,
                                              dlpack_device=obj.__dlpack_device__))


def own(use):
    """Takes none of the harness's."""
    def takes(obj, **arguments):
        if hasattr(obj, "_given"):
            raise BufferError("not mine")
        return use(obj, **arguments)
    return takes


def no_fallback(obj):
    return array_of(obj.__dlpack__(max_version=(1, 3)), obj)


def writable_only(obj):
    made = adicheck.from_dlpack(obj)
    capsule = made.__dlpack__(max_version=(1, 3))
    if support.within(capsule).flags & support.READ_ONLY:
        raise BufferError("it may not be written to")
    return made


def by_any_name(obj):
    capsule = capsule_of(obj)
    if support.name(capsule).startswith("used_"):
        return adicheck.tensor(read(support.within(capsule).tensor), "int32")
    return array_of(capsule, obj)


def never_copies(obj, *, copy=None):
    return adicheck.from_dlpack(obj, copy=None if copy else copy)


def copies_in_place(obj, *, copy=None):
    made = adicheck.from_dlpack(obj, copy=copy)
    return adicheck.from_dlpack(made, copy=True) if copy is False else made


def moves(obj, *, copy=None):
    return Elsewhere(adicheck.from_dlpack(obj, copy=copy))


class Elsewhere:
    """An array that says it is on another device."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **arguments):
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return (2, 0)


def replaces(obj, *, copy=None):
    try:
        return adicheck.from_dlpack(obj, copy=copy)
    except BufferError as error:
        raise RuntimeError(str(error)) from None


def type_error(obj, *, copy=None):
    if not hasattr(obj, "__dlpack__"):
        raise TypeError("no tensor")
    return adicheck.from_dlpack(obj, copy=copy)


def value_error(obj, *, copy=None):
    try:
        return adicheck.from_dlpack(obj, copy=copy)
    except BufferError as error:
        raise (ValueError if copy is False else BufferError)(str(error)) from None


def lists(obj):
    return adicheck.from_dlpack(support.Shows(
        dlpack=lambda **arguments: obj.__dlpack__(**{**arguments, "max_version": [1, 3]}),
        dlpack_device=obj.__dlpack_device__))


def other_refusal(obj):
    try:
        return adicheck.from_dlpack(obj)
    except BufferError as error:
        if obj.__dlpack_device__()[0] == 18:
            raise RuntimeError(str(error)) from None
        raise


def ends_at_read_only(obj):
    try:
        return writable_only(obj)
    except BufferError:
        os.abort()


def heap_name(obj):
    capsule = capsule_of(obj)
    made = array_of(capsule, obj)
    defects._kept.append(ctypes.create_string_buffer(support.name(capsule).encode()))
    set_name = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)(
        ("PyCapsule_SetName", ctypes.pythonapi))
    set_name(capsule, ctypes.addressof(defects._kept[-1]))
    return made


class AProducer(unittest.TestCase):
    def rules(self, make, **options):
        return found(adicheck.check_producer(make, protocols="dlpack", **options))

    def test_is_found_by_its_rule(self):
        for rule, make in (("array-api/device-invalid", AsList),
                           ("array-api/device-invalid", OfNoType),
                           ("array-api/device-invalid", NowhereSaid),
                           ("array-api/export-exception-differs", NoTensor),
                           ("array-api/export-exception-differs", NeverCopies),
                           ("array-api/exception-differs", CopyRefused),
                           ("dlpack/capsule-name-not-static", OnHeap)):
            with self.subTest(make.__name__):
                self.assertEqual(self.rules(make), {(rule, "producer")})

    def test_may_be_odd(self):
        self.assertEqual(self.rules(AsMembers), set())
        for copy, error in ((True, BufferError), (False, BufferError), (True, MemoryError)):
            refuses = type("Refuses", (CopyRefused,), {"copy": copy, "error": error})
            self.assertEqual(self.rules(refuses), set())
        with self.assertRaisesRegex(ValueError, "nothing could be judged.*in several places"):
            self.rules(Apart)

    @unittest.skipUnless(CUDA, "there is no device of CUDA")
    def test_is_found_on_a_device(self):
        for rule, make in (("dlpack/memory-kind-differs", OnPinned),
                           ("dlpack/memory-kind-differs", OnManaged),
                           ("array-api/host-copy-refused", NotOnHost),
                           ("array-api/exception-differs", CopiesByForce)):
            with self.subTest(make.__name__):
                self.assertEqual(self.rules(make), {(rule, "producer")})
        for device in "cuda_host", "cuda_managed":
            self.assertEqual(self.rules(lambda: adicheck.tensor([1, 2], device=device)), set())

    def test_that_needs_the_interpreter_at_its_end_is_found_in_a_worker(self):
        rule = "dlpack/deleter-after-end", "producer"
        self.assertIn(rule, self.rules(Keeps, isolate=True, devices="cpu"))
        self.assertNotIn(rule, self.rules(Adrift, isolate=True, devices="cpu"))
        self.assertEqual(self.rules(lambda: adicheck.tensor([1]), isolate=True, devices="cpu"),
                         set())


class AConsumer(unittest.TestCase):
    def rules(self, use, **options):
        return found(adicheck.check_consumer(use, protocols="dlpack", **options))

    def test_is_found_by_its_rule(self):
        for rule, use in (("array-api/no-fallback", own(no_fallback)),
                          ("array-api/read-only-refused", own(writable_only)),
                          ("dlpack/used-capsule-taken", own(by_any_name)),
                          ("array-api/copy-shared", never_copies),
                          ("array-api/copy-made", copies_in_place),
                          ("array-api/result-elsewhere", own(moves)),
                          ("array-api/refusal-replaced", own(replaces)),
                          ("array-api/no-attribute-error", type_error),
                          ("array-api/refusal-differs", other_refusal),
                          ("dlpack/capsule-name-not-static", heap_name)):
            for isolate in (False, True):
                with self.subTest(rule, isolate=isolate):
                    self.assertEqual(self.rules(use, isolate=isolate), {(rule, "consumer")})

    def test_that_ends_at_what_is_odd_is_found_in_a_worker(self):
        self.assertEqual(self.rules(own(ends_at_read_only), isolate=True),
                         {("life/crash", "consumer")})

    def test_that_passes_lists_is_found(self):
        self.assertIn(("array-api/argument-malformed", "consumer"), self.rules(lists))

    def test_that_is_right_is_not_blamed(self):
        for use in (adicheck.from_dlpack, value_error):
            for isolate in (False, True):
                with self.subTest(use, isolate=isolate):
                    self.assertEqual(self.rules(use, isolate=isolate), set())


class AProfile(unittest.TestCase):
    def rules(self, make, profile):
        return found(adicheck.check_producer(make, protocols="dlpack", profile=profile))

    def test_of_2021_asks_for_a_stream_alone(self):
        old = ("array-api/keyword-missing", "producer")
        self.assertIn(old, self.rules(defects.OldKeywords, None))
        self.assertIn(old, self.rules(defects.OldKeywords, "array-api-2023"))
        for profile in "array-api-2021", "array-api-2022", "dlpack-0", "cpu,dlpack-0":
            with self.subTest(profile):
                self.assertEqual(self.rules(defects.OldKeywords, profile), set())

    def test_asks_for_no_later_version(self):
        asked = set()

        class Told(defects.Tensors):
            def __dlpack__(self, **arguments):
                asked.add(arguments.get("max_version"))
                return self.array.__dlpack__(**arguments)
        for profile, version in (("dlpack-1.0", (1, 0)), ("dlpack-1.1", (1, 1)),
                                 ("dlpack-1.2+", (1, 3)), ("array-api-2024", (1, 1))):
            with self.subTest(profile):
                asked.clear()
                self.assertEqual(self.rules(Told, profile), set())
                self.assertEqual(max(asked - {None}), version)

    def test_up_to_1_1_has_null_strides(self):
        rule = ("dlpack/strides-null", "producer")
        self.assertIn(rule, self.rules(defects.without_strides, "dlpack-1.2+"))
        self.assertNotIn(rule, self.rules(defects.without_strides, "dlpack-1.1"))

    def test_of_2021_has_other_exceptions(self):
        rule = ("array-api/exception-differs", "producer")
        self.assertIn(rule, self.rules(defects.OtherException, "array-api-2023"))
        self.assertNotIn(rule, self.rules(defects.OtherException, "array-api-2021"))
        use = adicheck.check_consumer(type_error, protocols="dlpack", profile="array-api-2022")
        self.assertEqual(found(use), set())

    def test_that_is_unknown_is_refused(self):
        for profile in "dlpack-7", "cpu gpu":
            with self.assertRaises(Exception):
                self.rules(defects.OldKeywords, profile)


if __name__ == "__main__":
    unittest.main()
