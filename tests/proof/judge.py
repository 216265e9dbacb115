#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Mutants of the judge: blinded to each rule in turn (blind.c), some test must go red.

    tests/proof/judge.py BUILD      writes BUILD/proof/judge.tsv, and the cover's certificate

Only the tests that should notice are run: the planted defects of the predicates, the cover of the
life cycle, and the mutants of the rule with their cases. Fails if one of them is red without being
blinded, or if nobody notices that a rule is gone.
"""

import os
import re
import subprocess
import sys

import judge_run
import table

OPTIONS = table.options()


class Units:
    """The unit tests of a table: a suite, or one case of it, and the rules that its rows break."""

    def __init__(self, suite, case, rules):
        self.suite, self.case, self.rules = suite, case, rules

    def run(self, build, blind):
        """How many are red, and what they print."""
        environment = dict(os.environ, CK_RUN_SUITE=self.suite, ADI_TEST_BLIND=blind)
        if self.case:
            environment["CK_RUN_CASE"] = self.case
        done = subprocess.run([f"{build}/proof/unit"], env=environment, capture_output=True,
                              text=True, errors="replace")
        counts = re.search(r"Checks: (\d+), Failures: (\d+), Errors: (\d+)", done.stdout)
        if counts is None or counts.group(1) == "0":
            sys.exit(f"{build}/proof/unit: no result: {done.stdout}{done.stderr}")
        return int(counts.group(2)) + int(counts.group(3)), done.stdout


DEFECTS = Units("harness_check", "defects", table.defects())
COVER = Units("harness_cover", None, table.edges())


def judge(build, mutant, blind):
    adapter = f"{build}/tests/mutants/{mutant.name}.so"
    which = ["--case", mutant.cases, "--device", table.device_of(mutant.name) + "*"]
    which += OPTIONS.get(mutant.rule, ())
    return judge_run.Run(f"{build}/proof/adicheck", adapter, *which, blind=blind)


class Blinded:
    """A rule that the judge does not know any more."""

    def __init__(self, build, rule):
        self.rule = rule
        self.planted, self.cover = (
            units.run(build, rule)[0] if rule in units.rules else 0 for units in (DEFECTS, COVER)
        )
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
        return [self.rule, self.planted, self.cover, " ".join(self.red) or "-", instead or "-"]


def complaints(red, blinded):
    for units, number in red.items():
        if number != 0:
            yield f"{units}: {number} tests are red with a judge that sees"
    for one in blinded:
        for name in one.sighted_misses:
            yield f"{name}: {one.rule} is not found by a judge that sees"
        if one.planted + one.cover == 0 and not one.red:
            yield f"{one.rule}: nobody notices that the judge is blind to it"


def write_certificate(path, printed):
    """What the cover says that it executed; how long that took is not the same twice."""
    lines = re.findall(r"^ *(cover .*?)(?: in [0-9.]+ s)?$", printed, re.MULTILINE)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main(build):
    rules = list(table.rules())
    planted, _ = DEFECTS.run(build, "")
    cover, printed = COVER.run(build, "")
    blinded = judge_run.in_parallel(lambda rule: Blinded(build, rule), rules)
    red = {DEFECTS.suite: planted, COVER.suite: cover}
    wrong = list(complaints(red, blinded))
    for line in wrong:
        print(f"mutants of the judge: {line}", file=sys.stderr)
    if not wrong:
        alone = sum(bool(one.red) and not one.instead for one in blinded)
        print(f"mutants of the judge: {len(rules)} of {len(rules)} killed; "
              f"{alone} are the only ones to see their mutants")
        head = ["rule", "planted", "cover", "mutants", "instead"]
        judge_run.write(f"{build}/proof/judge.tsv", head, [one.row() for one in blinded])
        write_certificate(f"{build}/proof/life.txt", printed)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
