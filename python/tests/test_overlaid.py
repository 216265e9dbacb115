# SPDX-License-Identifier: Apache-2.0
"""Memory that another object gets while a tensor of the one before still has it."""

import ctypes
import itertools
import unittest
from ctypes import POINTER, c_int32, c_int64

import adicheck
from defects import Tensors
from support import Versioned, within

VALUES = 1, 2, 3


def fresh():
    return (c_int32 * 3)(*VALUES)


class Elsewhere(Tensors):
    """A tensor whose data is memory of the object, which it does not keep."""

    is_read_only = False

    def __init__(self, memory=None):
        super().__init__()
        self.memory = memory or fresh()

    def change(self, managed):
        managed.tensor.data = ctypes.addressof(self.memory)

    def __dlpack__(self, **arguments):
        capsule = super().__dlpack__(**arguments)
        managed = within(capsule)
        if arguments.get("copy") is not True:
            self.change(managed)
            if isinstance(managed, Versioned):
                managed.flags = self.is_read_only
        return capsule


class Pooled(Elsewhere):
    """That goes back to where it came from with the object."""

    pool = []

    def __init__(self):
        super().__init__(self.pool.pop() if self.pool else None)

    def __del__(self):
        self.pool.append(self.memory)


class ReadOnly(Pooled):
    """Nobody writes what lies there."""

    is_read_only = True


class WithoutDeleter(Pooled):
    """Such a tensor lives as long as its object."""

    def change(self, managed):
        super().change(managed)
        managed.deleter = None


class Shape(Elsewhere):
    """Its shape is the object's, which spoils it."""

    shapes = []

    def __init__(self):
        super().__init__()
        self.shape = self.shapes.pop() if self.shapes else (c_int64 * 1)()
        self.shape[0] = 3

    def __del__(self):
        self.shape[0] = -77
        self.shapes.append(self.shape)

    def change(self, managed):
        managed.tensor.shape = ctypes.cast(ctypes.addressof(self.shape), POINTER(c_int64))


class Empty(Pooled):
    """There is nothing to read."""

    def __init__(self):
        super().__init__()
        self.array = adicheck.tensor([], "int32")


def judge(make, **options):
    seen = adicheck.check_producer(make, protocols="dlpack", devices="cpu", **options)
    return {finding.rule for finding in seen if finding.verdict == "fail"}


class ATensor(unittest.TestCase):
    def test_whose_memory_another_object_gets_is_found(self):
        for make, isolate in itertools.product((Pooled, Shape), (False, True)):
            with self.subTest(make.__name__, isolate=isolate):
                self.assertEqual(judge(make, isolate=isolate), {"dlpack/tensor-depends-on-array"})

    def test_of_memory_that_is_shared_is_right(self):
        memory = fresh()
        self.assertEqual(judge(lambda: Elsewhere(memory)), set())
        self.assertEqual(judge(Tensors), set())

    def test_of_places_that_come_in_turn_is_right(self):
        for n in 2, 3, 4, 5, 9, 10, 14, 15:
            places = itertools.cycle([fresh() for _ in range(n)])
            with self.subTest(n):
                self.assertEqual(judge(lambda: Elsewhere(next(places))), set())

    def test_that_nobody_may_write_or_read_or_delete_is_right(self):
        for make in ReadOnly, Empty, WithoutDeleter:
            with self.subTest(make.__name__):
                self.assertNotIn("dlpack/tensor-depends-on-array", judge(make))


if __name__ == "__main__":
    unittest.main()
