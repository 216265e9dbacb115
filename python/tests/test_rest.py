# SPDX-License-Identifier: Apache-2.0
"""One case does not end the judging of the others: what is in cycles is collected, and what is
kept, or lost, leaves other processes to play the rest."""

import unittest

import adicheck
from adicheck import check_consumer
from support import within

TENSORS = "int32/*/consume-dlpack*"
KEPT = []


class Cycle:
    def __init__(self, array, *others):
        self.array, self.others, self.me = array, others, self


class Tensor(Cycle):
    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Array(Cycle):
    def __arrow_c_array__(self, requested_schema=None):
        return self.array.__arrow_c_array__(requested_schema)


class InCycles(unittest.TestCase):
    def test_a_result_is_as_good_as_another(self):
        for protocol, read, cycle, cases in (
                ("dlpack", adicheck.from_dlpack, Tensor, TENSORS),
                ("arrow_c_array", adicheck.from_arrow, Array, "int32/*/consume")):
            with self.subTest(protocol):
                found = check_consumer(lambda obj: cycle(read(obj)), protocols=protocol,
                                       cases=cases)
                self.assertEqual([*found.counts], ["pass"])
                self.assertGreater(found.counts["pass"], 10)

    # What else holds the data is in the cycle, too.
    def test_wrong_values_are_found(self):
        def use(obj):
            array = adicheck.from_dlpack(obj)
            values = memoryview(array).tolist() if array.device == "cpu" else None
            if isinstance(values, list) and values and isinstance(values[0], int):
                return Tensor(adicheck.tensor([7] * len(values), "int32"), array)
            return Tensor(array, adicheck.from_dlpack(obj))
        found = check_consumer(use, protocols="dlpack")
        self.assertIn("dlpack/misread", {finding.rule for finding in found})


class Kept(unittest.TestCase):
    def tearDown(self):
        KEPT.clear()

    # It takes the first over, loses it and refuses, and reads rubbish from then on.
    def test_what_is_lost_with_a_refusal_hides_nothing(self):
        def use(obj):
            _, capsule = obj.__arrow_c_array__()
            if not calls:
                calls.append(1)
                within(capsule).release = None
                raise NotImplementedError("not that one")
            return adicheck.array([7], "int32")
        calls = []
        found = check_consumer(use, protocols="arrow_c_array", cases="int32/*/consume")
        self.assertIn("array/misread", {finding.rule for finding in found})
        self.assertEqual((found.conformant, found.unjudged), (False, ""))

    def test_what_is_kept_hides_nothing(self):
        def use(obj):
            KEPT.append(adicheck.from_dlpack(obj))
            if len(KEPT) == 1:
                return KEPT[0]
            return adicheck.tensor([7], "int32")
        found = check_consumer(use, protocols="dlpack", cases="int32/*/consume-dlpack*")
        rules = {finding.rule for finding in found}
        self.assertLessEqual({"dlpack/deleter-not-called", "dlpack/misread"}, rules)

    # Another process cannot use the device that was opened in this one.
    @unittest.skipUnless("cuda:0" in adicheck.devices(), "no device")
    def test_what_is_not_judged_is_told(self):
        def use(obj):
            KEPT.append(adicheck.from_dlpack(obj))
            return KEPT[-1]
        found = check_consumer(use, protocols="dlpack", devices="cuda:0", cases=TENSORS)
        self.assertEqual({finding.verdict for finding in found}, {"warn"})
        self.assertFalse(found.conformant)
        self.assertRegex(found.unjudged, r"^\d+ cases were not judged: ")
        self.assertIn(found.unjudged, str(found))


if __name__ == "__main__":
    unittest.main()
