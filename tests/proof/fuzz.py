#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""A column of the kill matrix: what `adicheck fuzz` finds of each planted defect by itself.

    tests/proof/fuzz.py BUILD [MUTANT ...]      writes BUILD/proof/technique-fuzz.tsv, or rows of it

It makes programs of operations up and knows nothing of the defect, nor of the cases that show it.
What it does not find is no failure: the column says how far one gets without the list of cases.
It is given programs and not time, so that a busy machine finds no less: a run this short plays one
round of them, which its seed decides.
"""

import os
import sys

import judge_run
import kills
import table

ROUNDS, ROUNDS_OF_QUEUES = 16, 4
# a round waits for them, often
QUEUES = ("opencl", "cuda", "cuda_host", "cuda_managed", "rocm", "rocm_host", "oneapi", "ext_dev")
ONE_ROUND = "0.01"  # seconds: they are over when it is, however fast the machine
WORDS = (f"`adicheck fuzz`, {ROUNDS} rounds of programs with one worker, on one device of the kind "
         f"that the defect is for; {ROUNDS_OF_QUEUES} rounds on {', '.join(QUEUES)}")


def look(build, mutant):
    device = table.device_of(mutant.name)
    which = ["--device", device if device == "cpu" else device + ":0", "--time", ONE_ROUND]
    adapter = f"{build}/tests/mutants/{mutant.name}.so"
    best = kills.UNSEEN
    if kills.is_chance(mutant, "fuzz"):
        return kills.CHANCE
    for seed in range(1, 1 + (ROUNDS_OF_QUEUES if device in QUEUES else ROUNDS)):
        run = judge_run.Run(f"{build}/adicheck", adapter, *which, "--seed", str(seed), word="fuzz")
        if run.finds(mutant):
            return kills.FOUND
        if run.findings:
            best = kills.NOTICED
    return best


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
