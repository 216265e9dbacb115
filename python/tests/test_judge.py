# SPDX-License-Identifier: Apache-2.0
"""The reference is conformant in both roles, over each protocol, on each device."""

import collections
import itertools
import tempfile
import traceback
import unittest
import weakref

import adicheck
import defects
import support
from adicheck import check_consumer, check_producer

OTHERS = [device for device in adicheck.devices() if device != "cpu"]


def wrong(findings):
    """Those that are more than a note."""
    return [str(finding) for finding in findings if finding.verdict != "note"]


class AProducer(unittest.TestCase):
    def right(self, make, **options):
        found = check_producer(make, **options)
        self.assertEqual(wrong(found), [])
        self.assertTrue(found.conformant)
        self.assertGreater(found.counts["pass"], 3)
        return found

    def test_the_reference_is_conformant_on_the_cpu(self):
        for data, type in (([1, 2, None], "int32"), (["a", None, "bc"], "utf8"), ([], "int64"),
                           ([{"a": 1, "b": "x"}, None], None), ([[1], [], None], None),
                           ([True, None], "bool"), (["x", "y", "x"], "c[u]")):
            with self.subTest(type=type, data=data):
                self.right(lambda: adicheck.array(data, type))

    def test_the_reference_is_conformant_by_each_protocol(self):
        for protocol in ("arrow_c_array", "arrow_c_device_array", "dlpack"):
            with self.subTest(protocol):
                self.right(lambda: adicheck.array([1, 2, 3], "int16"), protocols=protocol)

    def test_its_streams_are_conformant(self):
        for device in ("cpu", *OTHERS):
            with self.subTest(device):
                self.right(lambda: adicheck.stream([[1, None], [], [3]], "int32", device=device))

    def test_the_reference_is_conformant_on_other_devices(self):
        for device in OTHERS:
            with self.subTest(device):
                found = self.right(lambda: adicheck.array([1, 2, 3], "int16", device=device))
                self.assertGreater(found.counts["pass"], 14)

    def test_a_tensor_may_have_any_strides(self):
        for options in ({"strides": (1, 2)}, {"byte_offset": 8}, {"strides": (-3, 1)}):
            with self.subTest(options):
                self.right(lambda: adicheck.tensor([[1, 2, 3], [4, 5, 6]], "int32", **options),
                           protocols="dlpack")

    def test_a_tensor_may_be_of_any_type(self):
        for data, dtype in ((5, "int32"), ([[True, False]], "bool"), ([1j, 2], "complex64"),
                            ([1j, 2], "complex128"), ([1, 2], "bfloat16"), ([], "bool")):
            for device in ("cpu", *OTHERS[-1:]):
                with self.subTest(dtype, device=device):
                    made = adicheck.tensor(data, dtype, device=device)
                    self.right(lambda: adicheck.tensor(data, dtype, device=device),
                               protocols=[name for name in made.protocols
                                          if name.startswith("dlpack")])

    def test_capsules_may_be_kept_until_somebody_consumes_them(self):
        class Keeps:
            def __init__(self):
                self.array, self.pair = adicheck.array([1, None, 3], "int32"), None

            def __arrow_c_array__(self, requested_schema=None):
                if requested_schema is not None:
                    return self.array.__arrow_c_array__(requested_schema)
                if self.pair is None or not support.within(self.pair[1]).release:
                    self.pair = self.array.__arrow_c_array__()
                return self.pair
        one = Keeps()
        self.right(lambda: one, protocols="arrow_c_array")
        self.right(Keeps, protocols="arrow_c_array")

    def test_a_destructor_may_delete_without_the_deleter(self):
        self.right(defects.DeletedAtOnce, protocols="dlpack")

    def test_a_tensor_may_have_no_dimensions(self):
        self.right(lambda: adicheck.tensor(5, "int32"), protocols="dlpack")

    def test_the_reference_is_conformant_in_a_worker(self):
        self.right(lambda: adicheck.array([1, 2, 3], "int16"), isolate=True, devices="cpu")

    def test_who_shows_nothing_is_no_producer(self):
        with self.assertRaisesRegex(ValueError, "no protocol"):
            check_producer(object)

    def test_what_it_raises_is_passed_on(self):
        def fails():
            raise LookupError("lost")
        with self.assertRaisesRegex(LookupError, "lost"):
            check_producer(fails, protocols="dlpack")

    def test_what_it_raises_says_where(self):
        """And holds nothing that was at hand there."""
        class Fails:
            def __init__(self, error):
                alive.append(weakref.ref(self))
                self._error = error

            def __dlpack__(self, **arguments):
                raise self._error("lost")

            __arrow_c_array__ = __dlpack__

            def __dlpack_device__(self):
                return 1, 0

        for error, protocol in itertools.product((LookupError, BufferError),
                                                 ("dlpack", "arrow_c_array")):
            with self.subTest(error, protocol=protocol):
                alive, found = [], None
                try:
                    found = check_producer(lambda: Fails(error), protocols=protocol)
                except error as raised:
                    names = [frame.name for frame in traceback.extract_tb(raised.__traceback__)]
                    self.assertEqual(names[-1], "__dlpack__")
                    self.assertEqual([one for one in alive if one() is not None], [])
                self.assertIs(found, None)


