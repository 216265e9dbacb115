#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""How often a planted defect is found: each over many seeds, in the cheapest of its cases.

    tests/proof/seeds.py BUILD FIRST-LAST [NAME ...]

A NAME is a glob over tests/mutants/mutants.def (`vulkan_*`); without one, all are played. A defect
is found by a seed if its rule is said of its party and nothing else is. Played are the cases of its
row, or the quickest that found it with an earlier seed; a seed that this one misses is played in
all of them before it counts as missed. Of what is legal nothing may be said in the cases of its
row. Fails unless every seed does; what has no device here is left out, and said, and does not
count. ADI_TEST_WHOLE=1 plays what is legal in every case.
"""

import fnmatch
import os
import sys
import time

import judge_run
import table

POLICIES = ("lazy", "random", "eager")
OPTIONS = table.options()
LEGAL = {**{name: "*" for name in table.sound()}, **table.odd()}


def played(build, name, cases, seed, options=()):
    """A run with this seed, on one device, under the policy that tests/harness/mutants.c has."""
    device = table.device_of(name)
    policy = POLICIES[seed - 1] if seed <= len(POLICIES) else "random"
    which = ["--device", device if device == "cpu" else device + ":0", "--case", cases]
    return judge_run.Run(f"{build}/adicheck", f"{build}/tests/mutants/{name}.so", *which,
                         "--seed", str(seed), *options,
                         environment={"ADI_SIM_POLICY": policy, "ADI_SIM_SEED": str(seed)})


class Tally:
    """What came of an adapter: seeds that did as wanted, and words on those that did not."""

    def __init__(self, name, seeds):
        self.name, self.seeds, self.good, self.wide, self.bad = name, seeds, 0, 0, []
        self.available, self.start = True, time.monotonic()

    def add(self, seed, run, good):
        self.good += good
        self.available = run.available
        if not good and run.available:
            said = sorted({f"{rule} by the {party} in {case}" for rule, party, case, _ in
                           run.findings})
            self.bad.append(f"seed {seed}: {'; '.join(said[:3]) or 'nothing'}")

    def line(self, verb, what):
        if not self.available:
            return f"{self.name:<38}left out: its device is not here (adicheck devices)"
        wide = f", {self.wide} of them beyond its quickest case" if self.wide else ""
        seconds = (time.monotonic() - self.start) / len(self.seeds)
        counts = f"{verb} {self.good} of {len(self.seeds)}{wide}"
        return f"{self.name:<38}{counts}  {what} ({seconds:.2f} s)"


def quickest(run, mutant):
    """The case that found it in the least time, or all where none did (run_outcome.h's phases)."""
    case = min(run.by_rule()[mutant.rule, mutant.party], key=run.ms.get)
    return mutant.cases if case in ("load", "close", "exit") else case


def defect(build, mutant, seeds):
    """Plays a planted defect with each seed."""
    tally, cases = Tally(mutant.name, seeds), mutant.cases
    for seed in seeds:
        run = played(build, mutant.name, cases, seed, OPTIONS.get(mutant.rule, ()))
        good = run.finds(mutant)
        if not good and cases != mutant.cases:
            run = played(build, mutant.name, mutant.cases, seed, OPTIONS.get(mutant.rule, ()))
            good = run.finds(mutant)
            tally.wide += good
        tally.add(seed, run, good and set(run.by_rule()) == {(mutant.rule, mutant.party)})
        if not run.available:
            break
        if good and cases == mutant.cases:
            cases = quickest(run, mutant)
    return tally, tally.line("found", f"{mutant.rule} by the {mutant.party}")


def legal(build, name, seeds):
    """Plays what is odd but legal with each seed."""
    tally = Tally(name, seeds)
    cases = "*" if "ADI_TEST_WHOLE" in os.environ else LEGAL[name]
    for seed in seeds:
        run = played(build, name, cases, seed)
        tally.add(seed, run, not run.findings and run.status == 0)
        if not run.available:
            break
    return tally, tally.line("not blamed", cases)


def main(build, span, globs):
    first, last = span.split("-")
    seeds = range(int(first), int(last) + 1)
    planted = {mutant.name: mutant for mutant in table.mutants()}
    names = [name for name in [*planted, *LEGAL]
             if not globs or any(fnmatch.fnmatchcase(name, glob) for glob in globs)]
    wrong = absent = 0
    for name in names:
        tally, line = (defect(build, planted[name], seeds) if name in planted
                       else legal(build, name, seeds))
        print("\n    ".join([line, *tally.bad]), flush=True)
        wrong += bool(tally.bad)
        absent += not tally.available
    played = len(names) - absent
    print(f"seeds: {played - wrong} of {played} adapters are judged as they should be with each of "
          f"the seeds {span}" + (f"; {absent} left out" if absent else ""))
    return 1 if wrong or not played else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
