# SPDX-License-Identifier: Apache-2.0
"""Memory of the host: the buffer protocol and the array interface. The ids are those of their
documents' sentences."""

import ctypes
import struct
import unittest
from ctypes import POINTER, byref, c_int, c_ssize_t, c_void_p, py_object, pythonapi

import adicheck

SIMPLE, WRITABLE, FORMAT, ND, STRIDES = 0, 1, 4, 8, 0x18
C_CONTIGUOUS, F_CONTIGUOUS, ANY_CONTIGUOUS, INDIRECT = 0x38, 0x58, 0x98, 0x118


class Py_buffer(ctypes.Structure):
    _fields_ = [("buf", c_void_p), ("obj", py_object), ("len", c_ssize_t), ("itemsize", c_ssize_t),
                ("readonly", c_int), ("ndim", c_int), ("format", ctypes.c_char_p),
                ("shape", POINTER(c_ssize_t)), ("strides", POINTER(c_ssize_t)),
                ("suboffsets", POINTER(c_ssize_t)), ("internal", c_void_p)]


pythonapi.PyObject_GetBuffer.argtypes = [py_object, POINTER(Py_buffer), c_int]
pythonapi.PyBuffer_Release.argtypes = [POINTER(Py_buffer)]


class Buffers(unittest.TestCase):
    def get(self, array, flags):
        view = Py_buffer()
        pythonapi.PyObject_GetBuffer(array, byref(view), flags)
        self.addCleanup(pythonapi.PyBuffer_Release, byref(view))
        return view

    def test_formats_are_those_of_struct(self):
        for dtype in "int8 uint16 int32 uint64 float16 float32 float64 bool".split():
            view = memoryview(adicheck.tensor([1, 0, 1], dtype))
            self.assertEqual(struct.calcsize(view.format), view.itemsize)  # BUF-06
            self.assertEqual(struct.unpack(f"=3{view.format}", view.tobytes()), (1, 0, 1))
        for dtype in "complex64", "bfloat16":
            x = adicheck.tensor([1], dtype, protocols=["buffer"])
            with self.assertRaises(BufferError):
                memoryview(x)
            self.assertNotIn("buffer", adicheck.tensor([1], dtype).protocols)

    def test_what_is_asked_for_is_filled_in(self):
        x = adicheck.tensor([[1, 2, 3], [4, 5, 6]], "int16")
        for flags in SIMPLE, WRITABLE, FORMAT, ND, STRIDES, INDIRECT, C_CONTIGUOUS:
            view = self.get(x, flags)  # BUF-17, BUF-20
            self.assertEqual((view.len, view.itemsize, view.ndim), (12, 2, 2))
            self.assertIs(view.obj, x)
            self.assertEqual(view.format, b"h" if flags & FORMAT else None)
            self.assertEqual(bool(view.shape), flags & ND != 0)
            self.assertEqual(bool(view.strides), flags & STRIDES == STRIDES)
            self.assertFalse(view.suboffsets)  # BUF-15
        self.assertEqual(self.get(x, STRIDES).strides[:2], [6, 2])

    def test_a_layout_that_was_not_asked_for_is_refused(self):
        fortran = adicheck.tensor([[1, 2], [3, 4]], "int16", strides=(1, 2))
        gaps = adicheck.tensor([[1, 2], [3, 4]], "int16", strides=(5, 2))
        for array, flags in ((fortran, SIMPLE), (fortran, ND), (fortran, C_CONTIGUOUS),
                             (gaps, F_CONTIGUOUS), (gaps, ANY_CONTIGUOUS), (gaps, SIMPLE),
                             (adicheck.tensor([[1, 2], [3, 4]]), F_CONTIGUOUS)):
            with self.assertRaises(BufferError):  # BUF-21, BUF-23
                self.get(array, flags)
        self.get(fortran, F_CONTIGUOUS)
        self.get(fortran, ANY_CONTIGUOUS)
        self.assertEqual(memoryview(gaps).tolist(), [[1, 2], [3, 4]])
        self.assertEqual(self.get(gaps, STRIDES).len, 8)  # BUF-04

    def test_strides_may_be_negative_or_zero(self):
        x = adicheck.tensor([1, 2, 3], "int32", strides=(-2,))  # BUF-02, BUF-14
        self.assertEqual(memoryview(x).tolist(), [1, 2, 3])
        self.assertEqual(memoryview(x).strides, (-8,))
        x = adicheck.tensor([[7], [7]], "int32", strides=(0, 1))
        self.assertEqual(memoryview(x).tolist(), [[7], [7]])

    def test_no_dimensions_and_no_elements(self):
        view = self.get(adicheck.tensor(5, "int64"), INDIRECT | FORMAT)  # BUF-09
        self.assertEqual((view.ndim, view.len), (0, 8))
        self.assertFalse(view.shape or view.strides or view.suboffsets)
        view = self.get(adicheck.tensor([[], []]), STRIDES)
        self.assertEqual((view.len, view.shape[:2]), (0, [2, 0]))
        self.assertEqual(bytes(adicheck.tensor([])), b"")

    def test_what_is_shared_is_read_only(self):
        x = adicheck.array([1, 2])  # BUF-18, BUF-19
        self.assertEqual(self.get(x, STRIDES).readonly, 1)
        with self.assertRaises(BufferError):
            self.get(x, WRITABLE)
        self.assertEqual(self.get(x, SIMPLE).readonly, 1)
        self.assertEqual(self.get(adicheck.tensor([1]), SIMPLE).readonly, 0)

    def test_memory_outlives_its_object(self):
        view = memoryview(adicheck.array([1, 2], "int32"))
        self.assertEqual(view.tolist(), [1, 2])

    def test_other_devices_have_none(self):
        x = adicheck.array([1], device="cuda:0", protocols=["buffer", "array_interface"])
        with self.assertRaises(BufferError):
            memoryview(x)
        self.assertFalse(hasattr(x, "__array_interface__"))


class Interface(unittest.TestCase):
    def test_the_dictionary_describes_the_array(self):
        x = adicheck.array([1, 2, 3], "int32")  # NPI-02 to NPI-09
        view = x.__array_interface__
        self.assertEqual(set(view), {"shape", "typestr", "data", "strides", "version"})
        self.assertEqual((view["shape"], view["typestr"], view["strides"], view["version"]),
                         ((3,), "<i4", None, 3))
        self.assertIs(view["data"][1], True)
        at = ctypes.cast(view["data"][0], POINTER(ctypes.c_int32))
        self.assertEqual(at[:3], [1, 2, 3])

    def test_the_pointer_is_that_of_the_first_element(self):
        x = adicheck.tensor([1, 2, 3], "float64", strides=(-1,))  # NPI-06
        view = x.__array_interface__
        self.assertEqual((view["strides"], view["data"][1]), ((-8,), False))
        self.assertEqual(ctypes.cast(view["data"][0], POINTER(ctypes.c_double))[0], 1.0)

    def test_each_type_has_its_type_string(self):
        for dtype, text in (("int8", "|i1"), ("uint64", "<u8"), ("float16", "<f2"), ("bool", "|b1"),
                            ("complex64", "<c8"), ("complex128", "<c16")):
            self.assertEqual(adicheck.tensor([1], dtype).__array_interface__["typestr"], text)
        x = adicheck.tensor([1], "bfloat16", protocols=["array_interface"])  # MAP-19
        self.assertFalse(hasattr(x, "__array_interface__"))


if __name__ == "__main__":
    unittest.main()
