# SPDX-License-Identifier: Apache-2.0
"""Data that goes with the object that has shown it; and that a note hides nothing behind it."""

import ctypes
import unittest

import adicheck
from support import within

PAD, ITEM = 16, 4  # items, and bytes each


class Tensor:
    """Data that is not where DLPack recommends it."""

    def __init__(self, dies=False, takes_streams=False):
        self.dies, self.takes_streams, self.at = dies, takes_streams, set()
        self.tensor = adicheck.tensor([0] * PAD + [1, 2, 3], "int32")

    def __del__(self):
        for at in self.at if self.dies else ():
            ctypes.memset(at, 0, 3 * ITEM)

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()

    def __dlpack__(self, *, stream=None, **keywords):
        if stream is not None and not self.takes_streams:
            raise BufferError("the CPU has no streams")
        capsule = self.tensor.__dlpack__(**keywords)
        described = within(capsule).tensor
        described.data += PAD * ITEM
        described.shape[0] = 3
        if keywords.get("copy") is not True:
            self.at.add(described.data)
        return capsule


class Array:
    """Buffers that are overwritten when the object goes."""

    def __init__(self, dies):
        self.array, self.dies, self.at = adicheck.array([1, 2, 3], "int32"), dies, set()
        self.me = self

    def __del__(self):
        for at in self.at if self.dies else ():
            ctypes.memset(at, 0, 3 * ITEM)

    def __arrow_c_array__(self, requested_schema=None):
        pair = self.array.__arrow_c_array__(requested_schema)
        self.at.add(within(pair[1]).buffers[1])
        return pair


def rules(found):
    return {finding.rule for finding in found if finding.verdict == "fail"}


class Outlived(unittest.TestCase):
    def judge(self, make, protocol="dlpack", **options):
        return adicheck.check_producer(make, protocols=protocol, expected=[1, 2, 3],
                                       devices="cpu", **options)

    def test_tensors_that_depend_on_their_array_are_found(self):
        for isolate in False, True:
            found = self.judge(lambda: Tensor(dies=True), isolate=isolate)
            self.assertEqual(rules(found), {"dlpack/tensor-depends-on-array"})

    def test_arrays_that_depend_on_their_object_are_found(self):
        self.assertEqual(rules(self.judge(lambda: Array(True), "arrow_c_array")),
                         {"array/data-differs"})
        self.assertEqual({*self.judge(lambda: Array(False), "arrow_c_array")}, set())

    def test_a_note_hides_nothing_and_is_none(self):
        found = self.judge(Tensor)
        self.assertEqual({finding.rule for finding in found}, {"dlpack/data-misaligned"})
        self.assertTrue(found.conformant)
        self.assertNotIn("skip", found.counts)

    def test_a_stream_of_the_cpu_is_asked_with(self):
        found = self.judge(lambda: Tensor(takes_streams=True))
        self.assertEqual(rules(found), {"dlpack/stream-accepted"})
        finding, = [one for one in found if one.verdict == "fail"]
        self.assertIn("stream 1", " ".join(finding.steps))


if __name__ == "__main__":
    unittest.main()
