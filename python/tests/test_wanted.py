# SPDX-License-Identifier: Apache-2.0
"""Values that are expected as Python has them, of types that store something else."""

import ctypes
import datetime
import struct
import unittest
import uuid
from decimal import Decimal

import adicheck
from adicheck import check_producer
from support import Shows

CUDA = "cuda:0" in adicheck.devices()
DAY = datetime.date(1970, 1, 3)
THEN = datetime.datetime(1970, 1, 1, 0, 0, 2, 3000)
ZONED = datetime.datetime(1970, 1, 1, 1, 0, 2, 3000,
                          datetime.timezone(datetime.timedelta(hours=1)))
CLOCK = datetime.time(0, 1, 2, 3000)
SPAN = datetime.timedelta(seconds=-2, milliseconds=3)


class Nanoseconds(datetime.datetime):
    """As a timestamp of pandas is one."""
    nanosecond = 7


# By type: what is stored, what that stands for, and what another number would stand for.
STORED = (
    ("tdD", [2, None], [DAY, None], [DAY + datetime.timedelta(1), None]),
    ("tdm", [2 * 86400000], [DAY], [datetime.date(1970, 1, 2)]),
    ("tts", [62], [CLOCK.replace(microsecond=0)], [CLOCK]),
    ("ttm", [62003], [CLOCK], [CLOCK.replace(hour=1)]),
    ("ttu", [62003000], [CLOCK], [CLOCK.replace(microsecond=3001)]),
    ("ttn", [62003000000], [CLOCK], [CLOCK.replace(second=3)]),
    ("tss:", [2], [THEN.replace(microsecond=0)], [THEN]),
    ("tsm:", [2003], [THEN], [THEN.replace(year=1969)]),
    ("tsu:UTC", [2003000], [ZONED], [ZONED.replace(tzinfo=datetime.timezone.utc)]),
    ("tsn:", [2003000007], [Nanoseconds(1970, 1, 1, 0, 0, 2, 3000)], [THEN]),
    ("tDm", [-1997], [SPAN], [-SPAN]),
    ("d:5,2", [150, None, -3], [Decimal("1.5"), None, Decimal("-0.03")],
     [Decimal("1.505"), None, Decimal("-0.03")]),
    ("d:5,-2", [15], [Decimal("1500")], [Decimal("1501")]),
    ("e", [0.1, -2.5], [0.1, -2.5], [0.1001, -2.5]),
    ("f", [0.1, None], [0.1, None], [0.1000001, None]),
    ("f", [float("inf"), float("-inf")], [1e300, -1e300], [3e38, -1e300]),
    ("f", [16777216.0], [16777217], [16777218]),
    ("g", [0.1], [0.1], [0.10000000149011612]),
    ("+l(tdD)", [[2], None, []], [[DAY], None, []], [[], None, [DAY]]),
    ("+w:2(f)", [[0.1, 2]], [[0.1, 2]], [[0.2, 2]]),
    ("+s(tdD f)", [{"f0": 2, "f1": 0.1}], [{"f0": DAY, "f1": 0.1}], [{"f0": DAY, "f1": 0.2}]),
    ("+m(+s!(u! d:5,2))", [[("a", 150)]], [[("a", Decimal("1.5"))]], [[("a", Decimal("1.6"))]]),
    ("c[tdD]", [2, 2], [DAY, DAY], [DAY, None]),
    ("+r(i! tdD)", [2, 2, 3], [DAY, DAY, DAY + datetime.timedelta(1)], [DAY] * 3),
    ("+ud:0,1(tdD f)", [(0, 2), (1, 0.1)], [(0, DAY), (1, 0.1)], [(0, DAY), (1, 0.2)]),
)


def rules(make, **options):
    return {finding.rule for finding in check_producer(make, **options)
            if finding.verdict == "fail"}


class Wanted(unittest.TestCase):
    def test_stand_for_what_is_stored(self):
        for type, stored, right, wrong in STORED:
            with self.subTest(type, right=right):
                def make():
                    return adicheck.array(stored, type)
                for expected in right, stored:
                    found = check_producer(make, protocols="arrow_c_array", expected=expected)
                    self.assertEqual([one for one in found if one.verdict == "fail"], [])
                    self.assertEqual(found.refusals, {})
                self.assertEqual(rules(make, protocols="arrow_c_array", expected=wrong),
                                 {"array/data-differs"})

    def test_are_rounded_as_tensors_are(self):
        protocols = "dlpack", "array_interface", "buffer"
        for type, value, other in (("float32", 0.1, 0.1000001), ("float16", 0.1, 0.1001),
                                   ("complex64", 0.1 + 0.3j, 0.1 + 0.3001j)):
            for protocol in protocols:
                def make():
                    return adicheck.tensor([[value, 2]], type)
                if type.startswith("complex") and protocol == "buffer":
                    continue  # it has no format
                rule = protocol.replace("_", "-") + "/data-differs"
                with self.subTest(type, protocol=protocol):
                    self.assertEqual(rules(make, protocols=protocol, expected=[[value, 2]]), set())
                    self.assertEqual(rules(make, protocols=protocol, expected=[[other, 2]]), {rule})
        self.assertEqual(rules(lambda: adicheck.tensor([0.1]), protocols="dlpack",
                               expected=[0.10000000149011612]), {"dlpack/data-differs"})

    @unittest.skipUnless(CUDA, "there is no device of CUDA")
    def test_are_rounded_as_dictionaries_of_cuda_say(self):
        def make():
            return adicheck.tensor([0.1, 2], "float32", device="cuda:0")
        self.assertEqual(rules(make, protocols="cuda_array_interface", expected=[0.1, 2]), set())
        self.assertEqual(rules(make, protocols="cuda_array_interface", expected=[0.2, 2]),
                         {"cai/data-differs"})

    # What is neither the number that is stored nor stands for it is not known to be wrong.
    def test_that_no_type_has_are_not_compared(self):
        for type, stored, expected in (("int32", [1], [DAY]), ("utf8", ["a"], [DAY]),
                                       ("w:16", [bytes(16)], [uuid.UUID(int=0)]),
                                       ("+us:0,1(i u)", [(0, 1)], [1]),
                                       ("+s(i)", [{"f0": 1}], [{"f0": SPAN}]), ("i", [1], DAY)):
            with self.subTest(type, expected=expected):
                found = check_producer(lambda: adicheck.array(stored, type),
                                       protocols="arrow_c_array", expected=expected)
                self.assertEqual([one for one in found if one.verdict == "fail"], [])
                self.assertIn("were not compared", str(found.refusals))

    def test_of_structured_types_are_not_compared(self):
        memory = ctypes.create_string_buffer(struct.pack("=id", 1, 2.0))

        class Listed:
            def tolist(self):
                return [(1, 2.0)]

        for shape, found in ((1,), set()), ((2,), {"array-interface/data-differs"}):
            with self.subTest(shape):
                shown = Shows(array_interface={
                    "shape": shape, "typestr": "|V12", "version": 3,
                    "descr": [("a", "<i4"), ("b", "<f8")],
                    "data": (ctypes.addressof(memory), False)})
                self.assertEqual(rules(lambda: shown, expected=Listed()), found)


if __name__ == "__main__":
    unittest.main()
