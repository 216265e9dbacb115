# SPDX-License-Identifier: Apache-2.0
"""The CUDA Array Interface, as producer and as consumer. The ids are those of its sentences."""

import gc
import subprocess
import sys
import unittest

import adicheck
from adicheck import _core
from adicheck._apart import in_child
from support import Shows, within


def description(x, **changes):
    return {**x.__cuda_array_interface__, **changes}


class Producer(unittest.TestCase):
    def test_each_version_has_its_entries(self):
        for version in 0, 1, 2, 3:  # CAI2-01 to CAI2-10, CAI3-01
            x = adicheck.array([1, 2], "int32", device="cuda:0", cai_version=version)
            said = x.__cuda_array_interface__
            self.assertIs(type(said), dict)
            self.assertEqual((said["version"], said["shape"], said["typestr"]),
                             (version, (2,), "<i4"))
            self.assertEqual([type(part) for part in said["data"]], [int, bool])
            self.assertEqual(said.get("stream"), 1 if version == 3 else None)
            self.assertNotIn("mask", said)
        for version in -1, 4, None:
            with self.assertRaises(ValueError):
                adicheck.array([1], device="cuda:0", cai_version=version)

    def test_tensors_have_strides_in_bytes(self):
        x = adicheck.tensor([[1, 2], [3, 4]], "complex64", strides=(1, 2), device="cuda:1")
        said = x.__cuda_array_interface__  # CAI2-12
        self.assertEqual((said["strides"], said["typestr"], said["data"][1]),
                         ((8, 16), "<c8", False))

    def test_read_only_is_said_by_both(self):
        array = adicheck.array([1, 2], "int32", device="cuda:0")  # CAI2-08, MAP-18
        tensor = adicheck.tensor([1, 2], "int32", device="cuda:0")
        for x, read_only in (array, True), (tensor, False), \
                (adicheck.from_dlpack(array), True), (adicheck.from_dlpack(tensor), False):
            self.assertIs(x.__cuda_array_interface__["data"][1], read_only)
            flags = within(x.__dlpack__(max_version=(1, 3))).flags
            self.assertEqual(flags & 1, int(read_only))
        # An array of Arrow is for reading, whatever it was made of.
        for x in array, tensor:
            taken = adicheck.as_cuda_array(x)
            self.assertIs(taken.__cuda_array_interface__["data"][1], True)
            self.assertEqual(within(taken.__dlpack__(max_version=(1, 3))).flags & 1, 1)

    def test_zero_size_is_a_pointer_of_0(self):
        for x in (adicheck.array([], "int32", device="cuda:0"),  # CAI2-07, MAP-17
                  adicheck.tensor([[], []], "int32", device="cuda:0")):
            self.assertEqual(x.__cuda_array_interface__["data"][0], 0)

    def test_types_beyond_those_of_dlpack(self):
        for type, values, text in (("b", [True, False], "|b1"), ("w:3", [b"abc"], "|V3"),
                                   ("tsn:", [1], "<M8[ns]")):
            x = adicheck.array(values, type, device="cuda:0")
            self.assertEqual(x.__cuda_array_interface__["typestr"], text)
        for x in (adicheck.array(["a"], device="cuda:0"),
                  adicheck.array([1, None], device="cuda:0"),
                  adicheck.array([1]), adicheck.tensor([1], "bfloat16", device="cuda:0")):
            self.assertFalse(hasattr(x, "__cuda_array_interface__"))
        for x in (adicheck.array(["a"], device="cuda:0", protocols=["cuda_array_interface"]),
                  adicheck.array([1], protocols=["cuda_array_interface"])):
            with self.assertRaises(AttributeError):
                x.__cuda_array_interface__

    def test_the_dictionary_keeps_nothing(self):
        x = adicheck.array([1], device="cuda:0")  # CAI2-17
        live, references = _core.live(), sys.getrefcount(x)
        said = x.__cuda_array_interface__
        self.assertEqual(sys.getrefcount(x), references)
        self.assertEqual(said, x.__cuda_array_interface__)
        del x
        gc.collect()
        self.assertEqual(_core.live(), live - 1)


