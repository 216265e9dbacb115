# SPDX-License-Identifier: Apache-2.0
"""A defect that is planted in C and in Python is told in the same words."""

import ctypes
import json
import os
import pathlib
import subprocess
import unittest

import adicheck
import defects

# Adapters with one planted defect each, where they are built.
PLANTED = pathlib.Path(os.environ.get("ADI_PLANTED", "nowhere"))
TOLD = "rule", "party", "verdict", "message", "seen", "wanted", "mend"


def unwritten(array):
    """`reserved` as it is where nobody writes it: the harness's poison."""
    ctypes.memset(ctypes.addressof(array.reserved), 0xA5, 24)


def in_c(adapter, case):
    command = pathlib.Path(adicheck.__path__[0]) / "adicheck"
    done = subprocess.run([command, "run", PLANTED / f"{adapter}.so", "--device", "cpu", "--case",
                           case, "--json", "-"], capture_output=True, text=True)
    rows = json.loads(done.stdout)["results"]
    return {tuple(row.get(key, "") for key in TOLD) for row in rows
            if row["verdict"] in ("fail", "warn")}


def in_python(found):
    return {tuple(getattr(finding, key) for key in TOLD) for finding in found
            if finding.verdict in ("fail", "warn")}


@unittest.skipUnless(PLANTED.exists(), "there are no adapters with planted defects here")
class ADefect(unittest.TestCase):
    def test_of_a_producer_is_the_same(self):
        make = defects.spoiled(unwritten)
        found = [f for f in adicheck.check_producer(make) if f.case == "own/own/export"]
        self.assertEqual(len(in_python(found)), 1)
        self.assertEqual(in_python(found), in_c("reserved_never_written",
                                                "int32/many/export"))

    def test_of_a_tensor_is_the_same(self):
        for change, adapter, case in ((defects.of_one_bit, "dlpack_bool_of_one_bit", "boolean"),
                                      (defects.without_lanes, "dlpack_lanes_unset", "scalar"),
                                      (defects.without_strides, "dlpack_strides_null", "boolean")):
            with self.subTest(adapter):
                found = [f for f in adicheck.check_producer(change, protocols="dlpack")
                         if f.case == "own/own/dlpack"]
                self.assertEqual(len(in_python(found)), 1)
                self.assertEqual(in_python(found), in_c(adapter, f"int32/many/dlpack-{case}"))

    def test_of_a_consumer_is_the_same(self):
        case = "int32/many/consume-dlpack"
        found = adicheck.check_consumer(defects.deleted_twice, protocols="dlpack", cases=case)
        self.assertEqual(len(in_python(found)), 1)
        self.assertEqual(in_python(found), in_c("dlpack_deleter_called_twice", case))


if __name__ == "__main__":
    unittest.main()
