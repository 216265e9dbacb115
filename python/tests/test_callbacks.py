# SPDX-License-Identifier: Apache-2.0
"""Producers whose destructors and release callbacks are written in Python: they run right, whatever
else is wrong, and nothing of it is lost."""

import ctypes
import errno
import unittest

import adicheck
import support

RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
NEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
TEXT = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
KEPT = []
_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi))


def at(callback):
    KEPT.append(callback)
    return ctypes.cast(callback, ctypes.c_void_p).value


def rules_of(found):
    """What is in KEPT is memory that nobody gives back."""
    return {finding.rule for finding in found} - {"life/memory-leaked"}


class Counted:
    """Destructors and release callbacks: how many began, and how many came to their end."""

    begun = ended = 0

    @classmethod
    def callback(cls, call):
        def counted(address):
            cls.begun += 1
            support.is_named(id(KEPT), "a list")  # fails where an exception is set
            call(address)
            cls.ended += 1
        return at(RELEASE(counted))

    @classmethod
    def capsule(cls, structure, name, alias=None):
        """One that owns the structure, whose `release` is Python's as well."""
        KEPT.append(structure)
        if hasattr(structure, "array"):
            structure = structure.array
        address, release = ctypes.addressof(structure), structure.release

        def let_go(here):
            now = type(structure).from_address(here)
            now.release = release
            support.call(release, now)

        def destroy(capsule):
            if structure.release:
                support.call(structure.release, structure)
        structure.release = cls.callback(let_go)
        return _new(address, support.name_at(alias or name), cls.callback(destroy))


def moved(capsule):
    """A copy of the structure, which is the only one then."""
    within = support.within(capsule)
    array = within.array if hasattr(within, "array") else within
    copy = type(within).from_buffer_copy(within)
    array.release = None
    return copy


class ArrayOf:
    def __init__(self):
        self.array = adicheck.array([1, None, 3], "int32")

    def both(self):
        schema, array = self.array.__arrow_c_array__()
        return (Counted.capsule(moved(schema), "arrow_schema"),
                Counted.capsule(moved(array), "arrow_array"))

    def __arrow_c_array__(self, requested_schema=None):
        if requested_schema is not None:
            self.array.__arrow_c_array__(requested_schema)
        return self.both()


class Swapped(ArrayOf):
    def __arrow_c_array__(self, requested_schema=None):
        return self.both()[::-1]


class AsAList(ArrayOf):
    def __arrow_c_array__(self, requested_schema=None):
        return list(self.both())


class OfUnknownType:
    """A device array of a type that nobody has."""

    def __init__(self):
        self.array = adicheck.array([1, None, 3], "int32")

    def __arrow_c_device_array__(self, requested_schema=None, **kwargs):
        schema, array = map(moved, self.array.__arrow_c_device_array__(requested_schema, **kwargs))
        array.device_type = 99
        return (Counted.capsule(schema, "arrow_schema"),
                Counted.capsule(array, "arrow_device_array"))


class StreamOf:
    alias = None

    def __init__(self):
        self.stream = adicheck.stream([[1, 2], [3]], "int32")

    def spoil(self, stream):
        pass

    def __arrow_c_stream__(self, requested_schema=None):
        made = moved(self.stream.__arrow_c_stream__(requested_schema))
        self.spoil(made)
        return Counted.capsule(made, "arrow_array_stream", self.alias)


class OfOtherName(StreamOf):
    alias = "arrow_stream"


class Fails(StreamOf):
    """Behind its first chunk, as a stream may."""

    code, text = errno.EIO, b"no more"

    def fails(self):
        return True

    def spoil(self, stream):
        before, asked = NEXT(stream.get_next), []

        def get_next(stream, out):
            asked.append(out)
            return self.code if len(asked) == 2 and self.fails() else before(stream, out)
        stream.get_next = at(NEXT(get_next))
        text = ctypes.create_string_buffer(self.text) if self.text else None
        KEPT.append(text)
        stream.get_last_error = at(TEXT(lambda _: text and ctypes.addressof(text)))


class FailsWithoutText(Fails):
    code, text = errno.EINVAL, None


class FailsByNoErrno(Fails):
    code = -1


class FailsAtFirst(Fails):
    """Another time it goes on."""

    times = 0

    def fails(self):
        FailsAtFirst.times += 1
        return FailsAtFirst.times == 1


class HasNoSchema(StreamOf):
    def spoil(self, stream):
        stream.get_schema = at(NEXT(lambda *_: errno.ENOTSUP))


