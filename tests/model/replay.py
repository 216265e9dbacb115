#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Lets spin walk through tests/model/async.pml at random, and plays each way that it finds with the
producer of ref/ (tests/model/replay.c), which has to call what the model calls, in that order.

    tests/model/replay.py BUILD    20 seeds for each kind of model; with ADI_TEST_FULL 200
"""

import os
import re
import shutil
import subprocess
import sys

from run import HERE, call, options
from traces import ENDS, FAILED

# Batches, whether the source fails, and what else is defined.
KINDS = {
    "plain": (2, 0, "CONSUMERS=2"),
    "three": (3, 0, "BATCHES=3 REQUESTS=3"),
    "fails": (1, 1, "BATCHES=1 FAILS=1 CONSUMERS=2"),
    "no-schema": (2, 2, "FAILS=2"),
    "extraction-fails": (2, 0, "FAILS=3 CONSUMERS=2"),
    "two-extractions": (2, 0, "FAILS=3 CANCELS=0"),
    "request-of-none": (2, 0, "FAILS=4"),
    "refused": (3, 0, "BATCHES=3 REQUESTS=3 REFUSES=3 CONSUMERS=2"),
}
REQUEST, EXTRACT, GONE = 6, 8, 9


def walk(folder, definitions, seed):
    """The entries of a script: (thread, event, of), event 0 for a step."""
    said = call(folder, "spin", f"-n{seed}", "-DCANCEL_IS_GUARDED=3", *options(definitions),
                "async.pml")
    found = re.findall(r"(?:event (\d+) (\d+) (\d+)|step (\d+) (\d+))$", said, re.MULTILINE)
    entries = [(int(step or me), int(what or 0), int(how or of))
               for me, what, of, step, how in found]
    if (0, GONE, 0) not in entries:
        sys.exit(f"replay: seed {seed} of {definitions} has no end: {said}")
    return entries


def scripts_of(folder, seeds):
    for name, (batches, fails, definitions) in KINDS.items():
        for seed in range(1, seeds + 1):
            entries = walk(folder, definitions, seed)
            failed = [what for _, what, _ in entries if what == EXTRACT + ENDS + FAILED]
            yield len(failed), f"{name}:{seed} {batches} {fails}", entries


def line(head, entries):
    return " ".join([head, *("%d:%d:%d" % entry for entry in entries)]) + "\n"


def replay(build, scripts):
    program = os.path.join(build, "tests/model/replay")
    return subprocess.run([program], input="".join(scripts), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)


def without_requests(entries):
    """What the reference cannot go if there is a task."""
    return [entry for entry in entries if entry[1] not in (REQUEST, REQUEST + ENDS)]


def main(build):
    folder = os.path.join(build, "model", "replay")
    os.makedirs(folder, exist_ok=True)
    shutil.copy(os.path.join(HERE, "async.pml"), folder)
    seeds = 200 if os.environ.get("ADI_TEST_FULL") else 20
    found = {}
    for failed, head, entries in scripts_of(folder, seeds):
        found.setdefault((head.split(":")[0], tuple(entries)), (failed, head, entries))
    scripts = [(head, entries) for failed, head, entries in found.values() if failed < 2]
    played = replay(build, [line(head, entries) for head, entries in scripts])
    if played.returncode != 0 or played.stdout != f"{len(scripts)}\n":
        name = (re.findall(r"replay: (\S+:\d+): ", played.stderr) or [""])[0]
        said = [line(*script) for script in scripts if script[0].startswith(name + " ")]
        print(played.stderr, *said, file=sys.stderr)
        sys.exit(1)
    print(f"  {len(scripts)} traces that spin has found are played by the reference")
    if len(found) > len(scripts):
        print(f"  {len(found) - len(scripts)} are left out: in them more than one extraction "
              "fails, and the reference can be told of one")

    head, entries = next(script for script in scripts if (0, 2, 0) in script[1])
    if replay(build, [line(head, without_requests(entries))]).returncode != 1:
        sys.exit("replay: a task that nobody has requested is not noticed")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
