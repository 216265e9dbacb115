# SPDX-License-Identifier: Apache-2.0
"""Memory of a device that goes only when the collector of cycles comes."""

import ctypes
import unittest

import adicheck
from adicheck import check_producer
from support import DELETER, within

CUDA = "cuda:0" in adicheck.devices()
PROTOCOLS = "dlpack", "arrow_c_device_array", "arrow_c_device_stream"
kept = []


class Held:
    """Shows what an array shows, and holds it in a cycle."""

    def __init__(self, array):
        self._array, self._itself = array, self

    def __getattr__(self, name):
        if name.startswith("__"):
            return getattr(self._array, name)
        raise AttributeError(name)


def array(protocol):
    made = adicheck.array([1, 2, 3], "int32", device="cuda:0")
    return adicheck.stream([made], device="cuda:0") if protocol.endswith("stream") else made


class Late:
    """Whose tensors end in a cycle when they are deleted."""

    deleters = {}

    def __init__(self):
        self.array = array("dlpack")

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **arguments):
        made = self.array.__dlpack__(**arguments)
        managed = within(made)
        self.deleters[ctypes.addressof(managed)] = managed.deleter, Held(self.array)
        managed.deleter = ctypes.cast(delete, ctypes.c_void_p).value
        return made


@DELETER
def delete(at):
    deleter, _ = Late.deleters.pop(at)
    DELETER(deleter)(at)


class Keeps(Late):
    def __dlpack__(self, **arguments):
        kept.append(array("dlpack"))
        return self.array.__dlpack__(**arguments)


@unittest.skipUnless(CUDA, "there is no device of CUDA")
class MemoryOfADevice(unittest.TestCase):
    def test_that_is_in_a_cycle_is_not_lost(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol):
                found = check_producer(lambda: Held(array(protocol)), protocols=protocol)
                self.assertEqual([one for one in found if one.verdict == "fail"], [])
                self.assertGreater(found.counts["pass"], 5)
        found = check_producer(Late, protocols="dlpack")
        self.assertEqual([one for one in found if one.verdict == "fail"], [])

    def test_that_is_kept_is_lost(self):
        found = check_producer(Keeps, protocols="dlpack")
        self.assertEqual({one.rule for one in found if one.verdict == "fail"},
                         {"dlpack/memory-leaked"})
        kept.clear()


if __name__ == "__main__":
    unittest.main()
