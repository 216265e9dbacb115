# SPDX-License-Identifier: Apache-2.0
"""The plugin, in a test suite of its own."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import adicheck

SUITE = """
import defects
import adicheck

def test_right(adi_device, adi_producer_case):
    adi_producer_case(lambda: adicheck.array([1, 2, 3], "int32", device=adi_device))

def test_wrong(adi_producer_case):
    adi_producer_case(defects.reserved)

def test_advice(adi_producer_case):
    adi_producer_case(defects.KeywordRefused)

def test_takes(adi_consumer_case):
    adi_consumer_case(defects.strides_ignored, protocols="dlpack", cases="int32/many/*-strides")
"""
CUDA = "cuda:0" in adicheck.devices()

# By protocol, what has a defect, and its rule.
OFFERED = """
import adicheck
import defects
import defects_capsules as capsules
import exchange
import pytest
import test_consume as consumers
import test_look as look
import test_look_buffer as look_buffer
from support import Shows

PRODUCERS = {
    "arrow_c_array": defects.wrong_name, "arrow_c_device_array": defects.reserved,
    "arrow_c_stream": capsules.StreamNoDestructor,
    "arrow_c_device_stream": capsules.DeviceStreamKeywordIgnored, "dlpack": defects.OtherName,
    "dlpack_c_exchange_api": dict(exchange.PRODUCERS)["object-differs"],
    "cuda_array_interface": lambda: Shows(cuda_array_interface={**look.RIGHT, "shape": [2, 3]}),
    "array_interface": lambda: Shows(array_interface={**look.RIGHT, "shape": [2, 3]}),
    "buffer": lambda exporter=look_buffer.exporter(look_buffer.too_short): exporter}
def sevens(obj):
    return adicheck.array([7] * len(adicheck.from_arrow(obj).to_pylist()), "int32")

CONSUMERS = {
    "arrow_c_array": capsules.name_unchecked, "arrow_c_device_array": sevens,
    "arrow_c_stream": capsules.stream_is_kept, "dlpack": defects.never_deleted,
    "dlpack_c_exchange_api": exchange.alone(exchange.any_version),
    "cuda_array_interface": lambda obj: adicheck.as_cuda_array(obj, sync=False),
    "array_interface": consumers.Reader("mask"), "buffer": consumers.never_releases}
CASES = {"arrow_c_array": "int32/many/consume-arrow_c_array",
         "arrow_c_device_array": "int32/many/consume",
         "arrow_c_stream": "int32/many/consume-stream", "dlpack": "int32/many/consume-dlpack"}

def test_makes(adi_producer_case):
    for protocol, make in PRODUCERS.items():
        adi_producer_case(make, protocols=protocol, devices="cpu")

def test_takes(adi_consumer_case):
    for protocol, use in CONSUMERS.items():
        if protocol != "cuda_array_interface" or "cuda:0" in adicheck.devices():
            adi_consumer_case(use, protocols=protocol, cases=CASES.get(protocol))
