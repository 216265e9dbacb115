# SPDX-License-Identifier: Apache-2.0
"""pyarrow takes what the package shows, by each protocol alone, and the package what it shows."""

import unittest

import adicheck
import pyarrow

VALUES = [
    ("n", [None]), ("b", [True, None]), ("int8", [-1, None]), ("uint64", [2**63]), ("e", [0.5]),
    ("float64", [1.5, None]), ("z", [b"\0", None]), ("utf8", ["a", None]), ("U", ["a"]),
    ("vu", ["a", "more than twelve bytes", None]), ("vz", [b"a"]), ("w:3", [b"abc", None]),
    ("+l(u)", [["a", None], None]), ("+L(i)", [[1]]), ("+vl(i)", [[1], None, [2, 3]]),
    ("+w:2(i)", [[1, 2], None]), ("+s(i u)", [{"f0": 1, "f1": None}, None]),
    ("+m(+s!(u! i))", [[("a", 1)], None]), ("c[u]", ["a", "b", "a", None]),
    ("+r(i! g)", [1.0, 1.0, None]),
]


class Takes(unittest.TestCase):
    def test_arrays(self):
        for protocol in "arrow_c_array", "arrow_c_device_array":
            for type, values in VALUES:
                with self.subTest(type, protocol=protocol):
                    taken = pyarrow.array(adicheck.array(values, type, protocols=[protocol]))
                    taken.validate(full=True)
                    self.assertEqual(taken.to_pylist(), values)

    def test_types(self):
        for type, _ in VALUES:
            field = pyarrow.field(adicheck.schema(type))
            self.assertEqual(adicheck.schema(field).format, adicheck.schema(type).format)

    def test_batches_and_streams(self):
        rows = [{"a": 1, "b": "x"}, {"a": None, "b": "y"}]
        batch = pyarrow.record_batch(adicheck.array(rows))
        self.assertEqual(batch.to_pylist(), rows)
        table = pyarrow.table(adicheck.stream([rows, rows]))
        self.assertEqual(table.to_pylist(), rows * 2)
        chunked = pyarrow.chunked_array(adicheck.stream([[1], [2, None]]))
        self.assertEqual((chunked.to_pylist(), chunked.num_chunks), ([1, 2, None], 2))

    def test_requests(self):
        taken = pyarrow.array(adicheck.array(["a", None]), pyarrow.large_utf8())
        self.assertEqual((taken.type, taken.to_pylist()), (pyarrow.large_utf8(), ["a", None]))


class Shows(unittest.TestCase):
    def test_arrays(self):
        for type, values in VALUES:
            array = pyarrow.array(adicheck.array(values, type))
            for part in array, array[1:]:
                with self.subTest(type):
                    self.assertEqual(adicheck.from_arrow(part).to_pylist(), part.to_pylist())
                    copied = adicheck.array(part, device="cuda:0")
                    self.assertEqual(copied.to_pylist(), part.to_pylist())

    def test_batches_and_streams(self):
        table = pyarrow.table({"a": [1, None], "b": ["x", "y"]})
        self.assertEqual(adicheck.from_arrow(table).to_pylist(), table.to_pylist())
        reader = pyarrow.RecordBatchReader.from_batches(
            table.schema, (batch for batch in table.to_batches() * 3))
        self.assertEqual(adicheck.from_arrow(reader).to_pylist(), table.to_pylist() * 3)

    def test_a_stream_that_fails(self):
        def batches():
            yield pyarrow.record_batch({"a": [1]})
            raise RuntimeError("no more of it")

        schema = pyarrow.schema({"a": pyarrow.int64()})
        with self.assertRaisesRegex((OSError, ValueError), "no more of it"):
            adicheck.from_arrow(pyarrow.RecordBatchReader.from_batches(schema, batches()))

    def test_dlpack(self):
        array = pyarrow.array([1, 2, 3], pyarrow.int32())[1:]
        self.assertEqual(adicheck.from_dlpack(array).to_pylist(), [2, 3])


if __name__ == "__main__":
    unittest.main()
