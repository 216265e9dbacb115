# SPDX-License-Identifier: Apache-2.0
"""Values go into arrays of every type, on every device, and come out again."""

import itertools
import unittest

import adicheck

VALUES = [
    ("n", [None, None]),
    ("b", [True, None, False] * 7),
    ("c", [-128, None, 127]), ("C", [0, 255]), ("s", [-1]), ("S", [65535]),
    ("int32", [1, None, -3]), ("I", [2**32 - 1]), ("int64", [-2**63]), ("L", [2**64 - 1]),
    ("e", [0.5, None, -2.0]), ("float32", [1.5]), ("float64", [1e300, None]),
    ("d:9,2,32", [-1, None]), ("d:18,3,64", [10**17]), ("d:38,10", [1, None, -10**37]),
    ("d:76,20,256", [10**70]),
    ("z", [b"", None, b"\0a"]), ("Z", [b"abc"]), ("utf8", ["", None, "h\u00e9"]), ("U", ["x" * 40]),
    ("vz", [b"short", None, b"more than twelve bytes"]), ("vu", ["a" * 12, "b" * 13, ""]),
    ("w:3", [b"abc", None]), ("w:0", [b"", b""]),
    ("date32", [1, None]), ("tts", [1]), ("ttn", [1]), ("tsu:UTC", [2**40]), ("tDs", [-1]),
    ("tiM", [1]), ("tiD", [(1, -2), None]), ("tin", [(1, 2, 2**40)]),
    ("+l(u)", [["a", None], None, []]), ("+L(i)", [[1], [2, 3]]), ("+vl(u)", [["x"], None, []]),
    ("+vL(l)", [[1, 2]]), ("+w:2(i)", [[1, 2], None, [3, None]]), ("+w:0(i)", [[], []]),
    ("+s(i u)", [{"f0": 1, "f1": None}, None]), ("+s", [{}, {}]),
    ("+m(+s!(u! i))", [[("a", 1), ("b", None)], None, []]),
    ("+ud:0,1(i u)", [(0, 1), (1, "z"), (0, None)]), ("+us:4,5(i u)", [(4, 1), (5, "z")]),
    ("+r(i! g)", [1.0, 1.0, None, 2.0]), ("+r(s! b)", []),
    ("c[u]", ["a", None, "b", "a"]), ("l[+l(i)]", [[1], [2], [1]]),
    ("+l(+s(i +l(u)))", [[{"f0": 1, "f1": ["a"]}], None]),
    ("w:16{arrow.uuid=}", [bytes(range(16))]),
]

DEVICES = [device for device in adicheck.devices() if not device.startswith("vpi")]


