# SPDX-License-Identifier: Apache-2.0
"""A consumer that gives back in types of its own what it has read."""

import unittest

import adicheck
from adicheck import check_consumer

# The cases, and what it makes of what it is given.
REPRESENTED = [("int32", "l"), ("utf8", "vu"), ("utf8", "U"), ("utf8_view", "u"),
               ("list_int32", "+L(l)"), ("float32", "g"), ("dictionary_int8_utf8", "u")]
IN_STREAMS = "int32", "list_int32", "dictionary_int8_utf8"


def retyped(format, change=lambda values: values):
    """Reads, and makes an array or a stream of another type of the values."""
    def use(obj):
        read = adicheck.from_arrow(obj)
        if hasattr(read, "chunks"):
            return adicheck.stream([change(chunk.to_pylist()) for chunk in read.chunks], format)
        return adicheck.array(change(read.to_pylist()), format)
    return use


def backwards(values):
    return values[::-1]


def found(findings):
    return {(finding.rule, finding.verdict) for finding in findings}


class AConsumer(unittest.TestCase):
    def test_may_have_another_representation(self):
        for given, format in REPRESENTED:
            protocols = ["arrow_c_array"] + ["arrow_c_stream"] * (given in IN_STREAMS)
            for protocol in protocols:
                with self.subTest(given, to=format, protocol=protocol):
                    seen = check_consumer(retyped(format), protocols=protocol,
                                          cases=f"{given}/*/*consume*")
                    self.assertEqual(found(seen), set(), str(seen)[:800])
                    self.assertGreater(seen.counts["pass"], 0)

    def test_is_compared_all_the_same(self):
        for given, format in REPRESENTED:
            with self.subTest(given, to=format):
                seen = check_consumer(retyped(format, backwards), protocols="arrow_c_array",
                                      cases=f"{given}/many/consume")
                self.assertEqual(found(seen), {("array/misread", "fail")}, str(seen)[:800])

    def test_is_not_compared_where_it_has_a_type_of_its_own(self):
        def floats(values):
            return [float("nan") if value is None else float(value) for value in values]
        seen = check_consumer(retyped("g", floats), protocols="arrow_c_array",
                              cases="int32/nulls/consume")
        self.assertEqual(seen, [], seen)

    def test_may_have_rows_of_nulls(self):
        def rows(values):
            return [dict.fromkeys(next(filter(None, values))) if value is None else value
                    for value in values]

        def use(obj):
            read = adicheck.from_arrow(obj)
            return adicheck.stream([rows(chunk.to_pylist()) for chunk in read.chunks], read.type)
        seen = check_consumer(use, protocols="arrow_c_stream", cases="struct/many/consume-stream")
        self.assertEqual(seen, [], seen)

    def test_of_another_kind_is_misread(self):
        def use(obj):
            return adicheck.array([str(value) for value in adicheck.from_arrow(obj).to_pylist()])
        for cases in "int32/many/consume", "list_int32/many/consume", "struct/many/consume":
            seen = check_consumer(use, protocols="arrow_c_array", cases=cases)
            self.assertEqual(found(seen), {("array/misread", "fail")}, seen)


if __name__ == "__main__":
    unittest.main()
