#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Mutants of the judge: blinded to each rule in turn (blind.c), some test must go red.

    tests/proof/judge.py BUILD [MUTANT ...]

writes BUILD/proof/judge.tsv and the cover's certificate, or adds these mutants to the rows of their
rules.

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

    def red(self, build, blind):
        """How many are red: on the CPU alone, and where that is none, on all devices."""
        return self.run(build, blind, ADI_TEST_SHORT="1")[0] or self.run(build, blind)[0]

    def run(self, build, blind, **more):
        """How many are red, and what they print."""
        environment = dict(os.environ, CK_RUN_SUITE=self.suite, ADI_TEST_BLIND=blind, **more)
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
    """A rule that the judge does not know any more, and what its mutants make of that.

    `told` is the row of the rule, to which only these mutants are added; None: all is played.
    """

    def __init__(self, build, rule, mutants, told=None):
        self.rule = rule
        if told:
            self.planted, self.cover, *rest = told
            self.red, self.instead = (set(words.split()) - {"-"} for words in rest)
            if self.red <= {mutant.name for mutant in mutants}:
                self.instead = set()
        else:
            self.planted, self.cover = (
                units.red(build, rule) if rule in units.rules else 0
                for units in (DEFECTS, COVER)
            )
            self.red, self.instead = set(), set()
        self.sighted_misses = []
        for mutant in mutants:
            if mutant.rule == rule:
                self.play(build, mutant)

    def play(self, build, mutant):
        if not judge(build, mutant, None).finds(mutant):
            self.sighted_misses.append(mutant.name)
        run = judge(build, mutant, self.rule)
        self.red.discard(mutant.name)
        if not run.finds(mutant):
            self.red.add(mutant.name)
        self.instead |= {finding[0] for finding in run.findings}

    def row(self):
        red = " ".join(one.name for one in table.mutants() if one.name in self.red)
        instead = " ".join(sorted(self.instead))
        return [self.rule, self.planted, self.cover, red or "-", instead or "-"]


def complaints(red, blinded):
    for units, number in red.items():
        if number != 0:
            yield f"{units}: {number} tests are red with a judge that sees"
    for one in blinded:
        for name in one.sighted_misses:
            yield f"{name}: {one.rule} is not found by a judge that sees"
        if not int(one.planted) + int(one.cover) and not one.red:
            yield f"{one.rule}: nobody notices that the judge is blind to it"


def write_certificate(path, printed):
    """What the cover says that it executed; how long that took is not the same twice."""
    lines = re.findall(r"^ *(cover .*?)(?: in [0-9.]+ s)?$", printed, re.MULTILINE)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


HEAD = ["rule", "planted", "cover", "mutants", "instead"]


def blind_of(build, names):
    """Adds mutants to the rows of their rules."""
    path, rules = f"{build}/proof/judge.tsv", list(table.rules())
    told = {row[0]: row[1:] for row in judge_run.read(path)}
    mutants = [one for one in table.mutants() if one.name in names]
    broken = sorted({one.rule for one in mutants})
    blinded = judge_run.in_parallel(
        lambda rule: Blinded(build, rule, mutants, told.get(rule)), broken
    )
    wrong = list(complaints({}, blinded))
    for line in wrong:
        print(f"mutants of the judge: {line}", file=sys.stderr)
    if not wrong:
        judge_run.update(path, HEAD, [one.row() for one in blinded], rules)
    return 1 if wrong else 0


def main(build):
    rules, mutants = list(table.rules()), table.mutants()
    planted, _ = DEFECTS.run(build, "")
    cover, printed = COVER.run(build, "")
    blinded = judge_run.in_parallel(lambda rule: Blinded(build, rule, mutants), rules)
    red = {DEFECTS.suite: planted, COVER.suite: cover}
    wrong = list(complaints(red, blinded))
    for line in wrong:
        print(f"mutants of the judge: {line}", file=sys.stderr)
    if not wrong:
        alone = sum(bool(one.red) and not one.instead for one in blinded)
        print(f"mutants of the judge: {len(rules)} of {len(rules)} killed; "
              f"{alone} are the only ones to see their mutants")
        judge_run.write(f"{build}/proof/judge.tsv", HEAD, [one.row() for one in blinded])
        write_certificate(f"{build}/proof/life.txt", printed)
    return 1 if wrong else 0


if __name__ == "__main__":
    build, *names = sys.argv[1:]
    sys.exit(blind_of(build, names) if names else main(build))
