# SPDX-License-Identifier: Apache-2.0
"""The PyCapsule interface, as producer and as consumer. The ids are those of its sentences."""

import gc
import unittest

import adicheck
from adicheck import _core
from support import Shows, call, name, on_thread, within


def arrays():
    return (adicheck.array([1, 2, 3], "int32"), adicheck.array([1, None], "int64", device="cuda:1"),
            adicheck.array([{"a": ["x"]}]))


class Exports(unittest.TestCase):
    def setUp(self):
        gc.collect()
        self.live = _core.live()

    def tearDown(self):
        gc.collect()
        self.assertEqual(_core.live(), self.live)

    def test_capsules_have_the_names_of_the_document(self):
        for array in arrays():  # PC-002, PC-008, PC-014
            self.assertEqual(name(array.__arrow_c_schema__()), "arrow_schema")
            pair = array.__arrow_c_device_array__()
            self.assertIsInstance(pair, tuple)
            self.assertEqual([name(c) for c in pair], ["arrow_schema", "arrow_device_array"])
        pair = arrays()[0].__arrow_c_array__()
        self.assertEqual([name(c) for c in pair], ["arrow_schema", "arrow_array"])
        stream = adicheck.stream([[1], [2]])  # PC-015, PC-016
        self.assertEqual(name(stream.__arrow_c_stream__()), "arrow_array_stream")
        self.assertEqual(name(stream.__arrow_c_device_stream__()), "arrow_device_array_stream")

    def test_an_unconsumed_capsule_releases_what_it_holds(self):
        for device in "cpu", "cuda:1":  # PC-004, PC-030, PC-031
            pair = adicheck.array([{"a": ["x"]}], device=device).__arrow_c_device_array__()
            gc.collect()
            self.assertEqual(_core.live(), self.live + 1)
            del pair
            gc.collect()
            self.assertEqual(_core.live(), self.live)

    def test_a_consumed_capsule_releases_nothing(self):
        for on in (call, on_thread):  # PC-005, PC-032: the consumer moves, and releases
            schema, array = adicheck.array([1, 2], "int32").__arrow_c_array__()
            taken = type(within(array)).from_buffer_copy(within(array))
            within(array).release = None
            del schema, array
            gc.collect()
            self.assertEqual(_core.live(), self.live + 1)
            self.assertEqual(taken.length, 2)
            on(taken.release, taken)
            self.assertEqual(_core.live(), self.live)
            self.assertIsNone(taken.release)

    def test_both_methods_show_the_same_memory(self):
        array = adicheck.array([1, 2, 3], "int32")  # PC-011, PC-027: nothing is copied
        _, host = array.__arrow_c_array__()
        _, device = array.__arrow_c_device_array__()
        other = within(device)
        self.assertEqual(within(host).buffers[1], other.array.buffers[1])
        self.assertEqual((other.device_type, other.device_id, other.sync_event), (1, -1, None))
        self.assertEqual(list(other.reserved), [0, 0, 0])

    def test_a_device_is_named(self):
        _, array = adicheck.array([1], device="cuda:1").__arrow_c_device_array__()
        self.assertEqual((within(array).device_type, within(array).device_id), (2, 1))
        self.assertIsNotNone(within(array).sync_event)

    def test_memory_of_a_device_is_copied_to_the_host(self):
        array = adicheck.array([1, 2], device="cuda:0", protocols=["arrow_c_array"])
        self.assertFalse(hasattr(array, "__arrow_c_device_array__"))  # PC-025, PC-026
        self.assertEqual(adicheck.from_arrow(array).to_pylist(), [1, 2])

    def test_the_device_method_alone_is_shown_of_devices(self):
        array = adicheck.array([1], device="cuda:0")  # PC-024
        self.assertFalse(hasattr(array, "__arrow_c_array__"))
        self.assertFalse(hasattr(adicheck.stream([array], device="cuda:0"), "__arrow_c_stream__"))

    def test_keywords_that_nobody_knows(self):
        array, stream = adicheck.array([1]), adicheck.stream([[1]])
        for method in array.__arrow_c_device_array__, stream.__arrow_c_device_stream__:
            method(None, future=None)  # PC-012, PC-028, PC-029
            method(requested_schema=None, future=None)
            with self.assertRaises(NotImplementedError):
                method(future=1)
        for method in array.__arrow_c_array__, stream.__arrow_c_stream__:
            with self.assertRaises(TypeError):
                method(future=None)
            with self.assertRaises(TypeError):
                method(None, None)
            with self.assertRaises(TypeError):
                method(None, requested_schema=None)

    def test_protocols_limit_what_is_shown(self):
        attributes = {"arrow_c_schema": "__arrow_c_schema__", "arrow_c_array": "__arrow_c_array__",
                      "arrow_c_device_array": "__arrow_c_device_array__", "dlpack": "__dlpack__",
                      "array_interface": "__array_interface__"}
        for protocol, attribute in attributes.items():
            array = adicheck.array([1, 2], protocols=[protocol])
            shown = [a for a in attributes.values() if hasattr(array, a)]
            self.assertEqual((shown, array.protocols), ([attribute], (protocol,)))
            self.assertTrue(hasattr(type(array), attribute))
            with self.assertRaises(TypeError):
                memoryview(array)
            self.assertIsInstance(array, adicheck.Array)
        array = adicheck.array([1], protocols="buffer")
        self.assertEqual(memoryview(array).tolist(), [1])
        self.assertEqual(adicheck.array([1], protocols=()).protocols, ())
        for wrong in (["x"], "x", [7]):
            with self.assertRaises(ValueError):
                adicheck.array([1], protocols=wrong)
        with self.assertRaises(TypeError):
            adicheck.array([1], protocols=7)