class AConsumer(unittest.TestCase):
    def right(self, use, least, **options):
        found = check_consumer(use, **options)
        self.assertEqual(wrong(found), [])
        self.assertTrue(found.conformant)
        self.assertGreater(found.counts["pass"], least)

    def test_the_reference_is_conformant_on_the_cpu(self):
        self.right(adicheck.from_arrow, 1000, protocols="arrow_c_device_array")
        self.right(adicheck.from_arrow, 1000, protocols="arrow_c_array")
        self.right(adicheck.from_dlpack, 30, protocols="dlpack")
        self.right(adicheck.from_arrow, 60, protocols=("arrow_c_stream", "arrow_c_device_stream"))

    def test_the_reference_is_conformant_on_other_devices(self):
        for device in OTHERS:
            with self.subTest(device):
                self.right(adicheck.from_arrow, 100, protocols="arrow_c_device_array",
                           devices=device)
                self.right(adicheck.from_dlpack, 5, protocols="dlpack", devices=device)
                self.right(adicheck.from_arrow, 20, protocols="arrow_c_device_stream",
                           devices=device)

    def test_the_reference_is_conformant_in_a_worker(self):
        self.right(adicheck.from_dlpack, 30, protocols="dlpack", isolate=True, devices="cpu")

    def test_values_may_be_told_as_a_stream(self):
        def use(obj):
            array = adicheck.from_arrow(obj)
            stream = adicheck.stream([array], array.type)
            return support.Shows(arrow_c_stream=stream.__arrow_c_stream__)
        self.right(use, 10, protocols="arrow_c_array", cases="int32/*/consume")
        self.right(use, 0, protocols="arrow_c_device_array", cases="int32/many/consume")

    def test_values_of_streams_may_be_told_as_an_array(self):
        def use(obj):
            stream = adicheck.from_arrow(obj)
            return adicheck.array(stream.to_pylist(), stream.type)
        self.right(use, 0, protocols="arrow_c_stream", cases="int32/many/consume-stream")

    def test_values_of_streams_need_not_be_told(self):
        def use(obj):
            adicheck.from_arrow(obj)
        for protocol in "arrow_c_stream", "arrow_c_device_stream", "arrow_c_array":
            self.right(use, 10, protocols=protocol)

    def test_values_need_not_be_told(self):
        def use(obj):
            adicheck.from_arrow(obj)
        self.right(use, 10, protocols="arrow_c_array", cases="int32/*/consume")
        self.right(use, 3, protocols="arrow_c_array", cases="*/many/program-consume")

    def test_values_that_come_back_are_looked_at_in_programs(self):
        def use(obj):
            adicheck.from_arrow(obj)
            return adicheck.array([7] * 67, "int32")
        found = check_consumer(use, protocols="arrow_c_array", cases="int32/many/program-consume")
        self.assertEqual({finding.rule for finding in found}, {"array/misread"})

    def test_an_array_may_come_back_as_a_stream(self):
        for cut in 0, 1:
            def use(obj):
                taken = adicheck.from_arrow(obj)
                parts = [taken] if not cut else [[value] for value in taken.to_pylist()]
                return adicheck.stream(parts, taken.type)
            self.right(use, 5, protocols="arrow_c_array", cases="@(int32|utf8)/*/consume")

    def test_a_tensor_may_come_back_as_a_dictionary(self):
        def use(obj):
            taken = adicheck.from_dlpack(obj)
            return support.Shows(cuda_array_interface=taken.__cuda_array_interface__, kept=taken)
        if "cuda:0" in OTHERS:
            self.right(use, 5, protocols="dlpack", devices="cuda:0")

    @unittest.skipUnless(support.SANITIZED, "without a sanitizer no memory is weighed")
    def test_what_others_have_lost_is_nothing_to_it(self):
        lost, kept = [], collections.deque(maxlen=5)
        def loses(obj):
            lost.append(bytearray(5000))
            return adicheck.from_dlpack(obj)
        def caches(obj):
            kept.append(bytearray(5000))
            return adicheck.from_dlpack(obj)
        for _ in range(2):
            self.assertFalse(check_consumer(loses, protocols="dlpack", devices="cpu").conformant)
        self.right(caches, 30, protocols="dlpack", devices="cpu")

    def test_what_is_kept_may_be_deleted_when_all_is_over(self):
        kept = []
        def keeps(obj):
            kept.append(adicheck.from_dlpack(obj))
            return kept[-1]
        found = check_consumer(keeps, protocols="dlpack", devices="cpu")
        self.assertIn("dlpack/deleter-not-called", [finding.rule for finding in found])
        kept.clear()

    def test_who_refuses_all_is_not_judged(self):
        def use(obj):
            raise TypeError("not mine")
        with self.assertRaisesRegex(ValueError, "nothing could be judged") as caught:
            check_consumer(use, protocols="dlpack")
        self.assertIsInstance(caught.exception.__cause__, TypeError)


