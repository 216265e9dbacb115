# SPDX-License-Identifier: Apache-2.0
"""The values that an object has, by whatever protocol it shows them."""

import ctypes
import struct
import unittest

import adicheck
from support import Shows

CUDA = "cuda:0" in adicheck.devices()
VALUES, OTHERS = [[1, 2, 3], [4, 5, 6]], [[1, 4, 2], [5, 3, 6]]
MEMORY = (ctypes.c_int32 * 6)(*range(1, 7))


def rules(make, **options):
    found = adicheck.check_producer(make, **options)
    return {(finding.rule, finding.party, finding.protocol) for finding in found
            if finding.verdict == "fail"}


def tensor(values=VALUES, **options):
    return adicheck.tensor(values, "int32", **options)


def tensor_of(value, type):
    return adicheck.tensor([value], type)


def described(**entries):
    return Shows(array_interface={"shape": (2, 3), "typestr": "<i4", "version": 3,
                                  "data": (ctypes.addressof(MEMORY), False), **entries})


def range_of(values):
    return range(values[0], values[-1] + (1 if values[0] < values[-1] else -1),
                 values[1] - values[0])


class Both:
    """One protocol shows the values, and the other one not."""

    def __init__(self):
        self.right, self.wrong = adicheck.array([1, 2], "int32"), adicheck.array([2, 1], "int32")

    def __arrow_c_array__(self, requested_schema=None):
        return self.right.__arrow_c_array__(requested_schema)

    def __dlpack__(self, **arguments):
        return self.wrong.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self.wrong.__dlpack_device__()


