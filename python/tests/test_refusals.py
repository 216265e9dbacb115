# SPDX-License-Identifier: Apache-2.0
"""What is no verdict: refusals, mistakes of whoever judges, and judging nothing."""

import unittest

import adicheck
import defects
from adicheck import check_consumer, check_producer


class NoStream:
    def __arrow_c_stream__(self, requested_schema=None):
        return None


class OfAnotherType:
    __dlpack_c_exchange_api__ = type(adicheck.tensor([1], "int32")).__dlpack_c_exchange_api__


class Nothing(unittest.TestCase):
    def test_that_passed_is_not_conformant(self):
        for make, options in ((NoStream, {}), (OfAnotherType, {"protocols":
                                                               "dlpack_c_exchange_api"})):
            with self.subTest(make.__name__):
                found = check_producer(make, **options)
                self.assertNotIn("pass", found.counts)
                self.assertFalse(found.conformant)
                self.assertRegex(found.undecided, "^nothing could be judged: all was refused: ")
                self.assertIn(found.undecided, str(found))
                self.assertTrue(found)

    def test_but_advice_is_conformant(self):
        found = check_producer(defects.KeywordRefused)
        self.assertEqual((found.undecided, found.conformant), ("", True))
        self.assertTrue(found)

    def test_says_what_the_first_refusal_was(self):
        with self.assertRaisesRegex(ValueError, "all was refused: AttributeError: .*'nonexistent'"):
            check_consumer(lambda obj: obj.nonexistent, protocols="dlpack")
        with self.assertRaisesRegex(ValueError, "all was refused: TypeError: .*'more'"):
            check_consumer(lambda obj, more: None, protocols="buffer")

    def test_of_no_case_is_judged(self):
        with self.assertRaisesRegex(ValueError, "nothing could be judged"):
            check_consumer(adicheck.from_arrow, protocols="arrow_c_array", cases="nonesuch/*")


if __name__ == "__main__":
    unittest.main()
