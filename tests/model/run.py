#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Has spin look at every way that tests/model/async.pml can go, for each row of models.tsv.

    tests/model/run.py BUILD             all rows; fails if spin says of one what is not there
    tests/model/run.py BUILD --why NAME  the steps that lead to what it refutes
"""

import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# What the assertion of a property looks like in the model.
ASSERTIONS = {
    "silent": "handler_released", "serialized": "inside==0", "requested": "delivered<requested",
    "once": "extracted[", "alive": "on", "ordered": "error_came",
}


def rows():
    with open(os.path.join(HERE, "models.tsv"), encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                yield line.rstrip("\n").split("\t")


def call(folder, *command):
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False).stdout


def options(definitions):
    return ["-D" + word for word in definitions.split() if word != "-"]


def play(folder, definitions, *how):
    """What spin says of the model, how many states there were, and all that was printed."""
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        if name.startswith("pan"):
            os.remove(os.path.join(folder, name))
    shutil.copy(os.path.join(HERE, "async.pml"), folder)
    call(folder, "spin", *options(definitions), "-a", "async.pml")
    said = call(folder, os.environ.get("CC", "gcc"), "-O0", "-w", "-DSAFETY", "-o", "pan", "pan.c")
    if not os.path.exists(os.path.join(folder, "pan")):
        sys.exit(f"the verifier cannot be built: {said}")
    said = call(folder, "./pan", "-m100000", *how)
    states = re.search(r"(\d+) states, stored", said)
    if states is None or "max search depth too small" in said:
        sys.exit(f"spin has not looked at everything: {said}")
    return outcome_of(said), int(states.group(1)), said


def outcome_of(said):
    if "errors: 0" in said:
        return "safe"
    if "pan:1: invalid end state" in said:
        return "ends"
    violated = re.search(r"assertion violated (.*?) \(at depth", said)
    expression = re.sub(r"[\s()!]", "", violated.group(1)) if violated else said
    for name, text in ASSERTIONS.items():
        if name != "alive" and re.sub(r"[\s()!]", "", text) in expression:
            return name
    return "alive" if expression == "on" else f"unknown: {expression}"


def main(build, why=None):
    wrong = 0
    for name, definitions, wanted, what in rows():
        if why is not None and name != why:
            continue
        folder = os.path.join(build, "model", name)
        outcome, states, _ = play(folder, definitions)
        print(f"  {name:24} {outcome:10} {states:8} states  {what}")
        if outcome != wanted:
            print(f"model: {name}: spin says {outcome}, wanted {wanted}", file=sys.stderr)
            wrong += 1
        if why is not None and outcome != "safe":
            print(call(folder, "spin", "-t", "-p", *options(definitions), "async.pml"))
    sys.exit(wrong > 0)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 4) or sys.argv[2:3] not in ([], ["--why"]):
        sys.exit(__doc__)
    main(*sys.argv[1:2], *sys.argv[3:])