"""

TOLD = {
    "test_makes[pycapsule/name-differs]", "test_makes[array/reserved-not-zero]",
    "test_makes[pycapsule/destructor-missing]", "test_makes[pycapsule/keyword-ignored]",
    "test_makes[dlpack/capsule-name-differs]", "test_makes[exchange/object-differs]",
    "test_makes[cai/shape-invalid]", "test_makes[array-interface/shape-invalid]",
    "test_makes[buffer/len-differs]", "test_takes[array/misread]",
    "test_takes[pycapsule/name-unchecked]", "test_takes[life/never-released]",
    "test_takes[dlpack/deleter-not-called]", "test_takes[exchange/version-unchecked]",
    "test_takes[array-interface/mask-ignored]", "test_takes[buffer/not-released]"}

KNOWN = """
array/reserved-not-zero | own/* | * | it is not written | here | 2999-01-01
"""

OUTDATED = """
array/data-differs | own/* | * | it was wrong once | here | 2999-01-01
"""

# Of one party, by a rule of the other; several calls of a test; a test that is played for several
# parameters.
CALLS = """
import adicheck
import defects
import pytest
from adicheck import pytest_plugin

class Charged:
    rule, verdict, party = "schema/names-differ", "fail", "producer"
    protocol, device, case, message = "arrow_c_array", "cpu:-1", "int32/many/consume", "names"

def test_gives_back(adi_consumer_case, monkeypatch):
    monkeypatch.setitem(pytest_plugin._CHECKS, "consumer", lambda use, **options: [Charged()])
    adi_consumer_case(adicheck.from_arrow)

def test_twice(adi_producer_case):
    adi_producer_case(lambda: adicheck.array([1]), protocols="arrow_c_device_array")
    adi_producer_case(defects.reserved, protocols="arrow_c_device_array")

@pytest.mark.parametrize("make", [lambda: adicheck.array([1]), defects.reserved],
                         ids=["right", "wrong"])
def test_each(make, adi_producer_case):
    adi_producer_case(make, protocols="arrow_c_device_array")

def test_known(adi_producer_case):
    adi_producer_case(defects.reserved, protocols="arrow_c_device_array")
    assert adi_producer_case is None
"""

# Profiles: what was written by an old document, and what no document allows; what is wrong where
# the profile does not look.
PROFILES = """
import adicheck
import defects
import defects_capsules as capsules

def test_old(adi_producer_case):
    adi_producer_case(defects.OldKeywords, protocols="dlpack")

def test_renamed(adi_producer_case):
    adi_producer_case(defects.OtherName, protocols="dlpack")

def misreads_one(obj):
    taken = adicheck.from_arrow(obj)
    if taken.type.format == "S" and len(taken.to_pylist()) == 1:
        return adicheck.array([7], taken.type)
    return taken

def test_one(adi_consumer_case):
    adi_consumer_case(misreads_one, protocols="arrow_c_array")

def test_nulls(adi_consumer_case):
    adi_consumer_case(defects.nulls_ignored, protocols="arrow_c_array")
"""

# What is no test of anything.
TRAPS = """
import pytest

def test_forgotten(adi_producer_case):
    pass

def test_not_here(adi_producer_case):
    pytest.skip("not here")
"""
OF_BOTH = """
def test_both(adi_producer_case, adi_consumer_case):
    adi_producer_case(list)
"""

# Of what nothing is judged, by one rule or by any; where consumers are given their objects.
LEFT = """
import adicheck

class Nothing:
    def __arrow_c_stream__(self, requested_schema=None):
        return None

def test_arrow(adi_producer_case):
    adi_producer_case(lambda: adicheck.array([1, 2], "int32"), protocols="arrow_c_array")

def test_both(adi_producer_case):
    adi_producer_case(lambda: adicheck.array([1, 2], "int32"), protocols="arrow_c_array")
    adi_producer_case(lambda: adicheck.array([1, 2], "int32"), protocols="array_interface")

def test_nothing(adi_producer_case):
    adi_producer_case(Nothing)

def test_mistaken(adi_consumer_case):
    adi_consumer_case(lambda obj: unknown, protocols="dlpack")

def test_where(adi_consumer_case):
    def use(obj):
        if obj.__dlpack_device__()[0] < 3:
            seen.add(obj.__dlpack_device__())
        return adicheck.from_dlpack(obj)
    seen = set()
    adi_consumer_case(use, protocols="dlpack", cases="int32/*")
    print("seen", sorted(seen))

def test_on(adi_device):
    pass
"""


ENDS = """
import ctypes
import adicheck

def ends(obj):
    ctypes.string_at(8)

def refuses(obj):
    array = adicheck.from_dlpack(obj)
    if not memoryview(array).contiguous:
        raise NotImplementedError("strides")
    return array

def test_ends(adi_consumer_case):
    adi_consumer_case(ends, protocols="dlpack", cases="int32/many/*")

def test_refuses(adi_consumer_case):
    adi_consumer_case(refuses, protocols="dlpack", cases="int32/*")
"""


MEMORY = """
import adicheck
import test_leaks as leaks

def test_right(adi_producer_case):
    adi_producer_case(leaks.Tensors, protocols="dlpack")

def test_wrong(adi_producer_case):
    adi_producer_case(leaks.NeverDeleted, protocols="dlpack")

def test_records(adi_producer_case):
    adi_producer_case(leaks.Records, protocols="dlpack")

def test_streams(adi_producer_case):
    adi_producer_case(leaks.StreamsKept)

def test_takes(adi_consumer_case):
    adi_consumer_case(adicheck.from_dlpack, protocols="dlpack", cases="int32/many/*")
"""


PARAMETERS = """
import adicheck, pytest

calls = []

@pytest.fixture(scope="session", autouse=True)
def told():
    yield
    print("judged:", len(calls))

def use(obj):
    return adicheck.from_arrow(obj)

@pytest.mark.parametrize("value", [[1, 2], [3]])
def test_each(value, adi_producer_case, monkeypatch):
    from adicheck import pytest_plugin
    before = pytest_plugin._CHECKS["producer"]
    monkeypatch.setitem(pytest_plugin._CHECKS, "producer", lambda make, **options: (
        calls.append(1), before(make, **options))[1])
    adi_producer_case(lambda: adicheck.array(value, "int32"), protocols="arrow_c_array")
"""


@unittest.skipUnless(importlib.util.find_spec("pytest"), "there is no pytest")
class ThePlugin(unittest.TestCase):
    # That is done for all rules at once, of each value.
    def test_judges_each_parameter_once(self):
        said = self.play("-s", "-k", "array/data", suite=PARAMETERS)
        self.assertRegex(said, r"judged: 2\n", said)
        self.assertEqual(len(self.told("PASSED", said)), 2, said)
        said = self.play("-s", "-k", "schema/ and not others", suite=PARAMETERS)
        self.assertGreater(len(self.told("PASSED", said)), 10, said)
        self.assertRegex(said, r"judged: 2\n", said)

    def play(self, *words, known=None, suite=SUITE):
        tests = pathlib.Path(__file__).parent
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "test_mine.py").write_text(suite)
            (folder / "known.txt").write_text(known or "")
            words = [*words, "--adi-known", "known.txt"] if known else words
            path = os.pathsep.join([str(tests), *filter(None, sys.path)])
            done = subprocess.run(
                [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "adicheck.pytest_plugin",
                 "-p", "no:cacheprovider", *words], cwd=folder, capture_output=True, text=True,
                env={**os.environ, "PYTHONPATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
            return done.stdout + done.stderr

    def told(self, how, said):
        return re.findall(rf"^{how} test_mine.py::(\S+)", said, re.MULTILINE)

    def test_a_finding_is_a_failed_test_with_its_rule(self):
        said = self.play()
        self.assertEqual(set(self.told("FAILED", said)),
                         {"test_wrong[array/reserved-not-zero]",
                          "test_takes[dlpack/strides-ignored]"}, said)
        passed = self.told("PASSED", said)
        self.assertIn("test_right[cpu-array/data-differs]", passed, said)
        self.assertIn("test_advice[pycapsule/keyword-refused]", passed)
        self.assertIn("AdiWarning", said)

    def test_a_warning_fails_where_all_counts(self):
        said = self.play("--adi-strict", "-k", "advice")
        self.assertEqual(self.told("FAILED", said), ["test_advice[pycapsule/keyword-refused]"],
                         said)

    def test_a_known_deviation_is_expected(self):
        said = self.play("-k", "wrong", known=KNOWN)
        self.assertEqual(self.told("FAILED", said), [], said)
        self.assertEqual(self.told("XFAIL", said), ["test_wrong[array/reserved-not-zero]"])

    def test_a_known_deviation_that_does_not_occur_any_more_fails(self):
        said = self.play("-k", "right", known=OUTDATED)
        self.assertEqual(self.told("FAILED", said), ["test_right[cpu-array/data-differs]"], said)

    def test_every_protocol_is_offered(self):
        said = self.play("--adi-strict", suite=OFFERED)
        told = set(self.told("FAILED", said)) - {"test_makes[dlpack/data-misaligned]"}
        self.assertEqual(told, TOLD | ({"test_takes[cai/stream-ignored]"} if CUDA else set()), said)

    def test_a_rule_of_the_other_party_is_told(self):
        said = self.play("-k", "test_gives_back", suite=CALLS)
        self.assertEqual(self.told("FAILED", said), ["test_gives_back[others]"], said)

    def test_each_call_is_judged(self):
        said = self.play("-k", "test_twice or test_each", suite=CALLS)
        self.assertEqual(set(self.told("FAILED", said)),
                         {"test_twice[array/reserved-not-zero]",
                          "test_each[array/reserved-not-zero-wrong]"}, said)

    def test_what_fails_beside_a_known_deviation_fails(self):
        said = self.play("-k", "test_known and reserved", known=KNOWN, suite=CALLS)
        self.assertEqual(self.told("FAILED", said), ["test_known[array/reserved-not-zero]"], said)

    def test_a_profile_asks_for_less(self):
        missing = "test_old[array-api/keyword-missing]"
        renamed = "test_renamed[dlpack/capsule-name-differs]"
        words = "-k", "test_old or test_renamed", "--adi-strict"
        said = self.play(*words, suite=PROFILES)
        self.assertEqual(set(self.told("FAILED", said)), {missing, renamed}, said)
        said = self.play(*words, "--adi-profile", "array-api-2021", suite=PROFILES)
        self.assertEqual(self.told("FAILED", said), [renamed], said)
        self.assertIn(missing, self.told("PASSED", said))

    def test_a_profile_leaves_cases_out(self):
        misread = "array/misread"
        for name, profile, failed in (("one", (), True), ("nulls", (), True),
                                      ("one", ("--adi-profile", "cpu"), False),
                                      ("nulls", ("--adi-profile", "cpu"), True)):
            with self.subTest(name, profile=profile):
                said = self.play("-k", f"test_{name}", *profile, suite=PROFILES)
                self.assertEqual(self.told("FAILED", said),
                                 [f"test_{name}[{misread}]"] if failed else [], said)

    def test_a_profile_has_known_deviations(self):
        rows = """
dlpack/capsule-name-* | own/own/dlpack | * | a prefix | here | 2999-01-01
dlpack/data-differs | own/* | * | it was wrong once | here | 2999-01-01
"""
        said = self.play("--adi-profile", "array-api-2021", "-k", "test_renamed or test_old",
                         known=rows, suite=PROFILES)
        self.assertEqual(self.told("XFAIL", said), ["test_renamed[dlpack/capsule-name-differs]"],
                         said)
        self.assertEqual(self.told("FAILED", said), ["test_old[dlpack/data-differs]"], said)

    def test_a_rule_of_which_nothing_was_judged_is_skipped(self):
        said = self.play("-k", "test_arrow or test_both", suite=LEFT)
        passed = set(self.told("PASSED", said))
        self.assertEqual(self.told("FAILED", said), [], said)
        for rule, arrow, both in (("array/data-differs", True, True),
                                  ("pycapsule/name-differs", True, True),
                                  ("array-interface/shape-invalid", False, True),
                                  ("exchange/object-differs", False, False),
                                  ("buffer/len-differs", False, False),
                                  ("dlpack/data-differs", False, False)):
            self.assertEqual((f"test_arrow[{rule}]" in passed, f"test_both[{rule}]" in passed),
                             (arrow, both), rule)
        self.assertRegex(said, "nothing was judged by buffer/len-differs, which is no rule of "
                               "arrow_c")

    def test_what_ends_in_every_case_has_judged_nothing_else(self):
        said = self.play("--adi-isolate", "-k", "test_ends", suite=ENDS)
        self.assertEqual(self.told("FAILED", said), ["test_ends[life/crash]"], said)
        self.assertEqual(self.told("PASSED", said), ["test_ends[others]"], said)
        self.assertRegex(said, "nothing was judged by dlpack/misread: ")

    def test_of_what_is_refused_and_nothing_else_nothing_was_judged(self):
        said = self.play("-k", "test_refuses and dlpack/", suite=ENDS)
        passed = self.told("PASSED", said)
        self.assertIn("test_refuses[dlpack/misread]", passed, said)
        self.assertNotIn("test_refuses[dlpack/strides-ignored]", passed, said)
        self.assertRegex(said, "nothing was judged by dlpack/strides-ignored: ")

    @unittest.skipIf(adicheck._core.weighs(), "memory is weighed exactly")
    def test_memory_that_nobody_weighs_is_not_passed(self):
        said = self.play("-k", "memory-leaked", suite=MEMORY)
        self.assertEqual(self.told("FAILED", said), ["test_wrong[dlpack/memory-leaked]",
                                                     "test_streams[life/memory-leaked]"], said)
        self.assertEqual(self.told("PASSED", said), ["test_right[dlpack/memory-leaked]"], said)
        self.assertRegex(said, "nothing was judged by dlpack/memory-leaked: it could not be told")
        self.assertRegex(said, "nothing was judged by dlpack/memory-leaked: a consumer's memory")

    def test_what_has_passed_nothing_fails(self):
        rule = "dlpack/data-differs"
        said = self.play("-k", f"test_nothing and {rule}", suite=LEFT)
        self.assertEqual(self.told("FAILED", said), [f"test_nothing[{rule}]"], said)
        self.assertIn("nothing could be judged: all was refused: TypeError", said)
        said = self.play("-k", "test_mistaken and dlpack/misread", suite=LEFT)
        self.assertEqual(self.told("FAILED", said), ["test_mistaken[dlpack/misread]"], said)
        self.assertIn("NameError: name 'unknown'", said)

    def test_what_is_never_called_fails(self):
        rule = "dlpack/data-differs"
        said = self.play("-k", rule, suite=TRAPS)
        self.assertEqual(self.told("FAILED", said), [f"test_forgotten[{rule}]"], said)
        self.assertIn("adi_producer_case was asked for, and has not been called", said)
        self.assertRegex(said, "SKIPPED .*: not here\n")
        said = self.play(suite=OF_BOTH)
        self.assertRegex(said, "test_both asks for adi_producer_case and adi_consumer_case")
        self.assertRegex(said, "1 error")

    @unittest.skipUnless(CUDA, "there is no device of CUDA")
    def test_consumers_are_judged_on_the_devices_of_the_option(self):
        words = "-k", "test_where and dlpack/misread"
        for option, seen in (("cuda:1", "[(2, 1)]"), ("cpu", "[(1, 0)]"),
                             ("cpu,cuda:0", "[(1, 0), (2, 0)]")):
            said = self.play(*words, "--adi-devices", option, suite=LEFT)
            self.assertIn(f"seen {seen}", said)

    @unittest.skipUnless(CUDA, "there is no device of CUDA")
    def test_devices_are_globs(self):
        said = self.play("-k", "test_on", "--adi-devices", "cpu,cuda:*", suite=LEFT)
        self.assertEqual(self.told("PASSED", said),
                         ["test_on[cpu]", "test_on[cuda:0]", "test_on[cuda:1]"], said)
        said = self.play("-k", "test_on", "--adi-devices", "gpu", suite=LEFT)
        self.assertRegex(said, "--adi-devices: 'gpu' matches no device; there are cpu, ")

    def test_it_works_in_workers(self):
        said = self.play("-k", "wrong", "--adi-isolate")
        self.assertEqual(self.told("FAILED", said), ["test_wrong[array/reserved-not-zero]"], said)


if __name__ == "__main__":
    unittest.main()
