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

KNOWN = """
array/reserved-not-zero | own/* | * | it is not written | here | 2999-01-01
"""

OUTDATED = """
array/data-differs | own/* | * | it was wrong once | here | 2999-01-01
"""


@unittest.skipUnless(importlib.util.find_spec("pytest"), "there is no pytest")
class ThePlugin(unittest.TestCase):
    def play(self, *words, known=None):
        tests = pathlib.Path(__file__).parent
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "test_mine.py").write_text(SUITE)
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

    def test_one_that_is_none_any_more_fails(self):
        said = self.play("-k", "right", known=OUTDATED)
        self.assertEqual(self.told("FAILED", said), ["test_right[cpu-array/data-differs]"], said)

    def test_it_works_in_workers(self):
        said = self.play("-k", "wrong", "--adi-isolate")
        self.assertEqual(self.told("FAILED", said), ["test_wrong[array/reserved-not-zero]"], said)


if __name__ == "__main__":
    unittest.main()