class Expected(unittest.TestCase):
    def found(self, make, expected, **options):
        found = adicheck.check_producer(make, expected=expected, **options)
        return {finding.rule for finding in found if finding.verdict == "fail"}, \
            " ".join(found.refusals)

    # Who writes 0.1 of an array of less precise numbers means what that has for it.
    def test_numbers_are_as_precise_as_the_type(self):
        for type in "float16", "float32", "float64", "complex64":
            made = [(adicheck.tensor([0.1, 2.5], type), [0.1, 2.5], [0.1003, 2.5])]
            if type != "complex64":  # which Arrow lacks
                row = adicheck.array([{"f0": 0.1}], f"+s({adicheck.schema(type).format})")
                made += [(adicheck.array([0.1, None], type), [0.1, None], [0.1003, None]),
                         (row, [{"f0": 0.1}], [{"f0": 0.1003}])]
            for one, right, wrong in made:
                self.assertEqual(self.found(lambda: one, right)[0], set(), (type, right))
                self.assertNotEqual(self.found(lambda: one, wrong)[0], set(), (type, wrong))
        stored = adicheck.tensor([0.1], "float32").to_pylist()
        self.assertNotEqual(self.found(lambda: adicheck.array(stored, "float64"), [0.1])[0], set())

    def test_values_of_a_buffer_are_compared(self):
        def shown(**entries):
            return described(data=memoryview(MEMORY).cast("B"), **entries)
        for entries, expected in (({}, VALUES), ({"shape": (3,), "offset": 8}, [3, 4, 5]),
                                  ({"shape": (3,), "offset": 20, "strides": (-8,)}, [6, 4, 2])):
            for wanted, rules in (expected, set()), ([*expected[1:], 7], {
                    "array-interface/data-differs"}):
                self.assertEqual(self.found(lambda: shown(**entries), wanted), (rules, ""))
        # An offset that was forgotten.
        self.assertEqual(self.found(lambda: shown(shape=(3,)), [3, 4, 5])[0],
                         {"array-interface/data-differs"})

    def test_values_are_those_of_every_protocol(self):
        self.assertEqual(rules(Both, expected=[1, 2]),
                         {("dlpack/data-differs", "producer", "dlpack")})
        self.assertEqual(rules(Both, expected=[2, 1]),
                         {("array/data-differs", "producer", "arrow_c_array")})

    def test_what_leads_nowhere_is_not_followed(self):
        wanted = {(f"array-interface/{rule}", "producer", "array_interface")
                  for rule in ("data-differs", "data-invalid")}
        for entries in ({"data": (4096, False)}, {"data": (1 << 63, False)},
                        {"strides": (1 << 40, 4)}, {"shape": (1 << 33, 3)}):
            with self.subTest(entries):
                self.assertEqual(rules(lambda: described(**entries), expected=VALUES), wanted)
        self.assertEqual(rules(described, expected=VALUES), set())

    # No document says that what two of them show is the same.
    def test_without_them_none_is_compared_with_another(self):
        self.assertEqual(rules(Both), set())

    def test_is_found_by_the_rule_of_the_protocol(self):
        for protocol, rule, make in (
                ("arrow_c_stream", "array", lambda: adicheck.stream([[1], [2]], "int32")),
                ("arrow_c_device_stream", "array", lambda: adicheck.stream([[1], [2]], "int32")),
                ("arrow_c_device_array", "array", lambda: adicheck.array([1], "int32")),
                ("dlpack", "dlpack", tensor), ("buffer", "buffer", tensor),
                ("array_interface", "array-interface", tensor)):
            with self.subTest(protocol):
                self.assertEqual(rules(make, protocols=protocol, expected=OTHERS),
                                 {(f"{rule}/data-differs", "producer", protocol)})
                values = make().to_pylist()
                self.assertEqual(rules(make, protocols=protocol, expected=values), set())

    def test_wrong_descriptions_are_found(self):
        for entries in ({"strides": (4, 8)}, {"typestr": ">i4"}, {"typestr": "<u2"},
                        {"shape": (3, 2)}):
            with self.subTest(entries):
                self.assertEqual({rule for rule, *_ in rules(lambda: described(**entries),
                                                             expected=VALUES)},
                                 {"array-interface/data-differs"})

    def test_are_compared_of_types_that_arrow_lacks(self):
        exporter, pack = adicheck._core.exporter, struct.pack
        pairs = pack("<4f", 1, 2, 3, 4)
        for rule, make, values in (
                ("dlpack", lambda: tensor_of([1j, 2j], "complex128"), [[1j, 2j]]),
                ("dlpack", lambda: adicheck.tensor([1 + 2j], "complex64"), [1 + 2j]),
                ("dlpack", lambda: adicheck.tensor(1j), 1j),
                ("array-interface", lambda: adicheck.tensor([1j, 2j]), [1j, 2j]),
                ("buffer", lambda: exporter(pairs, "Zf", 8, (2,), (8,), 0, True),
                 [1 + 2j, 3 + 4j]),
                ("buffer", lambda: exporter(pack("2d", 1, 2), "Zd", 16, (), (), 0, True), 1 + 2j),
                ("buffer", lambda: exporter(pairs[::-1], ">f", 4, (2, 2), (-8, -4), 12, True),
                 [[1, 2], [3, 4]]),
                ("buffer", lambda: tensor_of(2.5, "float16"), [2.5])):
            for wanted, found in ((values, set()), ([-1j], {f"{rule}/data-differs"})):
                with self.subTest(rule, wanted=wanted):
                    seen = adicheck.check_producer(
                        make, protocols=rule.replace("-", "_"), expected=wanted)
                    self.assertEqual({finding.rule for finding in seen}, found)
                    self.assertNotIn("were not compared", str(seen.refusals))

    def test_of_more_dimensions_are_compared(self):
        cube, other = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]], [[[1, 2], [3, 5]], [[5, 6], [7, 8]]]
        for device in "cpu", *(("cuda:0",) if CUDA else ()):
            def make():
                return tensor(cube, device=device)
            with self.subTest(device):
                self.assertEqual(rules(make, expected=cube), set())
                self.assertEqual(rules(make, expected=make()), set())
                for wrong in other, [[[1, 2, 3, 4], [5, 6, 7, 8]]], cube[:1]:
                    found = rules(make, expected=wrong)
                    self.assertEqual({protocol for *_, protocol in found},
                                     set(adicheck._judge._shown(make, False)) &
                                     set(adicheck._expected.RULES))
        for expected in cube, tensor(cube):
            self.assertEqual(rules(lambda: tensor(cube, strides=(1, 2, 4)), expected=expected),
                             set())

    def test_that_are_not_compared_are_counted(self):
        for protocol, make in (
                ("dlpack", lambda: adicheck.tensor([1.5], "bfloat16")),
                ("array_interface", lambda: described(typestr="<U6", shape=(1,))),
                ("buffer",
                 lambda: adicheck._core.exporter(bytes(8), "ii", 8, (1,), (8,), 0, True))):
            with self.subTest(protocol):
                found = adicheck.check_producer(make, protocols=protocol, expected=[1.5])
                self.assertEqual([f for f in found if f.verdict == "fail"], [])
                told = [count for words, count in found.refusals.items()
                        if words.startswith(f"values of {protocol} were not compared: NotImpl")]
                self.assertEqual(told, [1])
                self.assertRegex(str(found), r"\b[1-9] of \d+ cases refused: see .refusals")

    # A list ends where nothing is in it: what is behind a 0 nobody has said.
    def test_a_shape_with_a_zero_is_as_its_lists(self):
        for shape, values in (((0, 3), []), ((0,), []), ((2, 0, 3), [[], []]), ((2, 0), [[], []]),
                              ((1, 0, 3), [[]]), ((0, 0, 0), [])):
            for wanted, found in (values, set()), ([[], [], []], {"array-interface/data-differs"}):
                with self.subTest(shape, wanted=wanted):
                    self.assertEqual({rule for rule, *_ in rules(lambda: described(shape=shape),
                                                                 expected=wanted)}, found)
        made = {"shape": (0, 3), "data": (ctypes.addressof(MEMORY), False)}
        self.assertEqual({rule for rule, *_ in rules(lambda: described(**made), expected=[[]])},
                         {"array-interface/data-differs"})

    def test_odd_descriptions_are_not_charged(self):
        at = ctypes.addressof(MEMORY)
        for entries, wanted in (({}, VALUES), ({"strides": None}, VALUES),
                                ({"strides": (12, 4)}, VALUES), ({"shape": ()}, 1),
                                ({"shape": (2, 0)}, [[], []]),
                                ({"data": (at + 20, True), "strides": (-12, -4)},
                                 [[6, 5, 4], [3, 2, 1]]),
                                ({"shape": (24,), "typestr": "|u1"}, list(bytes(MEMORY))),
                                ({"strides": (0, 0)}, [[1] * 3] * 2),
                                ({"mask": described(typestr="|b1")}, ["nobody knows"]),
                                ({"data": bytearray(24)}, [[0] * 3] * 2)):
            with self.subTest(entries):
                self.assertEqual(rules(lambda: described(**entries), expected=wanted), set())

    def test_is_whatever_has_values(self):
        class Listed:
            def __init__(self, values):
                self.tolist = lambda: values

        for protocol in "dlpack", "buffer", "array_interface", "arrow_c_array":
            rule = protocol.replace("_", "-") if protocol != "arrow_c_array" else "array"
            wrong = {(f"{rule}/data-differs", "producer", protocol)}
            for values, of in (([3, 4, 5], Listed), ([3, 4, 5], tuple), (range(3, 6), range_of),
                               ([3, 4, 5], lambda values: adicheck.array(values, "int32")),
                               ([3], tensor), ([[3, 4], [5, 6]], tensor),
                               ([[3, 4], [5, 6]], Listed),
                               ([[3, 4], [5, 6]], lambda values: [*map(Listed, values)]),
                               ([[3, 4], [5, 6]], lambda values: tuple(map(tuple, values)))):
                shown = [list(v) if isinstance(v, tuple) else v for v in values]
                other = shown[::-1] if len(shown) > 1 else [4]
                with self.subTest(protocol, values=values):
                    for expected, found in (shown, set()), (other, wrong):
                        self.assertEqual(rules(lambda: tensor(shown), protocols=protocol,
                                               expected=of(expected)), found)

    def test_that_are_an_ellipsis_are_not_compared(self):
        self.assertEqual(rules(tensor, expected=...), set())

    def test_that_have_no_values_are_refused(self):
        for expected in object(), "abc", b"abc", {1, 2}, iter([1, 2]):
            with self.subTest(expected), self.assertRaisesRegex(TypeError, "pass a list"):
                adicheck.check_producer(tensor, expected=expected)

    @unittest.skipUnless(CUDA, "there is no device of CUDA")
    def test_is_found_on_a_device(self):
        def make():
            return tensor(device="cuda:0", strides=(1, 2))
        self.assertEqual(rules(make, expected=VALUES), set())
        self.assertEqual({rule for rule, *_ in rules(make, expected=OTHERS)},
                         {"array/data-differs", "dlpack/data-differs", "cai/data-differs"})

        for values in [[1j, 2], [3, 4j]], [1j], 1j:
            for wanted, found in (values, set()), ([5], {"cai/data-differs"}):
                self.assertEqual({rule for rule, *_ in rules(
                    lambda: adicheck.tensor(values, "complex64", device="cuda:0"),
                    protocols="cuda_array_interface", expected=wanted)}, found)

        def forgets():
            made = make()
            return Shows(cuda_array_interface={**made.__cuda_array_interface__, "strides": None},
                         kept=made)
        self.assertEqual({rule for rule, *_ in rules(forgets, expected=VALUES)},
                         {"cai/data-differs"})

    def test_may_be_of_whatever_kind(self):
        nan = float("nan")
        for values, type in ([nan, 1.5], "float64"), ([1, None], "int32"), (["a"], "utf8"), \
                ([], "int8"), ([True, None], "bool"), ([[1, 2], None], "+l(i)"):
            for isolate in (False, True) if not adicheck._core.is_opened() else (False,):
                with self.subTest(type, isolate=isolate):
                    self.assertEqual(rules(lambda: adicheck.array(values, type), devices="cpu",
                                           isolate=isolate, expected=tuple(values)), set())
        self.assertEqual(rules(lambda: adicheck.tensor(3, "int32"), expected=3), set())
        self.assertEqual({rule for rule, *_ in rules(
            lambda: adicheck.tensor(3, "int32"), protocols="dlpack", expected=None)},
            {"dlpack/data-differs"})


if __name__ == "__main__":
    unittest.main()