class Values(unittest.TestCase):
    def test_every_type_comes_out_as_it_went_in(self):
        for type, values in VALUES:
            with self.subTest(type):
                self.assertEqual(adicheck.array(values, type).to_pylist(), values)
                self.assertEqual(adicheck.array([], type).to_pylist(), [])

    def test_every_device_has_every_type(self):
        self.assertIn("cuda:1", DEVICES)
        for device in DEVICES:
            for type, values in VALUES:
                with self.subTest(type, device=device):
                    array = adicheck.array(values, type, device=device)
                    self.assertEqual((array.device, array.to_pylist()), (device, values))

    def test_types_are_guessed(self):
        for values, format in (([1], "l"), ([2**63], "L"), ([1, 0.5], "g"), ([True], "b"),
                               (["a", None], "u"), ([b""], "z"), ([None], "n"), ([[1]], "+l"),
                               ([{"a": 1}], "+s")):
            self.assertEqual(adicheck.array(values).type.format, format)
        rows = [{"a": 1, "b": [None, "x"]}, {"a": None, "b": None}]
        array = adicheck.array(rows)
        self.assertEqual([child.name for child in array.type.children], ["a", "b"])
        self.assertEqual(array.to_pylist(), rows)

    def test_what_has_no_one_type_is_refused(self):
        for values in ([1, "a"], [1j], "abc", b"abc", 7, [[1], 2]):
            with self.subTest(values), self.assertRaises(TypeError):
                adicheck.array(values)

    def test_values_that_a_type_has_not_are_refused(self):
        for type, values in (("c", [128]), ("w:2", [b"abc"]), ("+w:2(i)", [[1]]), ("i!", [None]),
                             ("+s(i)", [{"f9": 1}]), ("+s(i)", [(1, 2)]), ("n", [1]),
                             ("+ud:0,1(i u)", [(7, 1)]), ("d:9,2,32", [2**40])):
            with self.subTest(type), self.assertRaises(ValueError):
                adicheck.array(values, type)

    def test_values_that_are_too_large_are_no_other_error_than_others(self):
        for make, values, type, error in (
                (adicheck.array, [300], "int8", ValueError),
                (adicheck.array, [2**80], "int64", ValueError),
                (adicheck.array, [1e300], "float32", ValueError),
                (adicheck.array, [1.5], "int32", TypeError),
                (adicheck.array, ["1"], "int32", TypeError),
                (adicheck.array, ["1"], "float64", TypeError),
                (adicheck.array, [1.5], "d:9,2,32", TypeError),
                (adicheck.tensor, [300], "int8", ValueError),
                (adicheck.tensor, [1.5], "int32", TypeError),
                (adicheck.tensor, [1e300], "bfloat16", ValueError)):
            with self.subTest(values, type=type), self.assertRaises(error):
                make(values, type)

    def test_values_of_other_types_are_no_other_error_than_others(self):
        for types, values in ((("utf8", "large_utf8", "utf8_view", "c[u]", "+r(i! u)"),
                               (1, b"a", {"a": 1}, [1])),
                              (("+l(u)",), (1, b"a", [1])),
                              (("binary", "large_binary", "binary_view"), ("a", [1], {"a": 1}))):
            for type, value in itertools.product(types, values):
                with self.subTest(type, value=value), self.assertRaises(TypeError):
                    adicheck.array([value], type)

    def test_values_that_are_nested_too_deep_are_refused(self):
        deep = 1
        for _ in range(3000):
            deep = [deep]
        for make in adicheck.array, adicheck.tensor:
            with self.assertRaisesRegex(ValueError, "too deep"):
                make(deep)
        text = "+l(" * 3000 + "i" + ")" * 3000
        with self.assertRaisesRegex(ValueError, "deeper than 64 levels"):
            adicheck.schema(text)
        self.assertEqual(adicheck.schema(f"i{{a={'(' * 3000}}}").format, "i")

    def test_what_is_requested_is_a_type(self):
        x = adicheck.array([1])
        self.assertEqual(adicheck.from_arrow(x, x.type).to_pylist(), [1])
        for requested in 5, "int32":
            with self.assertRaisesRegex(TypeError, "requested_schema"):
                adicheck.from_arrow(x, requested)

    def test_an_object_is_copied_to_a_device(self):
        there = adicheck.array(adicheck.array(["a", None]), device="cuda:0")
        self.assertEqual((there.device, there.to_pylist()), ("cuda:0", ["a", None]))
        tensor = adicheck.tensor([[1, 2], [3, 4]], "int16", protocols=["dlpack"])
        self.assertEqual(adicheck.array(tensor).to_pylist(), [[1, 2], [3, 4]])


class Types(unittest.TestCase):
    def test_a_text_is_a_schema(self):
        schema = adicheck.schema("+s(i! u +m~(+s!(u! c~[u])) w:16{arrow.uuid=x})")
        number, text, map, extension = schema.children
        self.assertEqual((number.format, number.flags, number.name), ("i", 0, "f0"))
        self.assertEqual((text.format, text.flags), ("u", 2))
        self.assertEqual(map.flags, 2 | 4)
        self.assertEqual([child.name for child in map.children[0].children], ["key", "value"])
        index = map.children[0].children[1]
        self.assertEqual((index.format, index.flags, index.dictionary.format), ("c", 3, "u"))
        self.assertEqual(extension.metadata, {b"ARROW:extension:name": b"arrow.uuid",
                                              b"ARROW:extension:metadata": b"x"})

    def test_schemas_compare(self):
        self.assertEqual(adicheck.schema("+l(i)"), adicheck.schema("+l(int32)"))
        self.assertNotEqual(adicheck.schema("+l(i)"), adicheck.schema("+l(i!)"))
        self.assertEqual(adicheck.schema(adicheck.schema("i")).format, "i")

    def test_what_is_no_type_is_refused(self):
        for text in ("", "x", "+l", "+l(i", "+l(i u)", "+s(i  u)", "i(i)", "u[i]", "i[", "i{a}",
                     "i{a=", "i)", "w:-1", "+ud:0(i u)", "+s(" * 100):
            with self.subTest(text), self.assertRaises(ValueError):
                adicheck.schema(text)
        with self.assertRaises(TypeError):
            adicheck.schema(7)


class ThePackage(unittest.TestCase):
    def test_has_a_version(self):
        self.assertRegex(adicheck.__version__, r"^\d+\.\d+\.\d+$")


class Devices(unittest.TestCase):
    def test_what_is_no_name_is_refused(self):
        for name in ("", "cpu:", "cuda:x", "gpu", "cuda:1x", "x" * 100):
            with self.subTest(name), self.assertRaises(ValueError):
                adicheck.array([1], device=name)
        with self.assertRaises(TypeError):
            adicheck.array([1], device=0)
        with self.assertRaises(OSError):
            adicheck.array([1], device="cuda:99")


if __name__ == "__main__":
    unittest.main()