class AFinding(unittest.TestCase):
    def known(self, row):
        file = tempfile.NamedTemporaryFile("w", suffix=".txt")
        self.addCleanup(file.close)
        file.write(row + "\n")
        file.flush()
        return file.name

    def verdicts(self, rule, make, **options):
        return {finding.verdict for finding in check_producer(make, **options)
                if finding.rule == rule}

    def test_that_is_known_is_expected(self):
        known = self.known("array/reserved-* | own/* | * | it is not written | here | 2999-01-01")
        self.assertEqual(self.verdicts("array/reserved-not-zero", defects.reserved), {"fail"})
        self.assertEqual(self.verdicts("array/reserved-not-zero", defects.reserved, known=known),
                         {"xfail"})
        found = check_producer(lambda: adicheck.array([1]), known=known,
                               protocols="arrow_c_device_array")
        self.assertIn("xpass", {finding.verdict for finding in found})
        self.assertFalse(found.conformant)

    # Rows whose cases are all there are name those of a producer, too. What binds both parties may
    # be a consumer's deviation.
    def test_that_is_known_of_all_cases_and_is_none_is_told(self):
        for rule, is_told in (("array/reserved-not-zero", True), ("life/memory-leaked", False),
                              ("array/misread", False)):
            found = check_producer(lambda: adicheck.array([1]), protocols="arrow_c_device_array",
                                   known=self.known(f"{rule} | * | * | why | here | 2999-01-01"))
            self.assertEqual([finding.verdict for finding in found], ["xpass"] * is_told, rule)
            self.assertEqual(found.conformant, not is_told)

    def test_of_a_dictionary_is_known_likewise(self):
        shown = support.Shows(array_interface={"shape": [2], "typestr": "|u1", "version": 3})
        known = self.known("array-interface/shape-* | own/* | * | a list | here | 2999-01-01")
        self.assertEqual(self.verdicts("array-interface/shape-invalid", lambda: shown), {"fail"})
        self.assertEqual(self.verdicts("array-interface/shape-invalid", lambda: shown,
                                       known=known), {"xfail"})

    def test_that_one_protocol_has_is_none_too_many_for_the_other(self):
        def wrong_of_the_host(obj):
            return defects.nulls_ignored(obj) if hasattr(obj, "__arrow_c_array__") else \
                adicheck.from_arrow(obj)
        case = "int32/nulls/consume"
        known = self.known(f"array/misread | {case} | * | why | here | 2999-01-01")
        for use, verdict in ((wrong_of_the_host, "xfail"), (adicheck.from_arrow, "xpass")):
            found = check_consumer(use, protocols=("arrow_c_array", "arrow_c_device_array"),
                                   cases=case, known=known)
            self.assertEqual({finding.verdict for finding in found}, {verdict})
            self.assertEqual(set(found.counts) & {"xfail", "xpass"}, {verdict})

    def test_what_is_no_list_of_deviations_is_refused(self):
        with self.assertRaises(ValueError):
            check_producer(lambda: adicheck.array([1]), known=self.known("what | is | this"))

    def test_that_is_advice_fails_where_all_counts(self):
        rule = "pycapsule/keyword-refused"
        self.assertEqual(self.verdicts(rule, defects.KeywordRefused), {"warn"})
        self.assertEqual(self.verdicts(rule, defects.KeywordRefused, strict=True), {"fail"})

    def test_says_what_it_is_about(self):
        finding = check_producer(defects.reserved)[0]
        self.assertEqual((finding.party, finding.device, finding.protocol),
                         ("producer", "cpu:-1", "arrow_c_device_array"))
        self.assertRegex(str(finding), "^fail  array/reserved-not-zero  MUST  producer\n")
        self.assertTrue(finding.steps)

    def test_a_profile_leaves_cases_out(self):
        def count(**options):
            found = check_consumer(adicheck.from_arrow, protocols="arrow_c_array", **options)
            return found.counts["pass"]
        self.assertLess(count(profile="cpu"), count())

    def test_there_is_no_other_protocol(self):
        with self.assertRaisesRegex(ValueError, "no protocol"):
            check_consumer(print, protocols="smoke")


if __name__ == "__main__":
    unittest.main()
