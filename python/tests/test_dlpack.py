# SPDX-License-Identifier: Apache-2.0
"""DLPack, as producer and as consumer. The ids are those of the sentences of its documents."""

import ctypes
import gc
import unittest

import adicheck
from adicheck import _core
from support import (IS_COPIED, READ_ONLY, Numbers, Versioned, call, consume_dlpack, name,
                     on_thread, within)

TYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
         "float32", "float64", "bool", "complex64", "complex128", "bfloat16"]


class Producer(unittest.TestCase):
    def test_a_capsule_has_the_name_of_its_version(self):
        x = adicheck.tensor([1, 2])
        for version, named, minor in (((1, 3), "dltensor_versioned", 3),
                                      ((1, 0), "dltensor_versioned", 0),
                                      ((1, 9), "dltensor_versioned", 3),
                                      ((2, 0), "dltensor_versioned", 3),
                                      ((0, 8), "dltensor", None), (None, "dltensor", None)):
            capsule = x.__dlpack__(max_version=version)  # DLP-09 to DLP-13, AAX-16
            self.assertEqual(name(capsule), named)
            if minor is not None:
                self.assertEqual((within(capsule).major, within(capsule).minor), (1, minor))

    def test_an_unconsumed_capsule_deletes_its_tensor(self):
        x = adicheck.array([1, 2], "int32")  # DLP-14, DLP-17
        live = _core.live()
        capsules = [x.__dlpack__(max_version=v) for v in (None, (1, 3))]
        del x
        gc.collect()
        self.assertEqual(_core.live(), live)
        del capsules
        gc.collect()
        self.assertEqual(_core.live(), live - 1)

    def test_a_consumed_capsule_deletes_nothing(self):
        gc.collect()
        live = _core.live()
        for version in None, (1, 3):
            for on in call, on_thread:  # DLP-15, DLP-16, DLP-21
                capsule = adicheck.array([7, 8], "int32").__dlpack__(max_version=version)
                managed = consume_dlpack(capsule)
                del capsule
                gc.collect()
                seen = ctypes.cast(managed.tensor.data + managed.tensor.byte_offset,
                                   ctypes.POINTER(ctypes.c_int32))
                self.assertEqual(seen[1], 8)
                on(managed.deleter, managed)
        self.assertEqual(_core.live(), live)

    def test_memory_is_shared_unless_a_copy_is_asked_for(self):
        x = adicheck.array([1, 2], "int32")  # DLP-01, DLP-07, AAX-22 to AAX-25, MAP-05
        pointers = {}
        for copy in None, False, True:
            managed = within(capsule := x.__dlpack__(max_version=(1, 3), copy=copy))
            pointers[copy] = managed.tensor.data
            self.assertEqual(managed.flags, IS_COPIED if copy else READ_ONLY)
            del capsule
        self.assertEqual(pointers[None], pointers[False])
        with self.assertRaises(BufferError):
            x.__dlpack__(copy=False)  # a layout that cannot say read-only
        t = adicheck.tensor([1, 2])
        self.assertEqual(within(t.__dlpack__(max_version=(1, 0))).flags, 0)
        self.assertEqual(name(t.__dlpack__(copy=False)), "dltensor")

    def test_arguments_that_make_no_sense_are_refused(self):
        x = adicheck.tensor([1])
        for wrong in ({"stream": 1}, {"stream": 0}, {"stream": -1}, {"stream": -2},
                      {"stream": -2**63}, {"max_version": (-1, 0)}, {"max_version": (2**40, 0)}):
            with self.subTest(wrong), self.assertRaises(ValueError):  # AAX-01, AAX-04
                x.__dlpack__(**wrong)
        for wrong in ({"stream": "1"}, {"max_version": 1}, {"max_version": [1, 0]}, {"copy": 1},
                      {"max_version": ("a", "b")}, {"dl_device": 1}, {"dl_device": (1,)},
                      {"dl_device": (1, None)}, {"future": None}):
            with self.subTest(wrong), self.assertRaises(TypeError):  # AAX-18
                x.__dlpack__(**wrong)
        with self.assertRaises(TypeError):
            x.__dlpack__(None)
        with self.assertRaises(OverflowError):
            x.__dlpack__(stream=2**70)
        for device in (4, 0), (2, 0), (1, 1), (99, 0):  # AAX-19
            with self.subTest(device), self.assertRaises(BufferError):
                x.__dlpack__(dl_device=device)

    def test_what_has_no_tensor_is_refused(self):
        for array in (adicheck.array([1, None], protocols="dlpack"),  # MAP-01, MAP-02, AAX-27
                      adicheck.array([True], protocols="dlpack"),
                      adicheck.array(["a"], protocols="dlpack"),
                      adicheck.array([{"a": 1}], protocols="dlpack")):
            with self.assertRaises(BufferError):
                array.__dlpack__(max_version=(1, 3))
            with self.assertRaises(BufferError):
                array.__dlpack_device__()
        self.assertFalse(hasattr(adicheck.array([1, None]), "__dlpack__"))

    def test_strides_and_offset_are_kept(self):
        x = adicheck.tensor([[1, 2, 3], [4, 5, 6]], "int16", strides=(-4, 1), byte_offset=64)
        tensor = within(capsule := x.__dlpack__(max_version=(1, 3))).tensor  # DLH-35, DLH-40
        self.assertEqual((tensor.shape[:2], tensor.strides[:2]), ([2, 3], [-4, 1]))
        self.assertEqual((tensor.byte_offset, tensor.data % 64), (64, 0))
        del capsule
        scalar = within(capsule := adicheck.tensor(5).__dlpack__(max_version=(1, 3))).tensor
        self.assertEqual(scalar.ndim, 0)
        empty = within(capsule := adicheck.tensor([[], []]).__dlpack__(max_version=(1, 3))).tensor
        self.assertEqual((empty.shape[:2], empty.data), ([2, 0], None))  # DLH-31

    def test_each_device_has_its_pair_of_numbers(self):
        for device, pair in (("cpu", (1, 0)), ("cuda:1", (2, 1)), ("cuda_host", (3, 0)),
                             ("cuda_managed", (13, 0)), ("opencl:1", (4, 1)), ("ext_dev", (12, 0))):
            for x in adicheck.array([1], device=device), adicheck.tensor([1], device=device):
                self.assertEqual(x.__dlpack_device__(), pair)  # AAD-01, MAP-04

    def test_streams_of_rocm(self):
        for device in "rocm:0", "rocm:1", "rocm_host":
            x = adicheck.array([1, 2], "int32", device=device)
            for stream in None, -1, 0:  # AAX-11
                x.__dlpack__(stream=stream, max_version=(1, 3))
            for stream in 1, 2:
                with self.assertRaises(ValueError):
                    x.__dlpack__(stream=stream)
            self.assertFalse(hasattr(x, "__cuda_array_interface__"))

    def test_streams_of_cuda(self):
        x = adicheck.tensor([1, 2], device="cuda:0")
        for stream in None, -1, 1, 2:  # AAX-06 to AAX-08
            self.assertEqual(within(x.__dlpack__(stream=stream, max_version=(1, 3))).flags, 0)
        with self.assertRaises(ValueError):
            x.__dlpack__(stream=0)  # AAX-10
        with self.assertRaises(ValueError):
            x.__dlpack__(stream=1, dl_device=(1, 0))  # AAX-14
        with self.assertRaises(BufferError):
            x.__dlpack__(dl_device=(1, 0), copy=False)  # AAX-21
        managed = within(capsule := x.__dlpack__(dl_device=(1, 0), max_version=(1, 3)))
        self.assertEqual((managed.flags, managed.tensor.device_type), (IS_COPIED, 1))  # AAX-20
        del capsule


