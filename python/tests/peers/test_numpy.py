# SPDX-License-Identifier: Apache-2.0
"""NumPy takes what the package shows, by each protocol alone, and the package what NumPy shows."""

import unittest

import adicheck
import numpy

TYPES = ("int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bool complex64 "
         "complex128").split()
LAYOUTS = None, (1, 2), (-2, 1), (7, -3)


class Takes(unittest.TestCase):
    def check(self, protocol, take, types):
        for dtype in types:
            for strides in LAYOUTS:
                x = adicheck.tensor([[1, 0], [0, 1]], dtype, strides=strides, byte_offset=16,
                                    protocols=[protocol])
                with self.subTest(dtype, strides=strides):
                    taken = take(x)
                    del x
                    self.assertEqual(taken.dtype, dtype)
                    numpy.testing.assert_array_equal(taken, [[1, 0], [0, 1]])
                    self.assertTrue(taken.flags.writeable)

    def test_dlpack(self):
        self.check("dlpack", numpy.from_dlpack, TYPES)

    def test_the_array_interface(self):
        self.check("array_interface", numpy.asarray, TYPES)

    def test_buffers(self):
        self.check("buffer", numpy.asarray, [t for t in TYPES if not t.startswith("complex")])

    def test_what_is_read_only_stays_so(self):
        for protocol, take in (("dlpack", numpy.from_dlpack), ("array_interface", numpy.asarray),
                               ("buffer", numpy.asarray)):
            taken = take(adicheck.array([1, 2, 3], "int32", protocols=[protocol]))
            self.assertEqual((taken.tolist(), taken.flags.writeable), ([1, 2, 3], False))

    def test_memory_is_shared(self):
        x = adicheck.tensor([1, 2])
        for taken in numpy.from_dlpack(x), numpy.asarray(x):
            taken[0] += 1
        self.assertEqual(x.to_pylist(), [3, 2])

    def test_no_elements_and_no_dimensions(self):
        for data in [], [[], []], 5:
            x = adicheck.tensor(data, "float32")
            for taken in numpy.from_dlpack(x), numpy.asarray(x):
                self.assertEqual((taken.tolist(), taken.dtype), (data, numpy.float32))


class Shows(unittest.TestCase):
    def test_dlpack(self):
        base = numpy.arange(24, dtype="int16").reshape(4, 6)
        for array in base, base.T, base[::-1, ::2], base[1:2], base[:, 0], base[:0]:
            for copy in None, True:
                x = adicheck.from_dlpack(array, copy=copy)
                self.assertEqual(memoryview(x).tolist(), array.tolist())
                self.assertEqual(adicheck.array(x).to_pylist(), array.tolist())
        adicheck.from_dlpack(base).to_pylist()
        memoryview(adicheck.from_dlpack(base))[0, 0] = 99
        self.assertEqual(base[0, 0], 99)

    def test_what_is_read_only_stays_so(self):
        array = numpy.arange(3)
        array.flags.writeable = False
        self.assertTrue(memoryview(adicheck.from_dlpack(array)).readonly)

    def test_what_has_no_tensor_is_numpys_exception(self):
        for array in numpy.array(["a"]), numpy.array([object()]), numpy.zeros(2, ">i4"):
            with self.assertRaises(BufferError):
                adicheck.from_dlpack(array)


if __name__ == "__main__":
    unittest.main()
