#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Mutants of the judge: blinded to each rule in turn (blind.c), some test must go red.

    tests/proof/judge.py BUILD      writes BUILD/proof/judge.tsv

Only the tests that should notice are run: the planted defects of the predicates, and the mutants
of the rule with their cases. Fails if one of them is red without being blinded, or if nobody
notices that a rule is gone.
"""

import os
import re
import subprocess
import sys

import judge_run
import table

OPTIONS = table.options()


def red_units(build, blind):
    """How many of the planted defects are not found."""
    environment = dict(os.environ, CK_RUN_SUITE="harness_check", CK_RUN_CASE="defects")
    environment["ADI_TEST_BLIND"] = blind
    done = subprocess.run([f"{build}/proof/unit"], env=environment, capture_output=True, text=True)
    counts = re.search(r"Checks: (\d+), Failures: (\d+), Errors: (\d+)", done.stdout)
    if counts is None or counts.group(1) == "0":
        sys.exit(f"{build}/proof/unit: no result: {done.stdout}{done.stderr}")
    return int(counts.group(2)) + int(counts.group(3))


def judge(build, mutant, blind):
    adapter = f"{build}/tests/mutants/{mutant.name}.so"
    options = OPTIONS.get(mutant.rule, ())
    return judge_run.Run(
        f"{build}/proof/adicheck", adapter, "--case", mutant.cases, *options, blind=blind
    )


class Blinded:
    """A rule that the judge does not know any more."""

    def __init__(self, build, rule):
        self.rule = rule
        self.units = red_units(build, rule) if rule in table.defects() else 0
        self.sighted_misses, self.red, self.instead = [], [], set()
        for mutant in table.mutants():
            if mutant.rule != rule:
                continue
            if not judge(build, mutant, None).finds(mutant):
                self.sighted_misses.append(mutant.name)
            run = judge(build, mutant, rule)
            if not run.finds(mutant):
                self.red.append(mutant.name)
            self.instead |= {finding[0] for finding in run.findings}

    def row(self):
        instead = " ".join(sorted(self.instead))
        return [self.rule, self.units, " ".join(self.red) or "-", instead or "-"]


def complaints(units, blinded):
    if units != 0:
        yield f"{units} of the planted defects are not found by a judge that sees"
    for one in blinded:
        for name in one.sighted_misses:
            yield f"{name}: {one.rule} is not found by a judge that sees"
        if one.units == 0 and not one.red:
            yield f"{one.rule}: nobody notices that the judge is blind to it"


def main(build):
    rules = list(table.rules())
    units = red_units(build, "")
    blinded = judge_run.in_parallel(lambda rule: Blinded(build, rule), rules)
    wrong = list(complaints(units, blinded))
    for line in wrong:
        print(f"mutants of the judge: {line}", file=sys.stderr)
    if not wrong:
        alone = sum(bool(one.red) and not one.instead for one in blinded)
        print(f"mutants of the judge: {len(rules)} of {len(rules)} killed; "
              f"{alone} are the only ones to see their mutants")
        judge_run.write(f"{build}/proof/judge.tsv", ["rule", "planted", "mutants", "instead"],
                        [one.row() for one in blinded])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
