# SPDX-License-Identifier: Apache-2.0
"""The calls that the page of the CUDA Array Interface describes, of numba and of numba-cuda, take
what the package shows, and the package what they show. On the simulated driver."""

import unittest

import adicheck
import numpy
from numba import cuda

ROWS = [[1, 2, 3], [4, 5, 6]]


class Shows:
    """An object with that dictionary, and other entries of it."""

    def __init__(self, memory, **entries):
        self.memory = memory
        self.__cuda_array_interface__ = {**memory.__cuda_array_interface__, **entries}


def rows(**options):
    return adicheck.tensor(ROWS, "int32", device="cuda:0", **options)


class Takes(unittest.TestCase):
    def test_is_cuda_array(self):
        self.assertTrue(cuda.is_cuda_array(rows()))
        self.assertFalse(cuda.is_cuda_array(rows(protocols="dlpack")))

    def test_as_cuda_array(self):
        for strides in None, (1, 2), (-3, 1):
            for sync in True, False:
                taken = cuda.as_cuda_array(rows(strides=strides), sync=sync)
                if strides is None:
                    self.assertEqual(taken.copy_to_host().tolist(), ROWS)
                self.assertEqual((taken.shape, taken.dtype), ((2, 3), numpy.int32))
                self.assertEqual(adicheck.as_cuda_array(taken).to_pylist(), ROWS)

    def test_from_cuda_array_interface(self):
        x = rows()
        for owner in x, None:
            taken = cuda.from_cuda_array_interface(x.__cuda_array_interface__, owner=owner)
            self.assertEqual(taken.copy_to_host().tolist(), ROWS)

    def test_each_version(self):
        for version in 0, 1, 2, 3:
            x = adicheck.array([1, 2], "int32", device="cuda:0", cai_version=version)
            self.assertEqual(cuda.as_cuda_array(x).copy_to_host().tolist(), [1, 2])

    def test_a_stream_is_kept(self):
        taken = cuda.as_cuda_array(Shows(rows(), stream=2, version=3))
        handle = taken.stream.handle
        self.assertEqual(int(getattr(handle, "value", handle)), 2)

    def test_a_mask_is_refused(self):
        mask = adicheck.tensor([[True] * 3] * 2, "bool", device="cuda:0")
        with self.assertRaises(NotImplementedError):
            cuda.as_cuda_array(Shows(rows(), mask=mask))
        self.assertEqual(cuda.as_cuda_array(Shows(rows(), mask=None)).shape, (2, 3))

    def test_what_no_document_allows_is_numbas_exception(self):
        with self.assertRaises(Exception):
            cuda.as_cuda_array(Shows(rows(), typestr="<z4"))


def to_device(host):
    """What numba says of its own arrays is no stream, so that nobody waits for the copy."""
    given = cuda.to_device(host)
    cuda.synchronize()
    return given


class Gives(unittest.TestCase):
    def test_arrays(self):
        host = numpy.arange(12, dtype="int16").reshape(3, 4)
        for array in host, host[::2, 1:], host[:0]:
            given = to_device(numpy.ascontiguousarray(array))
            self.assertEqual(adicheck.as_cuda_array(given).to_pylist(), array.tolist())

    def test_the_memory_lives_as_long_as_who_reads_it(self):
        x = adicheck.as_cuda_array(to_device(numpy.arange(3)))
        self.assertEqual(x.to_pylist(), [0, 1, 2])

    def test_a_slice(self):
        given = to_device(numpy.arange(12).reshape(3, 4))[::2, 1:]
        self.assertEqual(adicheck.as_cuda_array(given).to_pylist(), [[1, 2, 3], [9, 10, 11]])


if __name__ == "__main__":
    unittest.main()