class Consumer(unittest.TestCase):
    def test_what_is_taken(self):
        for device in "cuda:0", "cuda:1", "cuda_managed", "cuda_host":  # MAP-12
            for version in 0, 1, 2, 3:
                x = adicheck.array([1, 2, 3], "int32", device=device, cai_version=version)
                y = adicheck.as_cuda_array(x)
                self.assertEqual((y.device, y.to_pylist()), (x.device, [1, 2, 3]))
        for x, wanted in (
                (adicheck.tensor([[1, 2], [3, 4]], "int16", device="cuda:0"), [[1, 2], [3, 4]]),
                (adicheck.tensor([1, 2], strides=(-2,), device="cuda:0"), [1, 2]),
                (adicheck.tensor([True, False], device="cuda:0"), [True, False]),
                (adicheck.tensor(5, device="cuda:1"), [5]),
                (adicheck.tensor([], "int32", device="cuda:0"), [])):
            self.assertEqual(adicheck.as_cuda_array(x).to_pylist(), wanted)

    def test_an_owner_lives_as_long_as_the_memory(self):
        class Owner:
            pass

        x = adicheck.array([1, 2], "int32", device="cuda:0")  # CAI2-18, CAI2-19
        owner = Owner()
        references = sys.getrefcount(owner)
        y = adicheck.from_cuda_array_interface(description(x), owner)
        self.assertEqual(sys.getrefcount(owner), references + 1)
        exported = y.__arrow_c_device_array__()
        del y
        self.assertEqual(sys.getrefcount(owner), references + 1)
        del exported
        self.assertEqual(sys.getrefcount(owner), references)
        y = adicheck.from_cuda_array_interface(description(x))
        self.assertEqual(y.to_pylist(), [1, 2])

    def test_as_cuda_array_keeps_its_object(self):
        x = adicheck.array([1, 2], "int32", device="cuda:0")
        live = _core.live()
        y = adicheck.as_cuda_array(x)
        del x
        gc.collect()
        self.assertEqual((y.to_pylist(), _core.live()), ([1, 2], live + 1))
        del y
        gc.collect()
        self.assertEqual(_core.live(), live - 1)

    def test_the_stream_is_waited_for(self):
        x = adicheck.array([1, 2], "int32", device="cuda:0")  # CAI3-02, MAP-16
        for sync, has_event in (True, True), (False, False):
            y = adicheck.as_cuda_array(x, sync)
            _, array = y.__arrow_c_device_array__()
            self.assertEqual(within(array).sync_event is not None, has_event)
        y = adicheck.from_cuda_array_interface(description(x, stream=None), x)
        _, array = y.__arrow_c_device_array__()
        self.assertIsNone(within(array).sync_event)

    def test_strides_may_be_left_out(self):
        x = adicheck.array([1, 2], "int32", device="cuda:0")  # CAI2-11
        said = description(x)
        del said["strides"]
        self.assertEqual(adicheck.from_cuda_array_interface(said, x).to_pylist(), [1, 2])

    def test_masks_are_refused(self):
        x = adicheck.array([1, 2], "int32", device="cuda:0")  # CAI2-15, CAI3-25, MAP-14
        with self.assertRaises(NotImplementedError):
            adicheck.from_cuda_array_interface(description(x, mask=x), x)
        self.assertEqual(
            adicheck.from_cuda_array_interface(description(x, mask=None), x).to_pylist(), [1, 2])

    def test_what_has_no_interface(self):
        for x in object(), adicheck.array([1]):
            with self.assertRaises(TypeError):
                adicheck.as_cuda_array(x)