class OfAnotherType(StreamOf):
    """A chunk is none of the schema: this one."""

    which, other = 2, ([["a", None]], "utf8")

    def spoil(self, stream):
        other = moved(adicheck.stream(*self.other).__arrow_c_stream__())
        before, strange, asked = NEXT(stream.get_next), NEXT(other.get_next), []
        KEPT.append(other)

        def get_next(stream, out):
            asked.append(out)
            return strange(ctypes.addressof(other), out) if len(asked) == self.which else \
                before(stream, out)
        stream.get_next = at(NEXT(get_next))


class IsNotCleared(StreamOf):
    """Its release leaves `release` as it is."""

    def spoil(self, stream):
        release = stream.release

        def let_go(here):
            now = type(stream).from_address(here)
            now.release = release
            support.call(release, now)
            now.release = own
        own = stream.release = at(RELEASE(let_go))

    def __arrow_c_stream__(self, requested_schema=None):
        made = moved(self.stream.__arrow_c_stream__(requested_schema))
        self.spoil(made)
        KEPT.append(made)

        def destroy(capsule):
            if made.release:
                support.call(made.release, made)
        return _new(ctypes.addressof(made), support.name_at("arrow_array_stream"),
                    at(RELEASE(destroy)))


class Streams(unittest.TestCase):
    def judge(self, make):
        found = adicheck.check_producer(make, devices="cpu")
        self.assertIn("pass", found.counts)
        return rules_of(found)

    def test_may_fail(self):
        for make in Fails, FailsWithoutText, FailsAtFirst, HasNoSchema:
            with self.subTest(make.__name__):
                self.assertEqual(self.judge(make), set())
        with self.assertRaisesRegex(OSError, "get_next answered 5: no more"):
            adicheck.from_arrow(Fails())

    def test_that_fails_by_no_errno_is_found(self):
        self.assertEqual(self.judge(FailsByNoErrno), {"stream/error-code-unknown"})

    # Of a type with the same buffers nobody can tell but who says what is expected.
    def test_with_a_chunk_of_another_type_is_found(self):
        for which in 1, 2:
            for other in ([["a", None]], "utf8"), ([[[1]]], "+l(i)"), ([[{"f0": 1}]], "+s(i)"):
                with self.subTest(which=which, other=other[1]):
                    make = type("Of", (OfAnotherType,), {"which": which, "other": other})
                    found = adicheck.check_producer(make, devices="cpu")
                    self.assertFalse(found.conformant)
                    self.assertTrue(rules_of(found) & {
                        "array/buffer-count-differs", "array/child-count-differs",
                        "stream/chunk-of-other-schema"}, str(found))
        make = type("Of", (OfAnotherType,), {"other": ([[2.5]], "float32")})
        self.assertEqual(self.judge(make), set())
        found = adicheck.check_producer(make, devices="cpu", expected=[1, 2, 3])
        self.assertIn("array/data-differs", rules_of(found))

    def test_that_does_not_clear_release_is_found(self):
        self.assertEqual(self.judge(IsNotCleared), {"life/release-not-cleared"})
        self.assertEqual(self.judge(StreamOf), set())


class Callbacks(unittest.TestCase):
    def judge(self, make, **options):
        Counted.begun = Counted.ended = 0
        found = adicheck.check_producer(make, devices="cpu", **options)
        self.assertGreater(Counted.begun, 0)
        self.assertEqual(Counted.begun, Counted.ended)
        return rules_of(found)

    def test_of_who_is_right_are_not_blamed(self):
        self.assertEqual(self.judge(ArrayOf), set())
        self.assertEqual(self.judge(StreamOf), set())

    def test_run_while_an_exception_is_on_its_way(self):
        for make, rule in ((Swapped, "pycapsule/name-differs"), (AsAList, "pycapsule/not-a-pair"),
                           (OfOtherName, "pycapsule/name-differs"),
                           (OfUnknownType, "device/type-unknown")):
            with self.subTest(make.__name__):
                self.assertEqual(self.judge(make), {rule})

    def test_of_a_wrong_capsule_do_not_hide_the_exception(self):
        for make, error in ((Swapped, ValueError), (AsAList, TypeError), (OfOtherName, ValueError)):
            Counted.begun = Counted.ended = 0
            with self.subTest(make.__name__), self.assertRaises(error):
                adicheck.from_arrow(make())
            self.assertEqual(Counted.begun, Counted.ended)


if __name__ == "__main__":
    unittest.main()