class Requests(unittest.TestCase):
    """PC-009, PC-017 to PC-020."""

    def ask(self, array, wanted):
        got = adicheck.from_arrow(array, adicheck.schema(wanted))
        return got.type.format, got.to_pylist()

    def test_another_representation_is_given(self):
        text = adicheck.array(["a", None, "b" * 20])
        for wanted in ("U", "vu", "c[u]", "+r(i! u)"):
            self.assertEqual(self.ask(text, wanted), (wanted.split("[")[0].split("(")[0],
                                                      ["a", None, "b" * 20]))
        self.assertEqual(self.ask(adicheck.array([1, 2]), "c"), ("c", [1, 2]))
        self.assertEqual(self.ask(adicheck.array([[1]]), "+vL(i)"), ("+vL", [[1]]))
        self.assertEqual(self.ask(adicheck.array(["a"], "c[u]"), "u"), ("u", ["a"]))

    def test_what_would_lose_something_is_given_as_it_is(self):
        self.assertEqual(self.ask(adicheck.array([300]), "c"), ("l", [300]))
        self.assertEqual(self.ask(adicheck.array([0.1]), "f"), ("g", [0.1]))
        self.assertEqual(self.ask(adicheck.array([1], device="cuda:0"), "c"), ("l", [1]))

    def test_what_the_data_cannot_be_is_refused(self):
        rows = adicheck.array([{"a": 1}])
        for array, wanted in ((rows, "+s(l l)"), (rows, "+s"), (rows, "l"),
                              (adicheck.array([1]), "u"),
                              (adicheck.array([1], device="cuda:0"), "u")):
            with self.subTest(wanted), self.assertRaises(ValueError):
                self.ask(array, wanted)

    def test_a_request_stays_the_callers(self):
        capsule = adicheck.schema("U").__arrow_c_schema__()
        for _ in range(2):
            schema, _ = adicheck.array(["a"]).__arrow_c_array__(capsule)
            self.assertEqual(within(schema).format, b"U")
        self.assertIsNotNone(within(capsule).release)

    def test_streams_take_requests(self):
        stream = adicheck.stream([["a"], ["b", None]])
        got = adicheck.from_arrow(stream, adicheck.schema("vu"))
        self.assertEqual((got.type.format, got.to_pylist()), ("vu", ["a", "b", None]))
        with self.assertRaises(ValueError):
            adicheck.from_arrow(stream, adicheck.schema("i"))
        got = adicheck.from_arrow(adicheck.stream([[300]]), adicheck.schema("c"))
        self.assertEqual(got.type.format, "l")

    def test_what_is_no_request_is_refused(self):
        array = adicheck.array([1])
        other, _ = array.__arrow_c_array__()
        used = adicheck.schema("i").__arrow_c_schema__()
        adicheck.schema(Shows(arrow_c_schema=lambda: used))
        for wrong in (7, "i", array.__arrow_c_array__()[1]):
            with self.assertRaises((TypeError, ValueError)):
                array.__arrow_c_array__(wrong)
        with self.assertRaises(ValueError):
            array.__arrow_c_array__(used)
        del other


class Imports(unittest.TestCase):
    def test_every_protocol_is_taken(self):
        for device in ("cpu", "cuda:1"):  # PC-023
            array = adicheck.array([1, None, 3], device=device)
            got = adicheck.from_arrow(array)
            self.assertEqual((got.device, got.to_pylist()), (device, [1, None, 3]))
            stream = adicheck.from_arrow(adicheck.stream([array, array], device=device))
            self.assertEqual((stream.device, stream.to_pylist()), (device, [1, None, 3] * 2))
        only = adicheck.array([1], protocols=["arrow_c_array"])
        self.assertEqual(adicheck.from_arrow(only).to_pylist(), [1])
        self.assertEqual(adicheck.from_arrow(adicheck.schema("i")), adicheck.schema("i"))

    def test_an_array_is_consumed_once(self):
        pair = adicheck.array([1]).__arrow_c_array__()  # PC-005, PC-007
        adicheck.from_arrow(Shows(arrow_c_array=lambda: pair))
        self.assertIsNone(within(pair[1]).release)
        self.assertIsNone(within(pair[0]).release)
        with self.assertRaises(ValueError):
            adicheck.from_arrow(Shows(arrow_c_array=lambda: pair))

    def test_a_stream_is_consumed_once(self):
        for method in "arrow_c_stream", "arrow_c_device_stream":
            capsule = getattr(adicheck.stream([[1]]), f"__{method}__")()
            shows = Shows(**{method: lambda: capsule})
            self.assertEqual(adicheck.from_arrow(shows).to_pylist(), [1])
            with self.assertRaises(ValueError):
                adicheck.from_arrow(shows)

    def test_streams_of_nothing(self):
        stream = adicheck.stream([], "+s(i)")
        self.assertEqual(adicheck.from_arrow(stream).to_pylist(), [])
        with self.assertRaises(ValueError):
            adicheck.stream([])

    def test_chunks_of_another_type_are_refused(self):
        with self.assertRaises(ValueError):
            adicheck.stream([adicheck.array([1]), adicheck.array(["a"])])

    def test_chunks_go_where_the_stream_is(self):
        stream = adicheck.stream([adicheck.array([1]), [2]], device="cuda:1")
        self.assertEqual([chunk.device for chunk in stream.chunks], ["cuda:1"] * 2)


if __name__ == "__main__":
    unittest.main()