class Wrong(unittest.TestCase):
    def setUp(self):
        self.x = adicheck.array([1, 2], "int32", device="cuda:0")
        self.references = sys.getrefcount(self.x)

    def refuse(self, said, *classes):
        with self.assertRaises(classes):
            adicheck.from_cuda_array_interface(said, self.x)
        self.assertEqual(sys.getrefcount(self.x), self.references)

    def test_mandatory_entries_that_are_missing(self):
        for key in "shape", "typestr", "data", "version":
            said = description(self.x)
            del said[key]
            self.refuse(said, ValueError)
            self.refuse({**said, key: None}, ValueError)
        self.refuse({}, ValueError)
        for what in None, [], "dict", 7:
            self.refuse(what, TypeError)

    def test_entries_of_other_types(self):
        for entry in ({"shape": [2]}, {"shape": 2}, {"shape": ("2",)}, {"shape": (2.0,)},
                      {"typestr": b"<i4"}, {"typestr": 4}, {"data": [1, True]}, {"data": (1,)},
                      {"data": (1, 0)}, {"data": ("1", True)}, {"data": (None, True)},
                      {"version": "3"}, {"version": 3.0}, {"strides": [4]}, {"strides": ("4",)},
                      {"stream": "1"}, {"descr": ()}, {"descr": [("", 4)]}, {"descr": [("",)]},
                      {"descr": [(1, "<i4")]}, {"descr": [["", "<i4"]]},
                      {"descr": [("", "<i4", 2)]}):
            with self.subTest(entry):
                self.refuse(description(self.x, **entry), TypeError)

    def test_entries_that_make_no_sense(self):
        for entry in ({"shape": (-1,)}, {"shape": (2**63,)}, {"shape": (2**62, 4)},
                      {"shape": (2**61,)}, {"shape": (2,) * 65}, {"typestr": "i4"}, {"typestr": ""},
                      {"typestr": "<i0"}, {"typestr": "|i4"}, {"data": (-1, True)},
                      {"data": (2**64, True)}, {"version": -1}, {"version": 2**70},
                      {"strides": (4, 4)}, {"strides": (2**62,)}, {"stream": 0}, {"stream": -1},
                      {"descr": [("", "<i8")]}, {"typestr": "\0"}, {"typestr": "<i4\ud800"}):
            with self.subTest(entry):
                self.refuse(description(self.x, **entry), ValueError, NotImplementedError)

    def test_memory_that_is_not_there(self):
        for entry in ({"data": (8, True)}, {"data": (id(self.x), True)}, {"data": (0, True)},
                      {"shape": (2**40,)}, {"strides": (2**40,)}, {"strides": (-2**40,)}):
            with self.subTest(entry):
                self.refuse(description(self.x, **entry), ValueError)

    def test_what_arrow_lacks(self):
        for entry in {"typestr": "<c8", "shape": (1,)}, {"version": 4}:
            self.refuse(description(self.x, **entry), NotImplementedError)

    def test_structured_types(self):
        said = description(self.x, typestr="|V8", shape=(1,),
                           descr=[("a", "<i4"), (("title", "b"), [("c", "<i2", (2,))])])
        self.refuse(said, NotImplementedError)
        deep = [("", "<i4")]
        for _ in range(100):
            deep = [("a", deep)]
        self.refuse(description(self.x, descr=deep), NotImplementedError, ValueError)
        loop = []
        loop.append(("a", loop))
        self.refuse(description(self.x, descr=loop), NotImplementedError, ValueError)

    def test_arguments_that_are_not_taken(self):
        for call in (lambda: adicheck.from_cuda_array_interface(),
                     lambda: adicheck.as_cuda_array(),
                     lambda: adicheck.as_cuda_array(self.x, other=1)):
            with self.assertRaises(TypeError):
                call()

        class Raises:
            @property
            def __cuda_array_interface__(self):
                raise MemoryError

            def __bool__(self):
                raise KeyError

        with self.assertRaises(MemoryError):
            adicheck.as_cuda_array(Raises())
        with self.assertRaises(KeyError):
            adicheck.as_cuda_array(self.x, Raises())
        self.assertIsInstance(Shows(cuda_array_interface={}), Shows)


JUDGED = """
import adicheck
{before}
try:
    found = adicheck.check_consumer(adicheck.from_dlpack, protocols="dlpack", devices="cuda:0",
                                    cases="int32/many/consume-dlpack", isolate=True)
    print(found.conformant, *found.counts)
except RuntimeError as error:
    print(error)
"""
FRESH = "cuda:0 cannot be used in a process .*: judge in a fresh process, or without isolate"


class Forked(unittest.TestCase):
    """A process that has used CUDA cannot be forked to use it once more."""

    def test_is_told_what_to_do(self):
        x = adicheck.array([1, 2], "int32", device="cuda:0")
        with self.assertRaisesRegex(RuntimeError, "forked from one that has used CUDA"):
            in_child(x.to_pylist, None)
        for options in {}, {"devices": "cpu"}:
            with self.assertRaisesRegex(RuntimeError, "without isolate"):
                adicheck.check_producer(lambda: x, isolate=True, **options)
        self.assertEqual(x.to_pylist(), [1, 2])

    # To see what is there is to use it: no process that is made afterwards can.
    def test_is_told_so_where_it_was_only_looked_for(self):
        takes = "adicheck.check_consumer(adicheck.from_arrow, protocols='arrow_c_array')"
        makes = "adicheck.check_producer(lambda: adicheck.array([1]), protocols='arrow_c_array')"
        for before, said in (("pass", "True pass\n"), (takes, "True pass\n"),
                             ("adicheck.devices()", FRESH), (makes, FRESH)):
            with self.subTest(before):
                program = JUDGED.format(before=before)
                done = subprocess.run([sys.executable, "-c", program], capture_output=True,
                                      text=True)
                self.assertRegex(done.stdout, said, done.stderr)


if __name__ == "__main__":
    unittest.main()