class Consumer(unittest.TestCase):
    def test_every_type_is_carried(self):
        for device in "cpu", "cuda:0", "opencl:0":
            for dtype in TYPES:  # AAI-01
                x = adicheck.tensor([[1, 0], [0, 1]], dtype, strides=(3, 1), device=device)
                y = adicheck.from_dlpack(x)
                z = adicheck.from_dlpack(y, device="cpu", copy=True)
                self.assertEqual((y.device, z.device), (device, "cpu"))
                if "arrow_c_array" in z.protocols:
                    self.assertEqual(z.to_pylist(), [[1, 0], [0, 1]])

    def test_memory_is_shared(self):
        x = adicheck.tensor([1, 2], "int32")
        memoryview(adicheck.from_dlpack(x))[0] = 7  # DLP-03
        self.assertEqual(memoryview(x).tolist(), [7, 2])
        self.assertEqual(memoryview(adicheck.from_dlpack(x, copy=True)).tolist(), [7, 2])
        memoryview(adicheck.from_dlpack(x, copy=True))[0] = 8
        self.assertEqual(memoryview(x).tolist(), [7, 2])

    def test_a_tensor_is_deleted_once(self):
        for version in None, (1, 0), (1, 3):  # DLP-12, DLP-18
            x = Numbers(version=version)
            y = adicheck.from_dlpack(x)
            z = adicheck.from_dlpack(y)
            self.assertEqual((y.to_pylist(), x.deleted), ([1, 2, 3], 0))
            del y
            self.assertEqual((memoryview(z).tolist(), x.deleted), ([1, 2, 3], 0))
            del z
            self.assertEqual(x.deleted, 1)

    def test_a_null_deleter_is_not_called(self):
        for version in None, (1, 3):
            adicheck.from_dlpack(Numbers(version=version, deleter=None))  # DLH-45

    def test_asks_by_the_arguments_that_are_needed(self):
        x = Numbers()
        adicheck.from_dlpack(x)  # DLP-05, AAX-15: None is the only stream of a CPU
        self.assertEqual(x.asked, {"max_version": (1, 3)})
        adicheck.from_dlpack(x, copy=False, device=(1, 0))
        self.assertEqual(x.asked, {"max_version": (1, 3), "copy": False})
        cuda = adicheck.tensor([1], device="cuda:0")

        class Recording:
            def __dlpack_device__(self):
                return cuda.__dlpack_device__()

            def __dlpack__(self, **asked):
                self.asked = asked
                return cuda.__dlpack__(**asked)

        adicheck.from_dlpack(recording := Recording())
        self.assertEqual(recording.asked, {"max_version": (1, 3), "stream": 1})
        adicheck.from_dlpack(recording, device="cpu")
        self.assertEqual(recording.asked, {"max_version": (1, 3), "dl_device": (1, 0)})

    def test_producers_from_before_1_0(self):
        class Old(Numbers):
            def __dlpack__(self, stream=None):
                return super().__dlpack__(stream=stream)

        x = Old(version=None)  # AAX-29 to AAX-31
        self.assertEqual(adicheck.from_dlpack(x).to_pylist(), [1, 2, 3])
        copied = adicheck.from_dlpack(x, copy=True)
        self.assertEqual((copied.to_pylist(), x.deleted), ([1, 2, 3], 2))
        with self.assertRaises(BufferError):
            adicheck.from_dlpack(x, copy=False)
        self.assertEqual(x.deleted, 2)

    def test_read_only_stays_read_only(self):
        x = Numbers(flags=READ_ONLY)  # DLH-47, AAX-32
        y = adicheck.from_dlpack(x)
        self.assertTrue(memoryview(y).readonly)
        self.assertEqual(within(y.__dlpack__(max_version=(1, 3))).flags, READ_ONLY)
        self.assertFalse(memoryview(adicheck.from_dlpack(Numbers())).readonly)

    def test_strides_may_be_null_before_1_2(self):
        for version in None, (1, 0), (1, 1):  # DLH-36, DLH-39
            y = adicheck.from_dlpack(Numbers(version=version, strides=None))
            self.assertEqual(memoryview(y).tolist(), [1, 2, 3])
        for version in (1, 2), (1, 3):
            x = Numbers(version=version, strides=None)
            with self.assertRaises(ValueError):
                adicheck.from_dlpack(x)
            self.assertEqual(x.deleted, 1)

    def test_an_offset_counts(self):
        x = Numbers(byte_offset=4)
        x.shape[0] = 2
        self.assertEqual(memoryview(adicheck.from_dlpack(x)).tolist(), [2, 3])

    def test_another_major_version_is_only_deleted(self):
        x = Numbers(version=(2, 0), ndim=-7)  # DLH-03, DLH-04
        with self.assertRaises(BufferError):
            adicheck.from_dlpack(x)
        self.assertEqual(x.deleted, 1)

    def test_a_newer_minor_version_is_read(self):
        self.assertEqual(adicheck.from_dlpack(Numbers(version=(1, 99))).to_pylist(), [1, 2, 3])

    def test_a_device_that_is_not_here(self):
        for device in (17, 0), (2, 99), (99, 0), (10, 99):  # AAF-02, MAP-10
            x = Numbers()
            x.device = device
            with self.assertRaises(BufferError):
                adicheck.from_dlpack(x)
            self.assertIsNone(x.asked)
        with self.assertRaises(BufferError):
            adicheck.from_dlpack(Numbers(), device=(17, 0))
        self.assertEqual(ctypes.sizeof(Versioned), 80)


if __name__ == "__main__":
    unittest.main()
