# SPDX-License-Identifier: Apache-2.0
"""Plays one module of tests of unittest, in the Python that has the library. A line for each event
goes to the file RESULTS, a JSON object; "at" is how long the simulation's log was:

    {"test": ID, "at": SIZE}                                 it begins
    {"test": ID, "at": SIZE, "is": OUTCOME, "why": TEXT}     it is over: passed, failed or skipped
    {"end": MODULE, "at": SIZE}                              all are

    play.py MODULE RESULTS LOG DONE     without those tests that the file DONE names
"""

import faulthandler
import json
import os
import sys
import unittest

LONGEST = 3000  # characters of what a test says of its failure


def why(err):
    text = f"{err[0].__name__}: {err[1]}"
    return text if len(text) < LONGEST else f"{text[:LONGEST // 2]} ... {text[-LONGEST // 2:]}"


class Told(unittest.TestResult):
    """A part of a test that fails makes the whole of it one that failed."""

    def __init__(self, results, log):
        super().__init__()
        self.results, self.log, self.now = results, log, {}

    def tell(self, **said):
        said["at"] = os.stat(self.log).st_size if os.path.exists(self.log) else 0
        os.write(self.results, (json.dumps(said) + "\n").encode())

    def startTest(self, test):
        super().startTest(test)
        self.now = {"is": "passed", "why": ""}
        self.tell(test=test.id())

    def stopTest(self, test):
        super().stopTest(test)
        self.tell(test=test.id(), **self.now)

    def note(self, test, outcome, text):
        if not isinstance(test, unittest.TestCase):  # a class or a module that is not set up
            self.tell(test=test.id(), **{"is": outcome, "why": text})
        elif self.now.get("is") != "failed":
            self.now = {"is": outcome, "why": text}

    def addError(self, test, err):
        super().addError(test, err)
        skipped = err[0].__name__ == "Skipped"  # pytest's, which is no SkipTest
        self.note(test, "skipped" if skipped else "failed", why(err))

    addFailure = addError

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.note(test, "skipped", reason)

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.note(test, "failed", "passes, which its suite does not expect")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.note(test, "failed", why(err))


def tests_of(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from tests_of(test)
        else:
            yield test


def main(module, results, log, done):
    faulthandler.enable()
    with open(done, encoding="utf-8") as file:
        known = set(file.read().splitlines())
    told = Told(os.open(results, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC), log)
    try:
        tests = tests_of(unittest.TestLoader().loadTestsFromName(module))
    except BaseException as error:  # pytest's again, from the module itself
        if type(error).__name__ != "Skipped":
            raise
        told.tell(test=module, **{"is": "skipped", "why": str(error)})
        tests = []
    unittest.TestSuite(test for test in tests if test.id() not in known).run(told)
    told.tell(end=module)


if __name__ == "__main__":
    main(*sys.argv[1:])
