#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Mutants of the judge in Python: the package is blinded (blind.c) to each rule that it alone sees,
and a test of its planted defects must go red.

    tests/proof/in_python.py BUILD [RULE ...]

writes BUILD/proof/python.tsv, or adds the rows of these rules to it. Fails if a test is red with a
package that sees, or if nobody notices that a rule is gone.
"""

import os
import pathlib
import subprocess
import sys

import judge_run
import table

TESTS = pathlib.Path(__file__).resolve().parents[2] / "python/tests"
# What has planted defects.
MODULES = ("test_consume", "test_defects", "test_exchange", "test_expected", "test_keywords",
           "test_look", "test_look_buffer", "test_watch")

# Plays modules, and names what is red: a line for each test, with what its subtest is called.
PLAY = """
import sys, unittest
tests = unittest.TestLoader().loadTestsFromNames(sys.argv[1:])
result = unittest.TextTestRunner(verbosity=0).run(tests)
print("ran", result.testsRun)
for test, _ in result.failures + result.errors:
    case, called = getattr(test, "test_case", test), getattr(test, "_message", "")
    which = f"({called})" if isinstance(called, str) and called else ""
    print("red", f"{type(case).__name__}.{case._testMethodName}{which}")
"""


def speaks(module, rule):
    return rule.rpartition("/")[2] in (TESTS / f"{module}.py").read_text(encoding="utf-8")


def red_of(build, rule):
    """The tests that are red, among those that speak of the rule first."""
    return (red(build, rule, [module for module in MODULES if speaks(module, rule)] or MODULES) or
            red(build, rule))


def red(build, blind, modules=MODULES):
    """The tests that are red."""
    environment = dict(os.environ, PYTHONPATH=os.path.abspath(f"{build}/proof/python"),
                       PYTHONDONTWRITEBYTECODE="1", ADI_CUDA="sim", ADI_TEST_BLIND=blind)
    line = [os.environ.get("PYTHON", "/usr/bin/python3"), "-c", PLAY, *modules]
    done = subprocess.run(line, cwd=TESTS, env=environment, capture_output=True, text=True,
                          errors="replace")
    said = [line.split(maxsplit=1) for line in done.stdout.splitlines()]
    if not any(word == "ran" and number != "0" for word, number in filter(None, said)):
        sys.exit(f"in_python: no result: {done.stdout}{done.stderr}")
    return sorted({name for word, name in filter(None, said) if word == "red"})


HEAD = ["rule", "tests"]


def main(build, names):
    rules = [rule for rule in table.in_python() if not names or rule in names]
    wrong = [f"{test} is red with a package that sees" for test in red(build, "")]
    rows = [] if wrong else judge_run.in_parallel(lambda rule: [rule, red_of(build, rule)],
                                                     rules)
    wrong += [f"{rule}: nobody notices that the package is blind to it"
              for rule, tests in rows if not tests]
    for line in wrong:
        print(f"mutants of the judge in Python: {line}", file=sys.stderr)
    if wrong:
        return 1
    rows = [[rule, " ".join(tests)] for rule, tests in rows]
    path = f"{build}/proof/python.tsv"
    if names and os.path.exists(path):
        judge_run.update(path, HEAD, rows, table.in_python())
    else:
        judge_run.write(path, HEAD, rows)
        print(f"mutants of the judge in Python: {len(rows)} of {len(rows)} killed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
