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


class Callbacks(unittest.TestCase):
    def judge(self, make, **options):
        Counted.begun = Counted.ended = 0
        found = adicheck.check_producer(make, devices="cpu", **options)
        self.assertGreater(Counted.begun, 0)
        self.assertEqual(Counted.begun, Counted.ended)
        return {finding.rule for finding in found}

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
