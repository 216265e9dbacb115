#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""A column of the kill matrix: what `adicheck fuzz` finds of each planted defect by itself.

    tests/proof/fuzz.py BUILD [MUTANT ...]      writes BUILD/proof/technique-fuzz.tsv, or rows of it

It makes programs of operations up and knows nothing of the defect, nor of the cases that show it.
What it does not find is no failure: the column says how far one gets without the list of cases.
"""

import os
import sys

import judge_run
import kills
import table

SECONDS = 10
WORDS = (f"`adicheck fuzz` for {SECONDS} seconds with one worker, on one device of the kind that "
         f"the defect is for")


def look(build, mutant):
    device = table.device_of(mutant.name)
    which = ["--device", device if device == "cpu" else device + ":0", "--time", str(SECONDS)]
    adapter = f"{build}/tests/mutants/{mutant.name}.so"
    run = judge_run.Run(f"{build}/adicheck", adapter, *which, word="fuzz")
    return kills.FOUND if run.finds(mutant) else kills.NOTICED if run.findings else kills.UNSEEN


def main(build, names):
    mutants = [one for one in table.mutants() if not names or one.name in names]
    marks = judge_run.in_parallel(lambda mutant: look(build, mutant), mutants)
    for mutant, mark in zip(mutants, marks):
        print(f"{mutant.name:<39}{mutant.rule:<39}{kills.SIGNS[mark]}")
    print(f"fuzz: {marks.count(kills.FOUND)} of {len(marks)} defects found as what they are")
    path, head = f"{build}/proof/technique-fuzz.tsv", ["mutant", "fuzz", WORDS]
    rows = [[mutant.name, mark] for mutant, mark in zip(mutants, marks)]
    if not names:
        judge_run.write(path, head, rows)
    elif os.path.exists(path):
        judge_run.update(path, head, rows, [mutant.name for mutant in table.mutants()])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
